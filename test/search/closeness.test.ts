import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bestStretch,
  type Occurrence,
  occurrencesIn,
  STRETCH_CHARS,
  type Stretch,
} from "../../src/search/closeness.ts";
import { occurrencesOf, type Span } from "../../src/search/terms.ts";

const evidenceOf = (texts: readonly string[]) =>
  texts.map((text) => ({
    spansIn: (folded: string) => occurrencesOf({ kind: "literal", text }, folded),
  }));

describe("occurrences", () => {
  test("are those of all terms, by their starts, of equal starts the longer first", () => {
    const terms = fc.uniqueArray(fc.constantFrom<string>("a", "b", "ab", "aba", "x"), { maxLength: 4 });
    fc.assert(
      fc.property(fc.stringMatching(/^[ab ]{0,12}$/), terms, (folded, texts) => {
        const expected: Occurrence[] = [];
        for (let start = 0; start < folded.length; start++) {
          for (let end = folded.length; end > start; end--) {
            const term = texts.indexOf(folded.slice(start, end));
            if (term !== -1) expected.push({ start, end, term });
          }
        }
        expect(occurrencesIn(folded, evidenceOf(texts))).toEqual(expected);
      }),
    );
  });

  test("of a term without end are cut off, and those of the terms behind it are found", () => {
    const endless = {
      *spansIn(): Generator<Span> {
        for (;;) yield { start: 5, end: 6 };
      },
    };
    const [other] = evidenceOf(["other"]);
    if (other === undefined) throw new Error("one term");
    const found = occurrencesIn("other", [endless, other]);
    expect(found[0]).toEqual({ start: 0, end: 5, term: 1 });
  });
});

/** The most an occurrence can show of itself. */
const shownEnd = ({ start, end }: Span) => Math.min(end, start + STRETCH_CHARS);

/** Tries the stretches that begin and end with an occurrence: others hold no more. */
function plainBest(occurrences: readonly Occurrence[], weights: readonly number[]): Stretch {
  const stretches = occurrences
    .flatMap(({ start }) => occurrences.map((last) => ({ start, end: shownEnd(last) })))
    .filter(({ start, end }) => start < end && end - start <= STRETCH_CHARS)
    .map(({ start, end }) => {
      const held = occurrences.filter((one) => one.start >= start && shownEnd(one) <= end);
      const terms = [...new Set(held.map(({ term }) => term))];
      const worth = terms.reduce((sum, term) => sum + (weights[term] ?? 0), 0);
      return { start, end, worth, count: held.length };
    });
  stretches.sort((a, b) => b.worth - a.worth || b.count - a.count || a.start - b.start || a.end - b.end);
  const { start, end, worth } = stretches[0] ?? { start: 0, end: 0, worth: 0 };
  return { start, end, worth };
}

describe("the best stretch", () => {
  const lengths = fc.oneof(fc.constantFrom(1, 5, 60), fc.constantFrom(199, 200, 201, 1000));
  const occurrence = fc
    .record({ start: fc.nat(50).map((n) => n * 10), length: lengths, term: fc.nat(3) })
    .map(({ start, length, term }) => ({ start, end: start + length, term }));
  const sorted = fc
    .array(occurrence, { maxLength: 12 })
    .map((some) => some.sort((a, b) => a.start - b.start || b.end - a.end));
  const worths = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 4 });

  test("is worth most, then has most occurrences, then comes first, of all that are no longer than a snippet", () => {
    fc.assert(
      fc.property(sorted, worths, (occurrences, weights) => {
        expect(bestStretch(occurrences, weights)).toEqual(plainBest(occurrences, weights));
      }),
      { numRuns: 1000 },
    );
  });

  test("is the same when the worths are fractions, and is worth exactly their sum", () => {
    fc.assert(
      fc.property(sorted, worths, (occurrences, weights) => {
        const tenths = weights.map((weight) => weight / 10);
        const { start, end } = plainBest(occurrences, weights);
        const held = occurrences.filter((one) => one.start >= start && shownEnd(one) <= end);
        const terms = [...new Set(held.map(({ term }) => term))].sort((a, b) => a - b);
        const worth = terms.reduce((sum, term) => sum + (tenths[term] ?? 0), 0);
        expect(bestStretch(occurrences, tenths)).toEqual({ start, end, worth });
      }),
      { numRuns: 1000 },
    );
  });
});
