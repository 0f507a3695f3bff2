import fc from "fast-check";
import { expect, test } from "vitest";
import { cutText, cutWithEllipsis, detached, GAP, shortenMiddle } from "../../src/session/cut.ts";

const text = fc.string({ unit: "grapheme", maxLength: 60 });
const isWellFormed = (whole: string) => !/\p{Surrogate}/u.test(whole);
const cap = fc.integer({ min: 0, max: 70 });

test("a cut is a prefix, as long as allowed but for half a surrogate pair", () => {
  fc.assert(
    fc.property(text, cap, (whole, maxChars) => {
      const cut = cutText(whole, maxChars);
      expect(whole.startsWith(cut)).toBe(true);
      expect(isWellFormed(cut)).toBe(true);
      expect(Math.min(whole.length, maxChars) - cut.length).toBeLessThanOrEqual(1);
    }),
  );
  expect(cutText("😀😀", 3)).toBe("😀");
  expect(cutWithEllipsis("abcdef", 4)).toBe("abc…");
  expect(cutWithEllipsis("abcd", 4)).toBe("abcd");
});

test("shortening keeps both ends within the cap and never splits a pair", () => {
  fc.assert(
    fc.property(text, cap, (whole, maxChars) => {
      const short = shortenMiddle(whole, maxChars);
      expect(short.length).toBeLessThanOrEqual(maxChars);
      expect(isWellFormed(short)).toBe(true);
      if (whole.length <= maxChars) expect(short).toBe(whole);
      else if (maxChars > GAP.length) {
        const at = short.indexOf(GAP);
        expect(whole.startsWith(short.slice(0, at)) || whole.includes(GAP)).toBe(true);
        expect(whole.endsWith(short.slice(at + GAP.length)) || whole.includes(GAP)).toBe(true);
      }
    }),
  );
  expect(shortenMiddle("0123456789abcdef", 11)).toBe("012 […] def");
});

test("a larger cap never makes a text shorter as JSON, and a shortened text can be shortened again", () => {
  fc.assert(
    fc.property(text, cap, cap, (whole, a, b) => {
      const [small, large] = a < b ? [a, b] : [b, a];
      const jsonLength = (maxChars: number) => JSON.stringify(shortenMiddle(whole, maxChars)).length;
      expect(jsonLength(small)).toBeLessThanOrEqual(jsonLength(large));
      const twice = shortenMiddle(shortenMiddle(whole, large), small);
      expect(twice.length).toBeLessThanOrEqual(small);
      expect(isWellFormed(twice)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("a detached text is the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (whole) => {
      expect(detached(whole)).toBe(whole);
    }),
  );
});
