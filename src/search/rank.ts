/**
 * How well passages answer a query: BM25, where the document is a message with its neighbours. A question and its
 * answer share few words with each other and many with the query, so messages alone are too small, and whole sessions
 * too large, to be compared. Pure: what is counted is counted over the eligible messages, and nothing else shows.
 */
import { MessageSet } from "./messageSet.ts";
import type { Span } from "./terms.ts";
import type { SearchView } from "./view.ts";

/** A term of the query: the messages that hold it, and where it stands in a folded text. */
export interface Evidence {
  readonly holders: MessageSet;
  readonly spansIn: (folded: string) => Iterable<Span>;
}

/** Messages on either side of the centre: a passage has 5 messages, an exchange with what led to it. */
const NEIGHBOURS = 2;
/** The usual saturation of BM25: the second message that holds a word says less than the first. */
const K1 = 1.2;
/**
 * Half of BM25's correction for length. A passage is long because of pasted code or reports as often as because it
 * says more about other things, so the full correction, made for documents of one kind, is too strong.
 */
const B = 0.5;
/** A user's message counts a tenth more: enough to decide between equals, too little to outweigh a better passage. */
const USER_WEIGHT = 1.1;

export interface PassageScores {
  /** By position of the passage's middle message; 0 where no term stands. */
  readonly scores: Float64Array;
  /** What each term is worth by its rarity, in the order of the terms. */
  readonly weights: readonly number[];
}

/**
 * Scores the passages around `centres`; how rare a term is, is counted over those around all eligible messages.
 *
 * @param centres eligible messages
 */
export function scorePassages(
  view: SearchView,
  eligible: MessageSet,
  evidence: readonly Evidence[],
  centres: MessageSet,
): PassageScores {
  const { count, isUser } = view.messages;
  const { first, end, length, sessionStarts } = passagesOf(view);
  const passageCount = eligible.size;
  const meanLength = Math.max(1, totalLengthOf(length, eligible) / Math.max(1, passageCount));
  const scores = new Float64Array(count);
  const weights = evidence.map(({ holders }) => {
    let around = holders;
    for (let i = 0; i < NEIGHBOURS; i++) {
      around = around.spreadForward(sessionStarts).spreadBackward(sessionStarts);
    }
    const holdingCount = around.and(eligible).size;
    const rarity = Math.log(1 + (passageCount - holdingCount + 0.5) / (holdingCount + 0.5));
    for (const at of around.and(centres).positions()) {
      let frequency = 0;
      // A message counts once, however often it repeats a word: within one, repetition is pasted output more than topic.
      for (let holder = first[at] ?? 0; holder < (end[at] ?? 0); holder++) {
        if (holders.has(holder)) frequency += isUser[holder] === 1 ? USER_WEIGHT : 1;
      }
      const saturation = frequency + K1 * (1 - B + (B * (length[at] ?? 0)) / meanLength);
      scores[at] = (scores[at] ?? 0) + (rarity * frequency * (K1 + 1)) / saturation;
    }
    return rarity;
  });
  return { scores, weights };
}

/** What the terms that each of `messages` holds are worth together, by position. */
export function worthHeld(
  messages: MessageSet,
  evidence: readonly Evidence[],
  weights: readonly number[],
): Float64Array {
  const held = new Float64Array(messages.capacity);
  for (const [i, { holders }] of evidence.entries()) {
    const weight = weights[i] ?? 0;
    for (const at of holders.and(messages).positions()) held[at] = (held[at] ?? 0) + weight;
  }
  return held;
}

/** Of the passage around a message, the message that holds the rarest words; a user's before an assistant's. */
export function bestMessageOf(
  view: SearchView,
  middle: number,
  { weights }: PassageScores,
  evidence: readonly Evidence[],
): number {
  const worthOf = (at: number) => {
    const roleWeight = view.messages.isUser[at] === 1 ? USER_WEIGHT : 1;
    return evidence.reduce(
      (worth, { holders }, i) => worth + (holders.has(at) ? (weights[i] ?? 0) * roleWeight : 0),
      0,
    );
  };
  const { first, end } = passagesOf(view);
  let best = middle;
  let bestWorth = worthOf(middle);
  for (let at = first[middle] ?? 0; at < (end[middle] ?? 0); at++) {
    const worth = worthOf(at);
    if (worth > bestWorth) [best, bestWorth] = [at, worth];
  }
  return best;
}

/** The same for all lists of an answer, and often for the next question. */
const knownTotals = new WeakMap<MessageSet, number>();

function totalLengthOf(lengths: Float64Array, set: MessageSet): number {
  let total = knownTotals.get(set);
  if (total === undefined) {
    total = 0;
    for (const at of set.positions()) total += lengths[at] ?? 0;
    knownTotals.set(set, total);
  }
  return total;
}

/** The passage around each message: where it begins and ends, and its words. */
interface Passages {
  readonly first: Int32Array;
  readonly end: Int32Array;
  readonly length: Float64Array;
  readonly sessionStarts: MessageSet;
}

/** The same for every query, so kept as long as the view. */
const knownPassages = new WeakMap<SearchView, Passages>();

function passagesOf(view: SearchView): Passages {
  const known = knownPassages.get(view);
  if (known !== undefined) return known;
  const { count, wordsBefore } = view.messages;
  const first = new Int32Array(count);
  const end = new Int32Array(count);
  const length = new Float64Array(count);
  const sessionStarts = new MessageSet(count);
  for (const session of view.sessions) {
    if (session.first < session.end) sessionStarts.add(session.first);
    for (let at = session.first; at < session.end; at++) {
      const from = Math.max(session.first, at - NEIGHBOURS);
      const to = Math.min(session.end, at + NEIGHBOURS + 1);
      first[at] = from;
      end[at] = to;
      length[at] = (wordsBefore[to] ?? 0) - (wordsBefore[from] ?? 0);
    }
  }
  const passages = { first, end, length, sessionStarts };
  knownPassages.set(view, passages);
  return passages;
}
