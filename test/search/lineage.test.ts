import { describe, expect, test } from "vitest";
import { ancestry, Copies, ForkFilter } from "../../src/search/lineage.ts";
import type { SearchView } from "../../src/search/view.ts";
import { heldSession, viewOf } from "./stores.ts";

/**
 * Sessions named by letters; `b: "a"` is a fork of a. Matching ones are given best first; those of `own` match by what no
 * ancestor holds.
 */
function shown(
  parents: Readonly<Record<string, string>>,
  matching: string,
  { hidden = "", own = "" } = {},
): string {
  const names = Object.keys(parents);
  const sessions = names.map((name, i) => ({
    ...heldSession(i, []),
    path: name,
    ...(parents[name] ? { parentSessionPath: parents[name] } : {}),
  }));
  const ranked = [...matching].map((name) => ({ session: names.indexOf(name) }));
  const isMatching = (session: number) => ranked.some((row) => row.session === session);
  const ancestorsOf = ancestry(sessions, (session) => !hidden.includes(names[session] ?? ""));
  const givesWay = ({ session }: { readonly session: number }, ancestor: number) =>
    isMatching(ancestor) && !own.includes(names[session] ?? "");
  return [...new ForkFilter(ancestorsOf).pass(ranked, givesWay)]
    .map(({ session }) => names[session])
    .join("");
}

describe("of a fork and its ancestor", () => {
  test("the ancestor is shown when both match, whichever is better", () => {
    expect(shown({ a: "", b: "a" }, "ab")).toBe("a");
    expect(shown({ a: "", b: "a" }, "ba")).toBe("a");
    expect(shown({ a: "", b: "a", c: "b" }, "cba")).toBe("a");
  });
  test("the fork is shown when no ancestor matches", () => {
    expect(shown({ a: "", b: "a" }, "b")).toBe("b");
    expect(shown({ b: "gone" }, "b")).toBe("b");
  });
  test("the better is shown when the fork's match is its own, and never both", () => {
    expect(shown({ a: "", b: "a" }, "ba", { own: "b" })).toBe("b");
    expect(shown({ a: "", b: "a" }, "ab", { own: "b" })).toBe("a");
    expect(shown({ a: "", b: "a", c: "a" }, "bca", { own: "b" })).toBe("b");
    expect(shown({ a: "", b: "a", c: "b" }, "cba", { own: "c" })).toBe("c");
    expect(shown({ a: "", b: "a", c: "a" }, "bca", { own: "bc" })).toBe("bc");
  });
  test("a match further up counts though the one between does not match", () => {
    expect(shown({ a: "", b: "a", c: "b" }, "ca")).toBe("a");
  });
  test("siblings are both shown when their ancestor does not match", () => {
    expect(shown({ a: "", b: "a", c: "a" }, "cb")).toBe("cb");
  });
  test("a session that forks itself is shown", () => {
    expect(shown({ a: "a" }, "a")).toBe("a");
  });
  test("of a cycle the best stays, and forks of the cycle fold into it", () => {
    expect(shown({ a: "b", b: "a" }, "ba")).toBe("b");
    expect(shown({ a: "b", b: "a" }, "ab")).toBe("a");
    expect(shown({ a: "c", b: "a", c: "b" }, "cab")).toBe("c");
    expect(shown({ a: "b", b: "a", d: "a" }, "dab")).toBe("a");
  });
  test("an ancestor that may not be seen breaks the line", () => {
    expect(shown({ a: "", b: "a", c: "b" }, "ca", { hidden: "b" })).toBe("ca");
  });
  test("a line of descent of any length or shape is walked a few times for each of its rows", () => {
    const count = 3000;
    const parentsOf = (parent: (i: number) => number) =>
      Array.from({ length: count }, (_, i) => ({
        ...heldSession(i, []),
        parentSessionPath: `/s/${parent(i)}.jsonl`,
      }));
    const newestFirst = Array.from({ length: count }, (_, i) => ({ session: count - 1 - i }));
    const passed = (parent: (i: number) => number) => {
      const ancestorsOf = ancestry(parentsOf(parent), () => true);
      return [...new ForkFilter(ancestorsOf).pass(newestFirst, () => true)].map(({ session }) => session);
    };
    expect(passed((i) => i - 1)).toEqual([0]);
    expect(passed((i) => (i + 1) % count)).toEqual([count - 1]);
    expect(passed((i) => (i < 1000 ? (i + 1) % 1000 : i - 1))).toEqual([999]);
  });
});

test("what a fork has copied is found by reading no text of its ancestor twice", () => {
  const own = Array.from({ length: 50 }, (_, i) => `same length ${i}`);
  const view = viewOf([own, [...own, "alone here now"]]);
  let reads = 0;
  const counted: SearchView = new Proxy(view, {
    get: (target, name) => {
      if (name === "foldedTextAt") reads++;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const copies = new Copies(counted);
  const answers = Array.from({ length: 51 }, (_, i) => copies.isIn(0, 50 + i));
  expect(answers.slice(0, 50).every((isCopy) => isCopy)).toBe(true);
  expect(answers[50]).toBe(false);
  // The text asked about each time, and each of the ancestor's once.
  expect(reads).toBeLessThanOrEqual(51 + 50);
});
