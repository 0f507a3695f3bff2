import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requireSearchQuery } from "../../src/search/plan.ts";
import { ParameterError } from "../../src/session/parameterError.ts";

const FILE = "/sessions/--p--/a.jsonl";
const plan = (params: unknown) => requireSearchQuery(params);
const refusal = (params: unknown) => {
  try {
    plan(params);
  } catch (error) {
    if (error instanceof ParameterError) return error.message;
    throw error;
  }
  throw new Error("expected a refusal");
};

describe("the mode", () => {
  test("follows from the arguments", () => {
    expect(plan({})).toMatchObject({ mode: "browse", limit: 3 });
    expect(plan({ query: "a b" })).toMatchObject({ mode: "discovery", query: "a b", limit: 3 });
    expect(plan({ sessionId: FILE })).toEqual({ mode: "read", sessionId: FILE });
    expect(plan({ sessionId: FILE, aroundMessageId: "x" })).toEqual({
      mode: "scroll",
      sessionId: FILE,
      aroundMessageId: "x",
      branchTip: undefined,
      window: 5,
    });
    expect(plan({ operation: "prepare-pattern-miner", scope: "all" })).toEqual({
      mode: "prepare-pattern-miner",
      scope: "all",
      projectPath: undefined,
      limit: 10,
    });
  });

  test("takes undefined as absent and a blank query too", () => {
    expect(plan({ query: undefined, limit: undefined }).mode).toBe("browse");
    expect(plan({ query: " \t\n" }).mode).toBe("browse");
    expect(plan({ query: "", sessionId: FILE }).mode).toBe("read");
  });

  test("an unknown parameter and arguments that are no object are refused", () => {
    expect(refusal({ qeury: "x" })).toMatch(
      /unknown parameter "qeury"; session_search accepts query, sessionId/,
    );
    for (const params of [null, "x", [], 3]) expect(refusal(params)).toMatch(/must be an object/);
  });
});

describe("a parameter of another mode is a conflict that names both", () => {
  const given: Readonly<Record<string, unknown>> = {
    query: "words",
    sessionId: FILE,
    aroundMessageId: "x",
    branchTip: "y",
    window: 5,
    limit: 3,
    cwds: ["/p"],
    cwdMatch: "exact",
    startTimestamp: "2026-01-01",
    endTimestamp: "2026-01-01",
    operation: "prepare-pattern-miner",
    scope: "repository",
    projectPath: "/p",
  };
  const filters = ["cwds", "cwdMatch", "startTimestamp", "endTimestamp"];
  const modes: readonly { asked: readonly string[]; allowed: readonly string[] }[] = [
    { asked: ["query"], allowed: ["limit", ...filters] },
    { asked: ["sessionId"], allowed: ["aroundMessageId"] },
    { asked: ["sessionId", "aroundMessageId"], allowed: ["branchTip", "window"] },
    { asked: ["operation", "scope"], allowed: ["limit", "projectPath"] },
    // These would ask for another mode.
    { asked: [], allowed: ["limit", ...filters, "query", "sessionId", "operation"] },
  ];
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, given[name]]));

  for (const { asked, allowed } of modes) {
    test(`with ${asked.join(" and ") || "nothing"}`, () => {
      if (asked.length > 0) expect(() => plan(pick([...asked, ...allowed]))).not.toThrow();
      for (const name of Object.keys(given).filter((other) => ![...asked, ...allowed].includes(other))) {
        const message = refusal(pick([...asked, name]));
        expect(message).toContain(name);
        expect([...asked, "mode browse"].some((other) => message.includes(other))).toBe(true);
      }
    });
  }

  test("as in these words", () => {
    expect(refusal({ query: "x", sessionId: FILE })).toBe(
      "query conflicts with sessionId: sessionId without aroundMessageId means mode read; query belongs to mode discovery",
    );
    expect(refusal({ sessionId: FILE, branchTip: "x" })).toBe(
      "branchTip conflicts with sessionId: sessionId without aroundMessageId means mode read; branchTip belongs to mode scroll, which needs sessionId and aroundMessageId",
    );
    expect(refusal({ window: 3 })).toBe(
      "window conflicts with mode browse: window belongs to mode scroll, which needs sessionId and aroundMessageId",
    );
    expect(refusal({ scope: "all" })).toMatch(/scope conflicts with mode browse.*needs operation/);
    expect(refusal({ operation: "prepare-pattern-miner", scope: "all", projectPath: "/p" })).toMatch(
      /projectPath conflicts with scope "all"/,
    );
  });
});

