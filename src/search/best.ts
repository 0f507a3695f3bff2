/**
 * Sessions by their best passage, the best first. One message in which nearly all of the query stands close together
 * is an answer, where a passage may have gathered it from several; to know how close, its text must be read. So
 * texts are read in the order of what they could be worth, until no other can be better than the best that was read.
 */
import { bestStretch, occurrencesIn } from "./closeness.ts";
import { Heap } from "./heap.ts";
import type { MessageSet } from "./messageSet.ts";
import { type Evidence, type PassageScores, worthHeld } from "./rank.ts";
import type { SearchView } from "./view.ts";

/**
 * Worth a quarter of the query, and falling steeply with what is missing: half of the words are found together anywhere.
 */
const CLOSENESS_WORTH = 0.25;
/** Texts read for one list, in words of a view: some milliseconds. Those that come later are taken for not close. */
export const MAX_WORDS_READ = 150_000;
/** Longer ones count as several: what has no end, as encoded files have none, takes as long to be read. */
const MAX_WORD_CHARS = 16;

/** The best passage of a session. */
export interface RankedSession {
  /** Position in the view's sessions. */
  readonly session: number;
  /** The middle of the passage. */
  readonly position: number;
  readonly score: number;
}

/** Sessions with a passage around one of `centres`, in no order: what closeness may add is left out. */
export function bestPassages(
  { sessions, messages }: SearchView,
  centres: MessageSet,
  { scores }: PassageScores,
): readonly RankedSession[] {
  const bestScores = new Float64Array(sessions.length).fill(-1);
  const bestPositions = new Int32Array(sessions.length);
  for (const position of centres.positions()) {
    const session = messages.sessionOf[position] ?? 0;
    const score = scores[position] ?? 0;
    if (score <= (bestScores[session] ?? 0)) continue;
    bestScores[session] = score;
    bestPositions[session] = position;
  }
  const ranked: RankedSession[] = [];
  for (let session = 0; session < bestScores.length; session++) {
    const score = bestScores[session] ?? -1;
    if (score >= 0) ranked.push({ session, position: bestPositions[session] ?? 0, score });
  }
  return ranked;
}

/** A session on its way: `score` is reached by what was read, `bound` by what may be left to read. */
interface Candidate {
  readonly session: number;
  position: number;
  score: number;
  bound: number;
  /** Messages that may be better than `score`, the most promising last; undefined until they are needed. */
  unread: Unread[] | undefined;
}

interface Unread {
  readonly at: number;
  readonly bound: number;
}

/**
 * The better first; of equals the newer, then by path. Lazy, because only the first ones are looked at.
 *
 * @param passages of `centres`, as `bestPassages` gives them, or some of them
 */
export function* bestFirst(
  view: SearchView,
  passages: readonly RankedSession[],
  centres: MessageSet,
  evidence: readonly Evidence[],
  { scores, weights }: PassageScores,
): Generator<RankedSession, void, undefined> {
  const { sessionOf, wordsBefore } = view.messages;
  const held = worthHeld(centres, evidence, weights);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // Of one term all messages that hold it hold all.
  const most = evidence.length < 2 ? 0 : CLOSENESS_WORTH * total;
  const bonusOf = (worth: number) => {
    const square = total === 0 ? 0 : (worth / total) * (worth / total);
    return most * square * square;
  };
  const boundOf = (at: number) => (scores[at] ?? 0) + bonusOf(held[at] ?? 0);

  const bounds = new Float64Array(view.sessions.length);
  for (const at of centres.positions()) {
    const session = sessionOf[at] ?? 0;
    bounds[session] = Math.max(bounds[session] ?? 0, boundOf(at));
  }
  let wordsLeft = MAX_WORDS_READ;
  const scoreOf = (at: number) => {
    const words = (wordsBefore[at + 1] ?? 0) - (wordsBefore[at] ?? 0);
    if (words > wordsLeft) wordsLeft = 0;
    if (wordsLeft <= 0) return scores[at] ?? 0;
    const folded = view.foldedTextAt(at);
    wordsLeft -= Math.max(words, folded.length / MAX_WORD_CHARS);
    const { worth } = bestStretch(occurrencesIn(folded, evidence), weights);
    return (scores[at] ?? 0) + bonusOf(Math.min(worth, held[at] ?? 0));
  };

  const candidates = passages.map(
    ({ session, position, score }): Candidate => ({
      session,
      position,
      score,
      bound: Math.max(score, bounds[session] ?? 0),
      unread: undefined,
    }),
  );
  const heap = new Heap(candidates, comparison(view));
  for (let best = heap.first; best !== undefined; best = heap.first) {
    if (best.bound === best.score) {
      heap.pop();
      yield best;
      continue;
    }
    best.unread ??= unreadOf(view, best, centres, boundOf);
    const next = best.unread.pop();
    const score = next === undefined ? 0 : scoreOf(next.at);
    if (next !== undefined && score > best.score) {
      best.score = score;
      best.position = next.at;
    }
    best.bound = Math.max(best.score, best.unread.at(-1)?.bound ?? 0);
    heap.sinkFirst();
  }
}

function unreadOf(
  { sessions }: SearchView,
  { session, score }: Candidate,
  centres: MessageSet,
  boundOf: (at: number) => number,
): Unread[] {
  const { first = 0, end = 0 } = sessions[session] ?? {};
  const unread: Unread[] = [];
  for (let at = first; at < end; at++) {
    const bound = centres.has(at) ? boundOf(at) : 0;
    if (bound > score) unread.push({ at, bound });
  }
  return unread.sort((a, b) => a.bound - b.bound || b.at - a.at);
}

/** Where bounds are equal, whichever comes first should it turn out to be worth its bound. */
function comparison(view: SearchView): (a: Candidate, b: Candidate) => number {
  return (a, b) => {
    if (a.bound !== b.bound) return b.bound - a.bound;
    const [one, other] = [view.sessions[a.session], view.sessions[b.session]];
    if (one === undefined || other === undefined) return 0;
    return other.lastActivityMs - one.lastActivityMs || (one.path < other.path ? -1 : 1);
  };
}
