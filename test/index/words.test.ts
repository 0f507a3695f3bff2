/** The words of texts: from bytes, in pieces and whole. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, stringOf, TextMemory, tokensOf } from "../../src/index/fold.ts";
import { tokenPieces } from "../../src/index/largeTokens.ts";
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

test("texts folded into one memory are the folded texts, wherever their chunks end and whatever stands beside them", () => {
  const filler = fc.constantFrom(
    "",
    "x",
    "y".repeat(65_533),
    "z".repeat(65_535),
    "Ⱥ".repeat(65_536),
    "配".repeat(200_000),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(filler, text), { maxLength: 6 }), (parts) => {
      const texts = parts.map(([before, part]) => before + part);
      const memory = new TextMemory();
      for (let round = 0; round < 2; round++) {
        memory.clear();
        const folded = texts.map((each) => memory.fold(each));
        for (const [i, each] of folded.entries()) {
          const expected = fold(texts[i] ?? "");
          expect(stringOf(each) === expected).toBe(true);
          expect(each.isAscii).toBe(/^[\0-\x7f]*$/.test(expected));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("the words of a large text are those of the whole, wherever its pieces end", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (part, pieceBytes) => {
      const whole = part.repeat(3);
      const words = [...tokenPieces(Buffer.from(fold(whole)), pieceBytes)].flatMap(wordsOf);
      expect(words).toEqual(wordsOf(tokensOf(fold(whole))));
    }),
    { numRuns: 1000 },
  );
});

test("of an ASCII text a word set finds the words itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (ascii) => {
      const folded = fold(ascii);
      const fresh: string[] = [];
      const expected = wordsOf(tokensOf(folded));
      expect(new WordSet().add(Buffer.from(folded), (word) => fresh.push(word))).toBe(expected.length);
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
        expect(set.add(Buffer.from(tokens), (word) => fresh.push(word))).toBe(wordsOf(tokens).length);
        expect(fresh).toEqual([...new Set(wordsOf(tokens))].filter((word) => !expected.has(word)));
        for (const word of fresh) expected.add(word);
      }
    }),
  );
  const set = new WordSet();
  const many = Array.from({ length: 20_000 }, (_, i) => `w${i}`);
  const fresh: string[] = [];
  for (let round = 0; round < 2; round++) set.add(Buffer.from(many.join(" ")), (word) => fresh.push(word));
  expect(fresh).toEqual(many);
});

test("a word set of endless words forgets rather than grows", () => {
  const set = new WordSet();
  const word = Buffer.alloc(8000, "x");
  const isFresh = (i: number) => {
    let count = 0;
    word.write(String(i).padStart(8, "0"));
    set.add(word, () => count++);
    return count === 1;
  };
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 16_000; i++) expect(isFresh(i)).toBe(true);
  expect(isFresh(15_999)).toBe(false);
  // 128 MB of words.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 << 20);
});
