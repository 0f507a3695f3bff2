import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReadOutput } from "../../src/model.ts";
import { largestFitting, MAX_RESULT_CHARS } from "../../src/session/bound.ts";
import { shortenMiddle } from "../../src/session/cut.ts";
import { ParameterError } from "../../src/session/parameterError.ts";
import {
  boundError,
  boundOutput,
  boundResult,
  MAX_ERROR_CHARS,
  type Shorten,
} from "../../src/surface/bound.ts";

function readOutput(contents: readonly string[], shorten: Shorten): ReadOutput {
  const messages = contents.map((content, i) => ({
    id: `m${i}`,
    lineNo: i + 2,
    role: "user" as const,
    timestamp: "2026-01-01T00:00:00.000Z",
    content: shorten(content),
  }));
  return { mode: "read", path: "/s.jsonl", totalMessages: contents.length, messages, branchTip: "m" };
}
const bounded = (contents: readonly string[], maxChars?: number) =>
  boundResult((shorten) => readOutput(contents, shorten), maxChars);
const lengthOf = (value: object) => JSON.stringify(value).length;

describe("a result", () => {
  test("that fits comes back as it is", () => {
    const output = bounded(["short", "x".repeat(49_000)]);
    expect(output).not.toHaveProperty("contentTruncated");
    expect(output.messages[1]?.content).toHaveLength(49_000);
  });

  test("beyond 50,000 characters keeps short texts whole and both ends of long ones", () => {
    const output = bounded(["short", `A${"x".repeat(80_000)}Z`, `B${"y".repeat(60_000)}Y`]);
    expect(output.contentTruncated).toBe(true);
    expect(lengthOf(output)).toBeLessThanOrEqual(MAX_RESULT_CHARS);
    expect(lengthOf(output)).toBeGreaterThan(MAX_RESULT_CHARS - 10);
    expect(output.messages[0]?.content).toBe("short");
    expect(output.messages[1]?.content).toMatch(/^Ax+ \[…\] x+Z$/);
    expect(output.messages[1]?.content.length).toBe(output.messages[2]?.content.length);
  });

  test("counts what JSON makes of a text: quotes, line breaks and backslashes cost two", () => {
    const output = bounded(['"\n\\'.repeat(20_000)]);
    expect(lengthOf(output)).toBeLessThanOrEqual(MAX_RESULT_CHARS);
    expect(lengthOf(output)).toBeGreaterThan(MAX_RESULT_CHARS - 10);
  });

  test("loses no metadata: beyond the bound it is an error", () => {
    const crowd = Array.from({ length: 1000 }, () => "text");
    expect(() => bounded(crowd)).toThrow(/does not fit into 50000 characters even without any text/);
    expect(bounded(crowd.slice(0, 300)).messages).toHaveLength(300);
  });

  test("is cut by the largest equal cap that fits, for any texts and bound, and stays well-formed", () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', "\n", "😀", "配"), maxLength: 120 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.integer({ min: 0, max: 600 }), (contents, room) => {
        const empty = lengthOf({ ...readOutput(contents, () => ""), contentTruncated: true });
        const maxChars = empty + room;
        const whole = readOutput(contents, (content) => content);
        const output = bounded(contents, maxChars);
        expect(lengthOf(output)).toBeLessThanOrEqual(maxChars);
        if (lengthOf(whole) <= maxChars) {
          expect(output).toEqual(whole);
          return;
        }
        const capped = (cap: number) => ({
          ...readOutput(contents, (content) => shortenMiddle(content, cap)),
          contentTruncated: true,
        });
        const caps = Array.from({ length: 250 }, (_, cap) => cap).filter(
          (cap) => lengthOf(capped(cap)) <= maxChars,
        );
        expect(output).toEqual(capped(Math.max(...caps)));
        expect(JSON.stringify(output)).not.toMatch(/\\ud/);
      }),
      { numRuns: 500 },
    );
  });
});

test("an answer of each mode is bounded by its texts alone", () => {
  const long = "x".repeat(60_000);
  const cwd = "/p";
  const hit = { path: "/s", cwd, startedAt: null, rank: 0, matchMessageId: "m", lineNo: 2, timestamp: "t" };
  const discovery = boundOutput({
    mode: "discovery",
    query: "q",
    results: [{ ...hit, role: "user", snippet: long, match: "all" }],
  });
  const session = { path: "/s", cwd, startedAt: null, lastActivityAt: null, messageCount: 1, preview: long };
  const browse = boundOutput({ mode: "browse", sessions: [session] });
  const read = boundOutput(readOutput([long], (content) => content));
  for (const output of [discovery, browse, read]) {
    expect(output.contentTruncated).toBe(true);
    expect(MAX_RESULT_CHARS - lengthOf(output)).toBeLessThan(3);
    expect(lengthOf(output)).toBeLessThanOrEqual(MAX_RESULT_CHARS);
  }
});

test("the largest number that fits is found, or none", () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), (max, edge) => {
      expect(largestFitting(max, (n) => n <= edge)).toBe(Math.min(max, edge));
    }),
  );
  expect(largestFitting(9, () => false)).toBeUndefined();
});

describe("an error", () => {
  test("that is short enough is the same error", () => {
    const error = new Error("short");
    expect(boundError(error, { query: "x" })).toBe(error);
  });

  test("repeats at most 200 characters of a caller's value, quoted or not", () => {
    const long = `"${"v".repeat(5000)}"`;
    const error = boundError(new ParameterError(`a ${long} b ${JSON.stringify(long)} c`), { cwds: [long] });
    expect(error).toBeInstanceOf(ParameterError);
    expect(error.message).toMatch(/^a "v+ \[…\] v+" b "\\"v+ \[…\] v+\\"" c$/);
    expect(error.message.length).toBeLessThan(2 * 210);
  });

  test("is bounded whatever it says, and what is no Error becomes one", () => {
    const error = boundError(new Error("x".repeat(100_000)));
    expect(error.message).toHaveLength(MAX_ERROR_CHARS);
    expect(boundError("thrown text")).toEqual(new Error("thrown text"));
  });
});
