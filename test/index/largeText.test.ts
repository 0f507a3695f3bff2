/** A long text in pieces gives what the whole would give. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, tokensOf } from "../../src/index/fold.ts";
import { foldLarge, piecesOf, tokensOfLarge } from "../../src/index/largeText.ts";
import { WordSet } from "../../src/index/words.ts";

const text = fc
  .array(
    fc.constantFrom(
      "a",
      "Z",
      "9",
      " ",
      "  ",
      "\n",
      "\u0301",
      "\0",
      "é",
      "ß",
      "配",
      "置",
      "。",
      "🚀",
      "\ud83d",
      "𝒜",
      "’",
      "_",
      "Σ",
      "\u00a0",
      "€",
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(""));
const wordsOf = (tokens: string) => tokens.split(" ").filter((word) => word !== "");

test("pieces folded one by one are the folded text, and hold its words", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (whole, pieceChars) => {
      const pieces = [...piecesOf(whole, pieceChars)];
      expect(pieces.join("")).toBe(whole);
      expect(pieces.map(fold).join("")).toBe(fold(whole));
      const words = pieces.flatMap((piece) => wordsOf(tokensOf(fold(piece))));
      expect(words).toEqual(wordsOf(tokensOf(fold(whole))));
    }),
    { numRuns: 2000 },
  );
});

test("the bytes of a large text are those of its folded form, and its words those of the whole", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (part, pieceBytes) => {
      const whole = part.repeat(3);
      const folded = foldLarge(whole);
      expect(folded.toString()).toBe(fold(whole));
      const words = [...tokensOfLarge(folded, pieceBytes)].flatMap(wordsOf);
      expect(words).toEqual(wordsOf(tokensOf(fold(whole))));
    }),
  );
  const long = "Größe der Datei: 配置。 🚀 ECONNREFUSED ".repeat(20_000);
  expect(foldLarge(long).toString()).toBe(fold(long));
});

test("of an ASCII text a word set finds the words itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (ascii) => {
      const folded = fold(ascii);
      const fresh: string[] = [];
      const expected = wordsOf(tokensOf(folded));
      expect(new WordSet().add(folded, (word) => fresh.push(word))).toBe(expected.length);
      expect(fresh).toEqual([...new Set(expected)]);
    }),
  );
});

test("a word set tells each word once and counts all", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: "grapheme", maxLength: 3 }))), (texts) => {
      const set = new WordSet();
      const expected = new Set<string>();
      for (const words of texts) {
        const tokens = tokensOf(fold(words.join(" ")));
        const fresh: string[] = [];
        expect(set.add(tokens, (word) => fresh.push(word))).toBe(wordsOf(tokens).length);
        expect(fresh).toEqual([...new Set(wordsOf(tokens))].filter((word) => !expected.has(word)));
        for (const word of fresh) expected.add(word);
      }
    }),
  );
  const set = new WordSet();
  const many = Array.from({ length: 20_000 }, (_, i) => `w${i}`);
  const fresh: string[] = [];
  for (let round = 0; round < 2; round++) set.add(many.join(" "), (word) => fresh.push(word));
  expect(fresh).toEqual(many);
});
