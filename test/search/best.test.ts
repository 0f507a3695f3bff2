import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestFirst, bestPassages, MAX_WORDS_READ, type RankedSession } from "../../src/search/best.ts";
import { STRETCH_CHARS } from "../../src/search/closeness.ts";
import { MemoryView } from "../../src/search/memoryView.ts";
import { type Evidence, type PassageScores, scorePassages } from "../../src/search/rank.ts";
import type { SearchView } from "../../src/search/view.ts";
import { allOf, evidenceOf, heldSession, setOf, viewOf } from "./stores.ts";

/** A question to a view: the messages that may answer it, and what their passages are worth. */
interface Question {
  readonly view: SearchView;
  readonly centres: readonly number[];
  readonly evidence: readonly Evidence[];
  readonly scores: PassageScores;
}

function questionOf(
  view: SearchView,
  words: readonly string[],
  centres = [...allOf(view).positions()],
): Question {
  const evidence = evidenceOf(view, words);
  const scores = scorePassages(view, allOf(view), evidence, setOf(view.messages.count, centres));
  return { view, centres, evidence, scores };
}

function passagesOf({ view, centres, scores }: Question): readonly RankedSession[] {
  return bestPassages(view, setOf(view.messages.count, centres), scores);
}

function ranked(question: Question, passages = passagesOf(question)): Generator<RankedSession> {
  const { view, centres, evidence, scores } = question;
  return bestFirst(view, passages, setOf(view.messages.count, centres), evidence, scores);
}

/** What one message's passage is worth when it is the only one. */
function scoreAt(question: Question, at: number): number {
  const [only] = ranked({ ...question, centres: [at] });
  return only?.score ?? Number.NaN;
}

/** Words on either side of it are not close. */
const FILLER = "z".repeat(STRETCH_CHARS);
const WORDS = ["alpha", "beta", "gamma"];
const text = fc
  .array(fc.constantFrom(...WORDS, FILLER, FILLER), { maxLength: 6 })
  .map((words) => words.join(" "));
const session = fc.record({
  texts: fc.array(text, { maxLength: 6 }),
  lastActivityMs: fc.constantFrom(1, 2),
});
const questions = fc
  .record({
    sessions: fc.array(session, { minLength: 1, maxLength: 6 }),
    words: fc.subarray(WORDS),
    n: fc.nat(),
  })
  .chain(({ sessions, words, n }) => {
    // Paths in another order than sessions.
    const pathOf = (i: number) => `/s/${(i + n) % sessions.length}.jsonl`;
    const view = new MemoryView(
      sessions.map(({ texts, lastActivityMs }, i) =>
        heldSession(i, texts, { lastActivityMs, path: pathOf(i) }),
      ),
    );
    return fc.subarray([...allOf(view).positions()]).map((centres) => questionOf(view, words, centres));
  });

const centresIn = ({ view, centres }: Question, session: number) =>
  centres.filter((at) => view.messages.sessionOf[at] === session);

describe("the best passage of a session", () => {
  test("is the first of those with the highest score", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const expected = question.view.sessions.flatMap((_, session) => {
          const own = centresIn(question, session);
          const [position] = [...own].sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
          return position === undefined ? [] : [{ session, position, score: scoreOf(position) }];
        });
        function scoreOf(at: number): number {
          return question.scores.scores[at] ?? 0;
        }
        expect(passagesOf(question)).toEqual(expected);
      }),
    );
  });
});

