import { describe, expect, it } from "vitest";
import { recentDistinctSessions } from "../../src/mining/candidates.ts";
import type { SessionFacts } from "../../src/search/view.ts";

/** Sessions from the oldest to the newest, by the name of their file. */
function sessionsOf(specs: Readonly<Record<string, Partial<SessionFacts>>>): readonly SessionFacts[] {
  return Object.entries(specs).map(([name, more], i) => ({
    path: `/s/${name}.jsonl`,
    cwd: "/p",
    startedAt: null,
    lastActivityAt: null,
    lastActivityMs: i,
    isSubagent: false,
    ...more,
  }));
}

function chosen(
  specs: Readonly<Record<string, Partial<SessionFacts>>>,
  { limit = 10, denied = "", currentSessionPath = "", outside = "" } = {},
): readonly string[] {
  const found = recentDistinctSessions(sessionsOf(specs), {
    limit,
    isInScope: ({ cwd }) => cwd !== outside,
    viewer: { isAllowed: (cwd) => cwd !== denied, currentSessionPath },
  });
  return found.map(({ path }) => path.slice("/s/".length, -".jsonl".length));
}
const forkOf = (name: string) => ({ parentSessionPath: `/s/${name}.jsonl` });
const piName = (day: number) => `2026-01-0${day}T00-00-00-000Z_id${day}`;

describe("the sessions that are mined", () => {
  it("are the most recent ones, newest first, and at most the limit", () => {
    expect(chosen({ a: {}, b: {}, c: {} }, { limit: 2 })).toEqual(["c", "b"]);
  });

  it("are without the running session", () => {
    expect(chosen({ a: {}, b: {} }, { currentSessionPath: "/s/x/../b.jsonl" })).toEqual(["a"]);
  });

  it("are in scope before they are counted", () => {
    expect(chosen({ a: {}, b: { cwd: "/out" }, c: { cwd: "/out" } }, { limit: 1, outside: "/out" })).toEqual([
      "a",
    ]);
  });

  it("are one of a family of forks, the newest", () => {
    expect(chosen({ a: {}, b: forkOf("a"), c: {}, d: forkOf("b") })).toEqual(["d", "c"]);
    expect(chosen({ b: forkOf("a"), a: {} })).toEqual(["a"]);
  });

  it("are one of two forks whose origin is gone", () => {
    expect(chosen({ b: forkOf("gone"), c: forkOf("gone"), d: forkOf("other") })).toEqual(["d", "c"]);
  });

  it("take the newest of a family that is in scope, even when relatives in between are not", () => {
    const family = {
      a: {},
      b: { ...forkOf("a"), cwd: "/out" },
      c: forkOf("b"),
      d: { ...forkOf("c"), cwd: "/out" },
    };
    expect(chosen(family, { outside: "/out" })).toEqual(["c"]);
  });

  it("know a family after the store was moved, by the names that Pi gives", () => {
    const moved = { parentSessionPath: `/elsewhere/${piName(1)}.jsonl` };
    expect(chosen({ [piName(1)]: {}, [piName(2)]: moved })).toEqual([piName(2)]);
    expect(chosen({ plain: {}, [piName(3)]: { parentSessionPath: "/elsewhere/plain.jsonl" } })).toHaveLength(
      2,
    );
  });

  it("survive circles and self-references in lineage", () => {
    expect(chosen({ a: forkOf("b"), b: forkOf("a"), c: forkOf("c") })).toEqual(["c", "b"]);
  });

  it("are without subagent sessions", () => {
    expect(
      chosen({ a: {}, b: { isSubagent: true }, c: { isSubagent: true, launchedByPath: "/s/a.jsonl" } }),
    ).toEqual(["a"]);
  });

  it("are never influenced by a session that may not be seen", () => {
    const specs = { a: {}, b: forkOf("a"), hidden: { ...forkOf("b"), cwd: "/no" }, c: forkOf("hidden") };
    expect(chosen(specs, { denied: "/no" })).toEqual(["c", "b"]);
  });
});
