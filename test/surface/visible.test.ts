import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visible } from "../../src/surface/visible.ts";
import { ATTACKS, hostileText } from "../support/hostile-text.ts";

describe("text from a session", () => {
  test("stays as it is when every character shows", () => {
    const shown = 'Plain text, é, e\u0301, 日本語, 한국어, ال\u0639ربية, 😀, \\u001b, \\n, {"a": 1}, ❤\ufe0f';
    expect(visible(shown)).toBe(shown);
    expect(visible("")).toBe("");
  });

  test.each([
    ["a\nb\r\tc", "a\\nb\\r\\tc"],
    ["\u001b[31m", "\\u001b[31m"],
    ["\u009b1A", "\\u009b1A"],
    ["\u007f\u0000", "\\u007f\\u0000"],
    ["a\u202eb\u2069", "a\\u202eb\\u2069"],
    ["\u200b\ufeff\u00ad", "\\u200b\\ufeff\\u00ad"],
    ["\u2028\u2029\u0085", "\\u2028\\u2029\\u0085"],
    ["\u{e0041}", "\\u{e0041}"],
    ["\ud800x\udc00", "\\ud800x\\udc00"],
  ])("%j becomes %s", (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  test("is one line without any control, whatever it was, and twice is the same as once", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: "binary", maxLength: 50 })), (text) => {
        const shown = visible(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u);
        expect(visible(shown)).toBe(shown);
      }),
      { numRuns: 1000 },
    );
    for (const attack of ATTACKS) expect(visible(attack)).not.toBe(attack);
  });

  test("keeps its order: nothing but the unsafe characters is replaced", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "\u001b", "é", "\u202e", "😀", "\n"), { maxLength: 12 }),
        (chars) => {
          expect(visible(chars.join(""))).toBe(chars.map(visible).join(""));
        },
      ),
    );
  });
});

/** Runs of code points that `matches` accepts and that are shown as they are. */
function shownRaw(matches: RegExp): string[] {
  const found: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code);
    if (matches.test(char) && visible(char) === char) found.push(`U+${code.toString(16)}`);
  }
  return found;
}

describe("of all code points, every one is made visible", () => {
  test("that is a control, a separator of lines, a surrogate or of bidirectional control", () => {
    expect(shownRaw(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u)).toEqual([]);
  });

  test("that a display ignores and so could hide text, but for the one that makes an emoji of a sign", () => {
    expect(shownRaw(/(?!\ufe0f)\p{Default_Ignorable_Code_Point}/u).slice(0, 5)).toEqual([]);
  });
});
