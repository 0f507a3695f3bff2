import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, fit, pad, table, wrap } from "../../../src/surface/cli/terminal.ts";
import { localMinute } from "../../../src/surface/labels.ts";
import { visible } from "../../../src/surface/visible.ts";
import { hostileText } from "../../support/hostile-text.ts";

const plainTerminal = (columns: number | undefined) => ({ write: () => undefined, columns, hasColor: false });

test.each([
  ["", 0],
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["日本", 4],
  ["한", 2],
  ["ｆ", 2],
  ["😀", 2],
  ["👩‍👩‍👧", 2],
  ["𠀀", 2],
  ["\u001b[31mred\u001b[39m", 3],
])("%j takes %d columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

describe("fitting", () => {
  test("never takes more columns than allowed, keeps a start, and marks a cut", () => {
    fc.assert(
      fc.property(hostileText.map(visible), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const fitted = fit(text, columns);
        expect(columnsOf(fitted)).toBeLessThanOrEqual(columns);
        if (columnsOf(text) <= columns) expect(fitted).toBe(text);
        else expect(fitted.endsWith("…") && text.startsWith(fitted.slice(0, -1))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("cuts between characters", () => {
    expect(fit("日本語", 5)).toBe("日本…");
    expect(fit("日本語", 4)).toBe("日…");
    expect(fit("ab👩‍👩‍👧cd", 4)).toBe("ab…");
    expect(pad("日", 4)).toBe("日  ");
    expect(pad("long", 2)).toBe("long");
  });
});

describe("a table", () => {
  const cell = fc
    .oneof(hostileText, fc.string({ maxLength: 200 }), fc.constantFrom("日本".repeat(60), ""))
    .map(visible)
    .filter((text) => columnsOf(` ${text}`) === 1 + columnsOf(text)); // a mark alone would join the space before it
  const rows = fc.array(fc.tuple(fc.constant("2026-05-01 10:00"), cell, fc.constantFrom("", "12"), cell), {
    maxLength: 6,
  });
  const heading = ["WHEN", "PROJECT", "SUB", "NAME"];

  test("keeps every line within the terminal from 60 columns up, and its columns aligned", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 60, max: 200 }), (content, columns) => {
        const lines = table(plainTerminal(columns), heading, content);
        expect(lines).toHaveLength(content.length + 1);
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
        const nameAt = columnsOf((lines[0] ?? "").slice(0, (lines[0] ?? "").indexOf("NAME")));
        content.forEach((row, i) => {
          const name = row[3] ?? "";
          const end = (lines[i + 1] ?? "").length - fit(name, columns - nameAt).length;
          expect(columnsOf((lines[i + 1] ?? "").slice(0, end))).toBe(nameAt);
        });
      }),
      { numRuns: 300 },
    );
  });

  test("cuts nothing when the output is no terminal", () => {
    fc.assert(
      fc.property(rows, (content) => {
        const lines = table(plainTerminal(undefined), heading, content);
        content.forEach((row, i) => {
          for (const text of row) expect(lines[i + 1]).toContain(text);
        });
      }),
      { numRuns: 100 },
    );
  });

  test("may have more rows than a call takes arguments", () => {
    const many = Array.from({ length: 200_000 }, () => ["a", "b"]);
    expect(table(plainTerminal(80), ["A", "B"], many)).toHaveLength(200_001);
  });
});

describe("wrapping", () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom("", "word", "日本語", "a-longer-word"), fc.string({ maxLength: 12 })), {
      maxLength: 30,
    })
    .map((words) => visible(words.join(" ")));

  test("loses nothing but spaces, and passes the terminal only with a word that is itself too long", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 80 }), fc.nat(4), (given, columns, indent) => {
        const pieces = wrap(given, columns, indent);
        expect(pieces.join("").replaceAll(" ", "")).toBe(given.replaceAll(" ", ""));
        const room = Math.max(16, columns - indent);
        for (const piece of pieces) {
          const isOneWord = !piece.trim().includes(" ");
          expect(isOneWord || columnsOf(piece.trimEnd()) <= room).toBe(true);
        }
        expect(wrap(given, undefined, indent)).toEqual([given]);
      }),
      { numRuns: 300 },
    );
  });
});

test("a time is shown in the host's timezone, to the minute", () => {
  const before = process.env["TZ"];
  process.env["TZ"] = "Europe/Berlin";
  expect(localMinute(Date.parse("2026-11-30T18:41:59Z"))).toBe("2026-11-30 19:41");
  expect(localMinute(Date.parse("2026-03-29T01:00:00Z"))).toBe("2026-03-29 03:00");
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
});