describe("values", () => {
  test("a query is trimmed, and only its first 512 characters count, never half a surrogate pair", () => {
    expect(plan({ query: "  a  b " })).toMatchObject({ query: "a  b" });
    expect(plan({ query: ` ${"x".repeat(600)}` })).toMatchObject({ query: "x".repeat(512) });
    expect(plan({ query: `${"x".repeat(511)}😀` })).toMatchObject({ query: "x".repeat(511) });
    expect(plan({ query: `${"x".repeat(510)}😀😀` })).toMatchObject({ query: `${"x".repeat(510)}😀` });
  });

  test("limit and window are clamped", () => {
    const clamped = fc.oneof(
      fc.integer(),
      fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    );
    fc.assert(
      fc.property(clamped, (value) => {
        const inRange = (max: number) => Math.max(1, Math.min(max, value));
        expect(plan({ query: "x", limit: value })).toMatchObject({ limit: inRange(10) });
        expect(plan({ limit: value })).toMatchObject({ limit: inRange(10) });
        expect(plan({ sessionId: FILE, aroundMessageId: "x", window: value })).toMatchObject({
          window: inRange(20),
        });
      }),
    );
  });

  test("a fraction, NaN or another type is a mistake", () => {
    for (const value of [1.5, Number.NaN, "5", null, [], {}, true]) {
      expect(refusal({ query: "x", limit: value })).toMatch(
        /^limit must be a whole number \(clamped to 1…10\), got /,
      );
      expect(refusal({ sessionId: FILE, aroundMessageId: "x", window: value })).toMatch(
        /^window must be a whole/,
      );
    }
    expect(refusal({ limit: Number.NaN })).toContain("NaN");
  });

  test("sessionId is the absolute path of a .jsonl file", () => {
    for (const value of [
      "a.jsonl",
      "./a.jsonl",
      "~/a.jsonl",
      "/a",
      "/a.jsonl/",
      "/a\0.jsonl",
      "",
      3,
      null,
      ["/a.jsonl"],
    ]) {
      expect(refusal({ sessionId: value })).toMatch(
        /^sessionId must be the absolute path of a \.jsonl session file/,
      );
    }
  });

  test("ids, operation, scope and projectPath are checked", () => {
    expect(refusal({ sessionId: FILE, aroundMessageId: "" })).toMatch(/^aroundMessageId must be the id/);
    expect(refusal({ sessionId: FILE, aroundMessageId: "x", branchTip: 3 })).toMatch(
      /^branchTip must be the id/,
    );
    expect(refusal({ operation: "mine", scope: "all" })).toMatch(
      /^operation must be "prepare-pattern-miner"/,
    );
    expect(refusal({ operation: "prepare-pattern-miner" })).toMatch(/^operation needs scope/);
    expect(refusal({ operation: "prepare-pattern-miner", scope: "x" })).toMatch(
      /^scope must be "repository" or "all"/,
    );
    const scoped = { operation: "prepare-pattern-miner", scope: "repository" };
    expect(refusal({ ...scoped, projectPath: "" })).toMatch(/^projectPath must be/);
    expect(plan({ ...scoped, projectPath: "../sibling", limit: 99 })).toMatchObject({
      projectPath: "../sibling",
      limit: 10,
    });
    expect(refusal({ query: 3 })).toMatch(/^query must be a string/);
  });

  test("filters speak the dialect of list_sessions", () => {
    expect(
      plan({ query: "x", cwds: ["/p/"], cwdMatch: "sibling-prefix", endTimestamp: "2026-01-01T00:00Z" }),
    ).toMatchObject({
      cwdFilter: { directories: ["/p"], match: "sibling-prefix" },
      timeRange: { startMs: Number.NEGATIVE_INFINITY, endMs: Date.UTC(2026, 0, 1) },
    });
    expect(plan({ cwds: [] })).toMatchObject({ cwdFilter: { directories: [] } });
    expect(refusal({ cwds: ["relative"] })).toMatch(/^cwds must be absolute/);
    expect(refusal({ startTimestamp: "2026-13-01" })).toMatch(/^startTimestamp/);
    expect(refusal({ startTimestamp: "2026-01-02", endTimestamp: "2026-01-01" })).toMatch(
      /^endTimestamp.*startTimestamp/,
    );
  });

  test("no message repeats more than 200 characters of a value, and nothing but a caller's mistake is thrown", () => {
    const names = [
      "query",
      "sessionId",
      "aroundMessageId",
      "branchTip",
      "window",
      "limit",
      "cwds",
      "cwdMatch",
    ];
    const others = ["startTimestamp", "endTimestamp", "operation", "scope", "projectPath", "x".repeat(999)];
    const value = fc.oneof(
      fc.anything(),
      fc.constantFrom(FILE, "v".repeat(5000), [`/${"v".repeat(5000)}`], 3),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, ...others), value, { maxKeys: 4 }), (params) => {
        try {
          plan(params);
        } catch (error) {
          if (!(error instanceof ParameterError)) throw error;
          expect(error.message.length).toBeLessThan(700);
          expect(error.message).not.toMatch(/v{201}|x{201}/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
