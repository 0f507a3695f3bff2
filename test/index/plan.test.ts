/** The plan as a value: what is on disk against what is known. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FactList, type FileFacts } from "../../src/index/facts.ts";
import { joinNames, type KnownDirectory, type KnownFile, kindOf, planSync } from "../../src/index/plan.ts";
import { FILE_STATES } from "../../src/index/schema.ts";
import type { Survey, SurveyedDirectory } from "../../src/index/survey.ts";
import { skimToolResult } from "../../src/index/toolResult.ts";
import { messageLine } from "./support.ts";

const facts = (more: Partial<FileFacts> = {}): FileFacts => ({
  sizeBytes: 100,
  mtimeMs: 5,
  ctimeMs: 6,
  inode: 7,
  ...more,
});
const known = (more: Partial<KnownFile> = {}): KnownFile => ({
  id: 1,
  name: "a.jsonl",
  state: FILE_STATES.indexed,
  facts: facts(),
  reachedBytes: 100,
  isOpenEnded: false,
  hasFailed: false,
  ...more,
});

describe("what a file needs", () => {
  test.each<[string, Partial<FileFacts>, Partial<KnownFile> | undefined, ReturnType<typeof kindOf>]>([
    ["a file never seen is new", {}, undefined, "new"],
    ["one that was never read is new", {}, { state: FILE_STATES.unread }, "new"],
    ["equal facts are no change", {}, {}, "unchanged"],
    ["a refused file is not read again", {}, { state: FILE_STATES.refused, reachedBytes: 0 }, "unchanged"],
    ["a larger file with the same inode may have grown", { sizeBytes: 101 }, {}, "grow"],
    ["a larger file with another inode is another", { sizeBytes: 101, inode: 8 }, {}, "rewrite"],
    ["a smaller one was rewritten", { sizeBytes: 99 }, {}, "rewrite"],
    ["another mtime with the same size is a rewrite", { mtimeMs: 4 }, {}, "rewrite"],
    ["another ctime alone is a rewrite", { ctimeMs: 7 }, {}, "rewrite"],
    ["a half read file is read on", {}, { state: FILE_STATES.partial, reachedBytes: 50 }, "grow"],
    [
      "one whose rows were being taken away starts anew",
      {},
      { state: FILE_STATES.partial, reachedBytes: 0 },
      "rewrite",
    ],
    [
      "a half read file that changed and did not grow starts anew",
      { ctimeMs: 9 },
      { state: FILE_STATES.partial },
      "rewrite",
    ],
    ["what may continue its last line starts anew", { sizeBytes: 101 }, { isOpenEnded: true }, "rewrite"],
  ])("%s", (_, onDisk, before, kind) => {
    expect(kindOf(facts(onDisk), before === undefined ? undefined : known(before))).toBe(kind);
  });
});

const directory = (path: string, files: Readonly<Record<string, FileFacts>>): SurveyedDirectory => ({
  root: "/s",
  path,
  isContainer: false,
  names: Object.keys(files),
  facts: FactList.from(Object.values(files)),
});
const survey = (isComplete: boolean, ...directories: readonly SurveyedDirectory[]): Survey => ({
  directories,
  isComplete,
  excludedProjects: [],
});
const knownDirectory = (id: number, { path, names, facts }: SurveyedDirectory): KnownDirectory => ({
  id,
  root: "/s",
  path,
  names: joinNames(names),
  facts: facts.bytes,
});
const never = (): never => {
  throw new Error("asked for files of an unchanged directory");
};

test("of an unchanged directory no file is looked at", () => {
  const a = directory("/s/a/", { "x.jsonl": facts(), "y.jsonl": facts() });
  expect(planSync(survey(true, a), [knownDirectory(1, a)], never)).toEqual({
    tasks: [],
    goneFileIds: [],
    goneDirectoryIds: [],
    changed: [],
  });
});

test("of a directory never seen every file is new, and nothing is asked of what is known", () => {
  const a = directory("/s/a/", { "x.jsonl": facts(), "y.jsonl": facts() });
  const plan = planSync(survey(true, a), [], never);
  expect(plan.tasks.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    "new x.jsonl",
    "new y.jsonl",
  ]);
  expect(plan.changed).toEqual([{ directory: a, id: undefined, hasGoneFiles: false }]);
});

test("a directory of the same path under another root is another directory", () => {
  const a = { ...directory("/s/a/", { "x.jsonl": facts() }), root: "/s/a/" };
  const before = knownDirectory(1, directory("/s/a/", { "x.jsonl": facts() }));
  const plan = planSync(survey(true, a), [before], () => [known({ id: 3, name: "x.jsonl" })]);
  expect(plan.tasks).toMatchObject([{ kind: "new", name: "x.jsonl" }]);
  expect(plan).toMatchObject({ goneFileIds: [3], goneDirectoryIds: [1] });
});

test.each<[string, Partial<KnownDirectory>]>([
  ["its names differ", { names: joinNames(["x.jsonl", "z.jsonl"]) }],
  ["facts of a file differ", { facts: FactList.from([facts({ mtimeMs: 1 }), facts()]).bytes }],
  ["its names were not up to date", { names: null }],
  ["its facts were not up to date", { facts: null }],
])("a directory is to be stored anew when %s; its files that are up to date are no task", (_, stored) => {
  const a = directory("/s/a/", { "x.jsonl": facts(), "y.jsonl": facts() });
  const files = [known({ name: "x.jsonl" }), known({ name: "y.jsonl" })];
  const plan = planSync(survey(true, a), [{ ...knownDirectory(1, a), ...stored }], () => files);
  expect(plan.tasks).toEqual([]);
  expect(plan.changed).toEqual([{ directory: a, id: 1, hasGoneFiles: false }]);
});

test("lists of names are joined alike only when they are alike", () => {
  const names = fc.array(fc.constantFrom("a", "aa", "a.jsonl"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(names, names, (one, other) => {
      expect(joinNames(one) === joinNames(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: 1000 },
  );
});

test("what failed before comes last, then the newest first, then the last name first, for names begin with a time", () => {
  const seen = fc.constantFrom("never", "read", "failed");
  const file = fc.record({ mtimeMs: fc.constantFrom(1, 2), seen });
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-e]{1,2}$/), file), (files) => {
      const onDisk = Object.entries(files).map(([name, { mtimeMs }]) => [name, facts({ mtimeMs })] as const);
      const a = directory("/s/a/", Object.fromEntries(onDisk));
      const before = Object.entries(files)
        .filter(([, { seen }]) => seen !== "never")
        .map(([name, { seen }]) => known({ name, state: FILE_STATES.unread, hasFailed: seen === "failed" }));
      const { tasks } = planSync(survey(true, a), [{ ...knownDirectory(1, a), facts: null }], () => before);
      const rank = (name: string) =>
        `${files[name]?.seen === "failed" ? 0 : 1}${files[name]?.mtimeMs} ${name}`;
      const expected = Object.keys(files).map(rank).sort().reverse();
      expect(tasks.map(({ name }) => rank(name))).toEqual(expected);
    }),
  );
});

test.each([true, false])("what is missing is gone only after a complete survey (%s)", (isComplete) => {
  const a = directory("/s/a/", { "x.jsonl": facts() });
  const b = directory("/s/b/", { "z.jsonl": facts() });
  const before = [{ ...knownDirectory(1, a), names: "x.jsonl/y.jsonl" }, knownDirectory(2, b)];
  const files = (id: number) =>
    id === 1
      ? [known({ id: 1, name: "x.jsonl" }), known({ id: 2, name: "y.jsonl" })]
      : [known({ id: 3, name: "z.jsonl" })];
  const plan = planSync(survey(isComplete, a), before, files);
  expect(plan.goneFileIds).toEqual(isComplete ? [2, 3] : []);
  expect(plan.goneDirectoryIds).toEqual(isComplete ? [2] : []);
  expect(plan.changed).toMatchObject([{ id: 1, hasGoneFiles: true }]);
});

describe("a tool result is left unparsed", () => {
  const skim = (text: string) => {
    const buffer = Buffer.from(`before\n${text}\n${messageLine("n", "user", "next line")}`);
    const start = 7;
    const end = start + Buffer.byteLength(text);
    const place = { number: 2, offset: start, nextOffset: end + 1, isTerminated: true, isTooLong: false };
    return skimToolResult({ ...place, buffer, start, end });
  };
  const end = ',"isError":false,"durationMs":12,"timestamp":1767323046000}}';
  const line = messageLine("a", "toolResult", 'says {"type":"message"} in quotes').slice(0, -2) + end;
  test("when it begins and ends as Pi writes one and holds no other message", () => {
    expect(skim(line)).toEqual({
      timestamp: "2026-01-02T03:04:06.000Z",
      timestampMs: Date.UTC(2026, 0, 2, 3, 4, 6),
    });
  });
  test.each([
    ["another role", messageLine("a", "user", "x")],
    ["an entry glued to it", line + messageLine("b", "user", "x")],
    ["a torn end", line.slice(0, -5)],
    ["another end", `${line.slice(0, -1)},"label":"x"}`],
    [
      "a second message in place of the first",
      `${line.slice(0, -1)},"message":{"role":"user","content":"x"}}`,
    ],
    ["a second role in place of the first", `${line.slice(0, -2)},"role":"user"}}`],
    ["a time that does not parse", messageLine("a", "toolResult", "x", { timestamp: "soon" })],
    ["fields in another order", `{"id":"a",${line.slice(1)}`],
    ["no id", line.replace('"a"', "7")],
  ])("but not with %s", (_, text) => {
    expect(skim(text)).toBeUndefined();
  });
});
