import { describe, expect, test } from "vitest";
import { requireEntriesQuery } from "../../src/entries/plan.ts";
import { requireListQuery } from "../../src/list/plan.ts";

/** Each pair: parameters, and how the message begins. */
const LIST_MISTAKES: readonly (readonly [unknown, string])[] = [
  [null, "list_sessions must be an object"],
  [[], "list_sessions must be an object"],
  ["", "list_sessions must be an object"],
  [{ sessionsRoot: "/" }, 'unknown parameter "sessionsRoot"'],
  [{ Limit: 1 }, 'unknown parameter "Limit"'],
  [{ limit: 0 }, "limit must be an integer of at least 1, got 0"],
  [{ limit: -1 }, "limit must be"],
  [{ limit: 1.5 }, "limit must be"],
  [{ limit: "1" }, "limit must be"],
  [{ limit: Number.NaN }, "limit must be"],
  [{ limit: Number.POSITIVE_INFINITY }, "limit must be"],
  [{ limit: 2 ** 53 }, "limit must be"],
  [{ limit: null }, "limit must be"],
  [{ sortBy: "date" }, 'sortBy must be "timestamp" or "cwd" or "path" or "id", got "date"'],
  [{ sortBy: "constructor" }, "sortBy must be"],
  [{ sortDirection: "ASC" }, "sortDirection must be"],
  [{ includeOrphans: 1 }, "includeOrphans must be true or false"],
  [{ includeCurrentSession: "yes" }, "includeCurrentSession must be true or false"],
  [{ cursor: 7 }, "cursor must be a string"],
  [{ cursor: "" }, "cursor is damaged"],
  [{ cwds: "/srv" }, "cwds must be"],
  [{ startTimestamp: "2026-05-02", endTimestamp: "2026-05-01" }, "endTimestamp"],
];

const ok = { sessionPath: "/s/a.jsonl" };
const ENTRIES_MISTAKES: readonly (readonly [unknown, string])[] = [
  [undefined, "session_entries must be an object"],
  [{}, "sessionPath must be the absolute path"],
  [{ sessionPath: "a.jsonl" }, "sessionPath must be the absolute path"],
  [{ sessionPath: "~/a.jsonl" }, "sessionPath must be the absolute path"],
  [{ sessionPath: "" }, "sessionPath must be the absolute path"],
  [{ sessionPath: "/a\0.jsonl" }, "sessionPath must be the absolute path"],
  [{ sessionPath: "file:///a.jsonl" }, "sessionPath must be the absolute path"],
  [{ ...ok, offset: 1 }, 'unknown parameter "offset"'],
  [{ ...ok, startLineNo: 0 }, "startLineNo must be"],
  [{ ...ok, endLineNo: 1.5 }, "endLineNo must be"],
  [{ ...ok, startLineNo: 3, endLineNo: 2 }, "endLineNo 2 lies before startLineNo 3"],
  [{ ...ok, ids: "a" }, "ids must be an array of strings"],
  [{ ...ok, parentIds: [null] }, "parentIds must hold strings only, got null"],
  [{ ...ok, types: {} }, "types must be an array of strings"],
  [{ ...ok, messageRoles: ["user", 7] }, "messageRoles must hold strings only, got 7"],
  [{ ...ok, search: "term" }, "search must be an object"],
  [{ ...ok, search: ["term"] }, "search must be an object"],
  [{ ...ok, search: null }, "search must be an object"],
  [{ ...ok, search: {} }, "search.terms must be"],
  [{ ...ok, search: { terms: [] } }, "search.terms must be"],
  [{ ...ok, search: { terms: "a" } }, "search.terms must be"],
  [{ ...ok, search: { terms: [""] } }, "search.terms must hold non-empty strings"],
  [{ ...ok, search: { terms: ["a", 7] } }, "search.terms must hold non-empty strings"],
  [{ ...ok, search: { terms: ["a"], regex: true } }, 'unknown parameter "regex"'],
  [{ ...ok, search: { terms: ["a"], caseSensitive: "no" } }, "search.caseSensitive must be true or false"],
  [{ ...ok, startTimestamp: "soon" }, "startTimestamp"],
  [{ ...ok, limit: 0 }, "limit must be"],
  [{ ...ok, maxBytes: 0 }, "maxBytes must be"],
  [{ ...ok, branch: "" }, "branch must be"],
  [{ ...ok, branch: 7 }, "branch must be"],
  [{ ...ok, raw: "some" }, 'raw must be "full" or "none", got "some"'],
  [{ ...ok, raw: false }, "raw must be"],
];

describe.each([
  ["list_sessions", requireListQuery, LIST_MISTAKES],
  ["session_entries", requireEntriesQuery, ENTRIES_MISTAKES],
] as const)("%s", (_name, plan, mistakes) => {
  test.each(mistakes)("refuses %j: %s", (params, message) => {
    const start = expect.stringMatching(new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`));
    expect(() => plan(params)).toThrow(expect.objectContaining({ name: "ParameterError", message: start }));
  });
});

test("undefined means absent, for every parameter", () => {
  const names =
    "cwds cwdMatch startTimestamp endTimestamp includeCurrentSession sortBy sortDirection limit cursor includeOrphans";
  const absent = Object.fromEntries(names.split(" ").map((name) => [name, undefined]));
  expect(requireListQuery(absent)).toEqual(requireListQuery({}));
  const more =
    "startLineNo endLineNo ids parentIds types messageRoles search startTimestamp endTimestamp limit branch raw maxBytes";
  const absentToo = Object.fromEntries(more.split(" ").map((name) => [name, undefined]));
  expect(requireEntriesQuery({ ...absentToo, ...ok })).toEqual(requireEntriesQuery(ok));
});

test("a line range of one line is no reversed range", () => {
  expect(requireEntriesQuery({ ...ok, startLineNo: 2, endLineNo: 2 })).toMatchObject({
    startLineNo: 2,
    endLineNo: 2,
  });
});
