import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, isWordAt, MAX_WORD_CHARS, tokensOf } from "../../src/index/fold.ts";
import { MAX_QUERY_CHARS } from "../../src/session/limits.ts";

/** Any code units, ill-formed ones included, with a lean towards what has a rule of its own. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        " ",
        "\n\t",
        "\0",
        "\ud83d",
        "\ude00",
        "é",
        "e\u0301",
        "ΣΑΣ",
        "İ",
        "“",
        "配置",
        "क़",
        "👩‍💻",
      ),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** The rule as it is written down, one character after another. */
function obviousFold(text: string): string {
  let folded = "";
  for (const char of text.replace(/\p{Surrogate}/gu, "\ufffd")) {
    const lower = char.toLowerCase().replaceAll("ς", "σ");
    const isEuropean = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(char);
    folded += isEuropean ? lower.normalize("NFD") : lower;
  }
  return folded
    .replace(/[\u0300-\u036f]|[\u0483-\u0487]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]/g, "")
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[\s\0]+/g, " ");
}

describe("fold", () => {
  test.each([
    ["ECONNREFUSED", "econnrefused"],
    ["Ångström naïve Łódź", "angstrom naive łodz"],
    ["e\u0301te\u0301", "ete"],
    ["ὈΔΥΣΣΕΎΣ Ὀδυσσεύς", "οδυσσευσ οδυσσευσ"],
    ["Ёлка Йод", "елка иод"],
    ["İstanbul", "istanbul"],
    ["don’t „quote“ “me”", 'don\'t "quote" "me"'],
    ["a\0\0b \r\n\t c\u00a0\u2028d", "a b c d"],
    ["\ud800x\udc00", "\ufffdx\ufffd"],
    ["क़ が 한국어 שָׁ", "क़ が 한국어 שָׁ"],
    ["≠ 😀 𐐀", "≠ 😀 𐐨"],
    [" a ", " a "],
    ["", ""],
  ])("%j folds to %j", (text, folded) => expect(fold(text)).toBe(folded));

  test("every code point folds by the rule as it is written down", () => {
    let all = "";
    for (let point = 0; point < 0x110000; point += point < 0x20000 ? 1 : 97) {
      all += `${String.fromCodePoint(point)}x${point % 5 === 0 ? " \n" : ""}`;
    }
    expect(fold(all) === obviousFold(all)).toBe(true);
  });

  test("any text folds by the rule, again to itself, and to no more than its length", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = fold(text);
        expect(folded).toBe(obviousFold(text));
        expect(fold(folded)).toBe(folded);
        expect(folded.length).toBeLessThanOrEqual(text.length);
        expect(folded).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  test("two texts fold together as they fold apart, but for white space and pairs that meet at the border", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        fc.pre(!/[\ud800-\udbff]$/.test(a) || !/^[\udc00-\udfff]/.test(b));
        expect(fold(a + b)).toBe((fold(a) + fold(b)).replace(/ {2,}/g, " "));
      }),
    );
  });

  test("a text longer than a chunk folds as its parts do, whatever lies on the border", () => {
    for (const border of ["😀", "é", " \n ", "\ud83d", "e\u0301"]) {
      for (let shift = -3; shift <= 1; shift++) {
        const text = "A".repeat((1 << 16) + shift) + border + "B".repeat(70_000);
        expect(fold(text) === obviousFold(text)).toBe(true);
      }
    }
  });
});

describe("tokensOf", () => {
  test("letters, digits and marks are words, all else is a border", () => {
    expect(tokensOf("foo.bar(1) session_search don't 配置文件x क़ा 😀 c#").trim()).toBe(
      "foo bar 1 session search don t 配置文件x क़ा c",
    );
  });

  test("the words are those that a look at each character finds", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = fold(text);
        expect(tokensOf(folded).split(" ").filter(Boolean)).toEqual(
          folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [],
        );
        let at = 0;
        for (const char of folded) {
          expect(isWordAt(folded, at)).toBe(/[\p{L}\p{N}\p{M}]/u.test(char));
          at += char.length;
        }
      }),
    );
  });

  test("every part of a long word that a query can name lies whole in one piece, and no piece exceeds FTS5's limit", () => {
    const digits = Array.from({ length: 9000 }, (_, i) => String(i).padStart(4, "0")).join("");
    for (const word of [digits, `x${"𐐨配".repeat(9000)}`]) {
      const pieces = tokensOf(`a ${word} b`).trim().split(" ");
      expect(pieces.at(0)).toBe("a");
      expect(pieces.at(-1)).toBe("b");
      for (const piece of pieces) {
        expect(/\p{Surrogate}/u.test(piece)).toBe(false);
        expect(Buffer.byteLength(piece)).toBeLessThan(32_768);
      }
      for (let at = 0; at + MAX_QUERY_CHARS <= word.length; at += 61) {
        const part = word.slice(at, at + MAX_QUERY_CHARS).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
        expect(pieces.some((piece) => piece.includes(part))).toBe(true);
      }
      expect(pieces.at(1)?.length).toBeGreaterThan(MAX_WORD_CHARS - 3);
    }
  });

  test("a word on the border of two chunks stays whole", () => {
    for (let shift = -8; shift <= 2; shift++) {
      const before = "ab ".repeat(1 << 15).slice(0, (1 << 16) + shift - 1);
      expect(tokensOf(`${before} border`).endsWith(" border")).toBe(true);
    }
  });
});
