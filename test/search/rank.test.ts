import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestMessageOf, scorePassages, worthHeld } from "../../src/search/rank.ts";
import type { SearchView } from "../../src/search/view.ts";
import { allOf, evidenceOf, setOf, viewOf } from "./stores.ts";

/** The message with the two before it and the two behind it in its session. */
function passageAround({ messages }: SearchView, middle: number): readonly number[] {
  return [...messages.sessionOf.keys()].filter(
    (at) => messages.sessionOf[at] === messages.sessionOf[middle] && Math.abs(at - middle) <= 2,
  );
}

const WORDS = ["alpha", "beta", "gamma"];
const text = fc.array(fc.constantFrom(...WORDS, "filler"), { maxLength: 5 }).map((words) => words.join(" "));
const views = fc
  .array(fc.array(text, { maxLength: 8 }), { minLength: 1, maxLength: 6 })
  .map((sessions) => viewOf(sessions))
  .filter(({ messages }) => messages.count > 0);
/** A view, the positions of its eligible messages and of some of them, and the words of a query. */
const questions = views.chain((view) =>
  fc.subarray([...allOf(view).positions()]).chain((eligible) =>
    fc.record({
      view: fc.constant(view),
      eligible: fc.constant(eligible),
      centres: fc.subarray(eligible),
      words: fc.subarray(WORDS),
    }),
  ),
);

describe("the score of a passage", () => {
  test("is BM25 of the messages in it, counted one by one", () => {
    fc.assert(
      fc.property(questions, ({ view, eligible, centres, words }) => {
        const { count, isUser } = view.messages;
        const wordsAt = (at: number) => view.foldedTextAt(at).split(" ").filter(Boolean);
        const lengthOf = (middle: number) => passageAround(view, middle).flatMap(wordsAt).length;
        const meanLength = Math.max(1, sum(eligible.map(lengthOf)) / eligible.length || 0);
        const holdersIn = (middle: number, word: string) =>
          passageAround(view, middle).filter((at) => eligible.includes(at) && wordsAt(at).includes(word));
        const rarityOf = (word: string) => {
          const holding = eligible.filter((middle) => holdersIn(middle, word).length > 0).length;
          return Math.log(1 + (eligible.length - holding + 0.5) / (holding + 0.5));
        };
        const scoreOf = (middle: number, word: string) => {
          const frequency = sum(holdersIn(middle, word).map((at) => (isUser[at] === 1 ? 1.1 : 1)));
          const norm = 0.5 + (0.5 * lengthOf(middle)) / meanLength;
          return (rarityOf(word) * frequency * 2.2) / (frequency + 1.2 * norm);
        };

        const eligibleSet = setOf(count, eligible);
        const evidence = evidenceOf(view, words, eligibleSet);
        const { scores, weights } = scorePassages(view, eligibleSet, evidence, setOf(count, centres));
        expect(weights).toEqual(words.map((word) => expect.closeTo(rarityOf(word), 9)));
        const expected = Array.from({ length: count }, (_, at) =>
          centres.includes(at) ? sum(words.map((word) => scoreOf(at, word))) : 0,
        );
        expect([...scores]).toEqual(expected.map((score) => expect.closeTo(score, 9)));
      }),
    );
  });
});

test("a message is worth what the words that it holds are worth together", () => {
  fc.assert(
    fc.property(questions, ({ view, eligible, words }) => {
      const weights = words.map((_, i) => i + 1);
      const worth = worthHeld(setOf(view.messages.count, eligible), evidenceOf(view, words), weights);
      const expected = Array.from(worth, (_, at) => {
        const held = view.foldedTextAt(at).split(" ");
        return eligible.includes(at) ? sum(weights.filter((_, i) => held.includes(words[i] ?? ""))) : 0;
      });
      expect([...worth]).toEqual(expected);
    }),
  );
});

describe("the message shown of a passage", () => {
  const shownOf = (view: SearchView, middle: number, words: readonly string[]) => {
    const all = allOf(view);
    const evidence = evidenceOf(view, words);
    return bestMessageOf(view, middle, scorePassages(view, all, evidence, all), evidence);
  };

  test("is one of the passage, and none in it holds more than its words and others", () => {
    fc.assert(
      fc.property(questions, fc.nat(), ({ view, words }, n) => {
        const middle = n % view.messages.count;
        const shown = shownOf(view, middle, words);
        const heldBy = (at: number) =>
          words.filter((word) => view.foldedTextAt(at).split(" ").includes(word));
        const passage = passageAround(view, middle);
        expect(passage).toContain(shown);
        const { isUser } = view.messages;
        const isBetter = (at: number) =>
          heldBy(shown).every((word) => heldBy(at).includes(word)) &&
          (heldBy(at).length > heldBy(shown).length
            ? isUser[at] === isUser[shown]
            : heldBy(shown).length > 0 && isUser[at] === 1 && isUser[shown] === 0);
        expect(passage.filter(isBetter)).toEqual([]);
      }),
    );
  });

  test("holds the rarest word", () => {
    const others = Array.from({ length: 20 }, () => ["alpha"]);
    const view = viewOf([["x", "x", "alpha", "x", "beta"], ...others]);
    expect(shownOf(view, 2, ["alpha", "beta"])).toBe(4);
    expect(shownOf(view, 2, ["alpha"])).toBe(2);
  });

  test("is the user's of two that hold the same", () => {
    const view = viewOf([["x", "alpha", "alpha", "alpha", "x"]]);
    for (const middle of [1, 2, 3]) expect(shownOf(view, middle, ["alpha"])).toBe(2);
  });

  test("is the middle one when none is better, else the first of the best", () => {
    const view = viewOf([["alpha", "x", "alpha", "x", "alpha"]]);
    expect(shownOf(view, 2, ["alpha"])).toBe(2);
    expect(shownOf(view, 1, ["alpha"])).toBe(0);
    expect(shownOf(view, 3, ["alpha"])).toBe(2);
    expect(shownOf(view, 3, ["absent"])).toBe(3);
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
