import { describe, expect, test } from "vitest";
import { browse } from "../../src/search/browse.ts";
import { heldSession, START_MS } from "./stores.ts";

const everywhere = {
  limit: 10,
  cwdFilter: { directories: undefined, match: "exact" },
  timeRange: { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY },
} as const;
const details = () => ({ messageCount: 2, preview: `\u001b[1mHello\n\nthere ${"😀".repeat(200)}` });
const anyone = { isAllowed: () => true };

describe("browse", () => {
  test("lists the sessions with the latest activity first, with a preview that is safe to show", () => {
    const rows = browse(
      [heldSession(0, ["a"]), heldSession(1, ["b"], { name: "n" })],
      everywhere,
      anyone,
      details,
    );
    expect(rows.map(({ path }) => path)).toEqual(["/s/1.jsonl", "/s/0.jsonl"]);
    expect(rows[0]).toMatchObject({ name: "n", messageCount: 2, cwd: "/work/project1" });
    expect(rows[0]?.preview).toMatch(/^\[1mHello there 😀+$/u);
    expect(rows[0]?.preview.length).toBeLessThanOrEqual(200);
  });

  test("counts subagent sessions of any depth under the session that led to them, those that may be seen", () => {
    const sessions = [
      heldSession(0, ["a"]),
      heldSession(1, ["b"], { isSubagent: true, launchedByPath: "/s/0.jsonl" }),
      heldSession(2, ["c"], { isSubagent: true, launchedByPath: "/s/1.jsonl" }),
      heldSession(3, ["d"], { isSubagent: true, launchedByPath: "/s/0.jsonl", cwd: "/denied" }),
      heldSession(4, ["e"], { isSubagent: true, launchedByPath: "/s/3.jsonl" }),
      heldSession(5, ["f"], { isSubagent: true }),
    ];
    const viewer = { isAllowed: (cwd: string | null) => cwd !== "/denied" };
    const rows = browse(sessions, everywhere, viewer, details);
    expect(rows.map(({ path, subagents }) => [path, subagents])).toEqual([["/s/0.jsonl", 2]]);
  });

  test("leaves out the current session and what the filters do not keep", () => {
    const sessions = [0, 1, 2, 3].map((i) => heldSession(i, ["a"], i === 3 ? { cwd: null } : {}));
    const pathsOf = (...call: Parameters<typeof browse>) => browse(...call).map(({ path }) => path);
    expect(
      pathsOf(sessions, everywhere, { ...anyone, currentSessionPath: "/s/3.jsonl" }, details),
    ).toHaveLength(3);
    const cwdFilter = { directories: ["/work/project1"], match: "exact" } as const;
    expect(pathsOf(sessions, { ...everywhere, cwdFilter }, anyone, details)).toEqual(["/s/1.jsonl"]);
    const timeRange = { startMs: START_MS, endMs: START_MS + 60_000 };
    expect(pathsOf(sessions, { ...everywhere, timeRange }, anyone, details)).toEqual(["/s/0.jsonl"]);
    expect(pathsOf(sessions, { ...everywhere, limit: 1 }, anyone, details)).toEqual(["/s/3.jsonl"]);
  });
});