describe("sessions", () => {
  test("come as when every message is read: by their best, of equals the newer, then by path", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { sessions } = question.view;
        const expected = sessions.flatMap(({ path, lastActivityMs }, session) => {
          const scores = centresIn(question, session).map((at) => scoreAt(question, at));
          return scores.length === 0 ? [] : [{ session, score: Math.max(...scores), path, lastActivityMs }];
        });
        expected.sort(
          (a, b) => b.score - a.score || b.lastActivityMs - a.lastActivityMs || (a.path < b.path ? -1 : 1),
        );
        expect([...ranked(question)].map(({ session, score }) => ({ session, score }))).toEqual(
          expected.map(({ session, score }) => ({ session, score })),
        );
      }),
      { numRuns: 500 },
    );
  });

  test("come with the message that is worth their score, of equals one that holds most, then the first", () => {
    fc.assert(
      fc.property(questions, (question) => {
        for (const { session, position, score } of ranked(question)) {
          const equals = centresIn(question, session).filter((at) => scoreAt(question, at) === score);
          equals.sort((a, b) => bestPossible(question, b) - bestPossible(question, a) || a - b);
          expect(position).toBe(equals[0]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("come with the first of messages that say the same, close together or not", () => {
    for (const same of ["alpha beta", `alpha ${FILLER} beta`]) {
      const [first] = ranked(questionOf(viewOf([[same, same, same]]), ["alpha", "beta"]));
      expect(first?.position).toBe(0);
    }
  });

  test("that say the same in another order of words are equals", () => {
    const words = [...WORDS, "delta", "epsilon"];
    const said = fc.shuffledSubarray(words, { minLength: words.length }).map((order) => order.join(" "));
    fc.assert(
      fc.property(
        fc.array(said, { minLength: 2, maxLength: 4 }),
        fc.array(fc.subarray(words)),
        (same, others) => {
          const view = viewOf([
            ...same.map((one) => [one]),
            ...others.map((some) => ["", "", "", some.join(" ")]),
          ]);
          const first = [...ranked(questionOf(view, words))].slice(0, same.length);
          expect(first.map(({ session }) => session)).toEqual([...same.keys()].reverse());
        },
      ),
    );
  });

  test("come without those that were left out of the passages, and else the same", () => {
    fc.assert(
      fc.property(questions, fc.nat(5), (question, left) => {
        const passages = passagesOf(question).filter(({ session }) => session !== left);
        const others = [...ranked(question)].filter(({ session }) => session !== left);
        expect([...ranked(question, passages)]).toEqual(others);
      }),
    );
  });
});

describe("closeness", () => {
  const far = `alpha ${FILLER} beta`;
  /** What closeness adds to the score of a session's only message. */
  const bonusOf = (words: readonly string[], message: string) => {
    const question = questionOf(viewOf([[message], ["other"], ["alpha beta gamma"]]), words);
    const added = scoreAt(question, 0) - (question.scores.scores[0] ?? 0);
    return added / question.scores.weights.reduce((sum, weight) => sum + weight, 0);
  };

  test("of all words adds a quarter of what they are worth", () => {
    expect(bonusOf(["alpha", "beta"], "alpha beta")).toBeCloseTo(1 / 4, 9);
    expect(bonusOf(WORDS, `x gamma x ${FILLER} x alpha beta gamma`)).toBeCloseTo(1 / 4, 9);
  });

  test("of half of the words adds next to nothing, and of none nothing", () => {
    const half = bonusOf(["alpha", "beta"], far);
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(1 / 4 / 10);
    expect(bonusOf(["alpha", "beta"], "nothing")).toBe(0);
  });

  test("says nothing of a single word, which is as close to itself everywhere", () => {
    expect(bonusOf(["alpha"], "alpha alpha")).toBe(0);
  });

  test("counts words that a message is a holder of, and no others that its text may show", () => {
    const view = viewOf([["alpha beta"]]);
    const question = questionOf(view, ["alpha", "beta"]);
    const evidence = question.evidence.map((one, i) => (i === 0 ? one : { ...one, holders: setOf(1, []) }));
    expect(scoreAt({ ...question, evidence }, 0)).toBeLessThan(scoreAt(question, 0));
  });

  test("of the message that lifts a session makes it the one that is shown", () => {
    const view = viewOf([["alpha", far, "x", "x", "x", "x", "x", "alpha beta"]]);
    expect(ranked(questionOf(view, ["alpha", "beta"])).next().value).toMatchObject({ position: 7 });
  });
});

describe("texts", () => {
  /** The view, and the positions of the texts that were read since the last look. */
  function watched(
    view: SearchView,
    messages = view.messages,
  ): { readonly view: SearchView; readonly taken: () => readonly number[] } {
    const read: number[] = [];
    const watching: SearchView = {
      sessions: view.sessions,
      messages,
      dictionary: view.dictionary,
      withWords: (words) => view.withWords(words),
      containing: (text, within) => view.containing(text, within),
      sourceAt: (at) => view.sourceAt(at),
      foldedTextAt: (at) => {
        read.push(at);
        return view.foldedTextAt(at);
      },
    };
    return { view: watching, taken: () => read.splice(0) };
  }

  test("are read once at most, and only where they could be better than the session that comes next", () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { view, taken } = watched(question.view);
        const everRead: number[] = [];
        for (const { score } of ranked({ ...question, view })) {
          const read = taken();
          everRead.push(...read);
          for (const at of read) expect(bestPossible(question, at)).toBeGreaterThanOrEqual(score);
        }
        expect(new Set(everRead).size).toBe(everRead.length);
      }),
    );
  });

  test("are read up to a number of words; later ones are taken for not close", () => {
    const plain = viewOf(Array.from({ length: 10 }, () => ["alpha beta"]));
    const wordsBefore = plain.messages.wordsBefore.map((_, i) => (i * MAX_WORDS_READ) / 2);
    const { view, taken } = watched(plain, { ...plain.messages, wordsBefore });
    const question = questionOf(view, ["alpha", "beta"]);
    const found = [...ranked(question)];
    expect(taken()).toHaveLength(2);
    expect(found).toHaveLength(10);
    const isLifted = ({ position, score }: RankedSession) => score > (question.scores.scores[position] ?? 0);
    expect(found.filter(isLifted)).toEqual(found.slice(0, 2));
  });
});

/** The score of a message, were all the words that it holds close together. */
function bestPossible(question: Question, at: number): number {
  const evidence = question.evidence.map((one, i) => ({
    ...one,
    *spansIn() {
      if (one.holders.has(at)) yield { start: i, end: i + 1 };
    },
  }));
  return scoreAt({ ...question, evidence }, at);
}
