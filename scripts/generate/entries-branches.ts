/**
 * Owns the samples of ids and branches: trees, duplicates, cycles, roots, ids of wrong types (contract:
 * session_entries, parameter `branch` and the rows `id`, `parentId`). Active branches are given in file
 * order.
 */
import { addEntries, startOf } from "./entries-lines.ts";
import type { SampleSet } from "./sample-set.ts";
import { assistant, entryOf, headerOf, jsonOf, Transcript, user } from "./transcript.ts";

export function addBranches(set: SampleSet): void {
  addTrees(set);
  addOddTrees(set);
  addOddIds(set);
}

function addTrees(set: SampleSet): void {
  addEntries(
    set,
    "branches",
    "every branch is returned; active is the path that ends at the last entry of any type",
    startOf("branches")
      .entry("root", user("r", null, "Start"))
      .entry("left branch", assistant("l1", "r", "Left answer"))
      .entry("left branch, abandoned", user("l2", "l1", "Left question"))
      .entry("right branch", {
        value: entryOf("branch_summary", "s", "r", { fromId: "l2", summary: "Left was tried" }),
        text: "Left was tried",
      })
      .entry("right branch", user("r1", "s", "Right question"))
      .entry("a label is an entry of the path and its tip", {
        value: entryOf("label", "lab", "r1", { targetId: "l1", label: "left" }),
        text: "left",
      })
      .active("2:r", "5:s", "6:r1", "7:lab"),
  );
  addEntries(
    set,
    "two-roots",
    "two roots: the path ends at the root of the tip",
    startOf("two-roots")
      .entry("first root", user("a", null, "one"))
      .entry("below the first root", assistant("b", "a", "two"))
      .entry("second root", user("c", null, "three"))
      .entry("below the second root", assistant("d", "c", "four"))
      .active("4:c", "5:d"),
  );
  addEntries(
    set,
    "glued-branch",
    "recovered entries belong to the branch",
    startOf("glued-branch")
      .entry("root", user("a", null, "one"))
      .recovered("two entries on one line, both on the path", jsonOf(assistantB) + jsonOf(userC), [
        assistantB,
        userC,
      ])
      .recovered("the tip is a recovered entry", `{"type":"mess${jsonOf(tipD)}`, [tipD])
      .active("2:a", "3:b", "3:c", "4:d"),
  );
}

const assistantB = assistant("b", "a", "glued two");
const userC = user("c", "b", "glued three");
const tipD = assistant("d", "c", "after a torn start");

function addOddTrees(set: SampleSet): void {
  addEntries(
    set,
    "duplicate-ids",
    "of duplicate ids the last wins, as in Pi; both rows are returned",
    startOf("duplicate-ids")
      .entry("root", user("a", null, "root"))
      .entry("the id x for the first time", user("x", "a", "first x"))
      .entry("the id x again, with another parent", user("x", null, "second x"))
      .entry("a child of x is a child of the last x", assistant("c", "x", "child"))
      .active("4:x", "5:c"),
  );
  addEntries(
    set,
    "duplicate-later",
    "of duplicate ids the last wins, even one that stands below its child",
    startOf("duplicate-later")
      .entry("root", user("a", null, "root"))
      .entry("x below a", user("x", "a", "first x"))
      .entry("child of x", assistant("c", "x", "child"))
      .entry("x again, a root now, in a branch of its own", user("x", null, "second x"))
      .entry("tip", assistant("t", "c", "tip"))
      .active("4:c", "5:x", "6:t"),
  );
  const cycle = "Pi would not return from this cycle; here the path ends before it repeats.";
  addEntries(
    set,
    "cycle",
    "a cycle of parents: the path holds each entry once",
    startOf("cycle")
      .entry("cycle", user("a", "c", "one"))
      .entry("cycle", user("b", "a", "two"))
      .entry("cycle", user("c", "b", "three"))
      .active("2:a", "3:b", "4:c"),
    cycle,
  );
  addEntries(
    set,
    "cycle-self",
    "an entry that is its own parent",
    startOf("cycle-self")
      .entry("root", user("a", null, "one"))
      .entry("own parent", user("s", "s", "two"))
      .entry("child of it", user("t", "s", "three"))
      .active("3:s", "4:t"),
    cycle,
  );
  addEntries(
    set,
    "dangling",
    "a parent that is not in the file ends the path",
    startOf("dangling")
      .entry("root", user("a", null, "one"))
      .entry("dangling parent", user("b", "absent", "two"))
      .entry("child of it", assistant("c", "b", "three"))
      .active("3:b", "4:c"),
  );
  addEntries(
    set,
    "child-first",
    "a parent may stand below its child; rows stay in file order",
    startOf("child-first")
      .entry("child above its parent", user("b", "a", "two"))
      .entry("parent", user("a", null, "one"))
      .entry("tip", user("c", "b", "three"))
      .active("2:b", "3:a", "4:c"),
  );
  addEntries(
    set,
    "branch-through-skipped",
    "an entry's parent stands on a line that is no entry",
    startOf("branch-through-skipped")
      .entry("root", user("a", null, "one"))
      .invalidEntry("a bad timestamp, but id and parentId", {
        type: "message",
        id: "b",
        parentId: "a",
        timestamp: "never",
        message: { role: "user", content: "skipped" },
      })
      .entry("its child", assistant("c", "b", "three"))
      .active("2:a", "4:c"),
    "Two readings: the skipped line is no entry, so c's parent dangles and the branch is c alone. Pi opens " +
      "this file with a, b, c as one path, and active is the branch that Pi would open, so the path goes " +
      "through the skipped line.",
  );
}

function addOddIds(set: SampleSet): void {
  const base = { type: "custom", timestamp: "2026-06-01T09:40:00.000Z" };
  const odd = (value: object) => ({ value: { ...base, ...value }, text: null });
  addEntries(
    set,
    "odd-ids",
    "an id or parentId that is no non-empty string is null and never a reason to reject",
    startOf("odd-ids")
      .entry("root", user("a", null, "one"))
      .entry("parentId missing", odd({ id: "i1" }))
      .entry("id missing", odd({ parentId: "a" }))
      .entry("id number", odd({ id: 7, parentId: "a" }))
      .entry("id empty", odd({ id: "", parentId: "a" }))
      .entry("id null", odd({ id: null, parentId: "a" }))
      .entry("parentId number", odd({ id: "i2", parentId: 7 }))
      .entry("parentId empty", odd({ id: "i3", parentId: "" }))
      .entry("id and parentId objects", odd({ id: { toString: "a" }, parentId: ["a"] }))
      .entry("ids are case-sensitive", user("A", "a", "other"))
      .entry("an id like a property name", user("__proto__", "A", "hostile id"))
      .entry("a parent like a property name", user("constructor", "__proto__", "hostile parent"))
      .entry("not addressable, so not the tip", odd({ id: 0, parentId: "a" }))
      .active("2:a", "11:A", "12:__proto__", "13:constructor"),
  );
  addHeaderIds(set);
}

/** Headers that the listing refuses and session_entries reads, with ids of the header's kind below. */
function addHeaderIds(set: SampleSet): void {
  addEntries(
    set,
    "parent-is-header",
    "the header is no part of the tree, though an entry may name its id",
    new Transcript(headerOf("parent-is-header", "2026-06-01T09:00:00.000Z", "/srv/entries"))
      .entry("parentId is the header's id", user("a", "parent-is-header", "one"))
      .entry("child", assistant("b", "a", "two"))
      .active("2:a", "3:b"),
  );
}
