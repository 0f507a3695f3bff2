/**
 * How well passages answer a query: BM25, where the document is a message with its neighbours. A question and its
 * answer share few words with each other and many with the query, so messages alone are too small, and whole sessions
 * too large, to be compared. Pure: what is counted is counted over the eligible messages, and nothing else shows.
 */
import type { MessageSet } from "./messageSet.ts";
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

/** Scores every passage around an eligible message. */
export function scorePassages(
  view: SearchView,
  eligible: MessageSet,
  evidence: readonly Evidence[],
): PassageScores {
  const { count, isUser } = view.messages;
  const { firsts, ends, lengths } = passagesOf(view);
  const passageCount = eligible.size;
  const meanLength = Math.max(1, totalAt(lengths, eligible) / Math.max(1, passageCount));

  const scores = new Float64Array(count);
  const { frequencies, touched } = scratchFor(count);
  const weights = evidence.map(({ holders }) => {
    let touchedCount = 0;
    // A message counts once, however often it repeats a word: within one, repetition is pasted output more than topic.
    for (const holder of holders.positions()) {
      const weight = isUser[holder] === 1 ? USER_WEIGHT : 1;
      const end = ends[holder] ?? 0;
      for (let at = firsts[holder] ?? 0; at < end; at++) {
        const frequency = frequencies[at] ?? 0;
        if (frequency === 0) touched[touchedCount++] = at;
        frequencies[at] = frequency + weight;
      }
    }
    let heldCount = 0;
    for (let i = 0; i < touchedCount; i++) if (eligible.has(touched[i] ?? 0)) heldCount++;
    const rarity = Math.log(1 + (passageCount - heldCount + 0.5) / (heldCount + 0.5));
    for (let i = 0; i < touchedCount; i++) {
      const at = touched[i] ?? 0;
      const frequency = frequencies[at] ?? 0;
      frequencies[at] = 0;
      if (!eligible.has(at)) continue;
      const saturation = frequency + K1 * (1 - B + (B * (lengths[at] ?? 0)) / meanLength);
      scores[at] = (scores[at] ?? 0) + (rarity * frequency * (K1 + 1)) / saturation;
    }
    return rarity;
  });
  return { scores, weights };
}

/** What the terms that each message holds are worth together, by position. */
export function worthHeld(
  count: number,
  evidence: readonly Evidence[],
  weights: readonly number[],
): Float64Array {
  const held = new Float64Array(count);
  for (const [i, { holders }] of evidence.entries()) {
    const weight = weights[i] ?? 0;
    for (const at of holders.positions()) held[at] = (held[at] ?? 0) + weight;
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
  const { firsts, ends } = passagesOf(view);
  let best = middle;
  let bestWorth = worthOf(middle);
  for (let at = firsts[middle] ?? 0; at < (ends[middle] ?? 0); at++) {
    const worth = worthOf(at);
    if (worth > bestWorth) [best, bestWorth] = [at, worth];
  }
  return best;
}

/** All zero between calls: clearing what was touched is cheaper than new memory for every query. */
let scratch = { frequencies: new Float64Array(0), touched: new Int32Array(0) };

function scratchFor(count: number): typeof scratch {
  if (scratch.touched.length < count) {
    scratch = { frequencies: new Float64Array(count), touched: new Int32Array(count) };
  }
  return scratch;
}

function totalAt(values: Float64Array, set: MessageSet): number {
  let total = 0;
  for (const at of set.positions()) total += values[at] ?? 0;
  return total;
}

/** The passage around each message. */
interface Passages {
  readonly firsts: Int32Array;
  readonly ends: Int32Array;
  /** In words. */
  readonly lengths: Float64Array;
}

/** The same for every query, so kept as long as the view. */
const knownPassages = new WeakMap<SearchView, Passages>();

function passagesOf(view: SearchView): Passages {
  const known = knownPassages.get(view);
  if (known !== undefined) return known;
  const { count, wordsBefore } = view.messages;
  const firsts = new Int32Array(count);
  const ends = new Int32Array(count);
  const lengths = new Float64Array(count);
  for (const session of view.sessions) {
    for (let at = session.first; at < session.end; at++) {
      const first = Math.max(session.first, at - NEIGHBOURS);
      const end = Math.min(session.end, at + NEIGHBOURS + 1);
      firsts[at] = first;
      ends[at] = end;
      lengths[at] = (wordsBefore[end] ?? 0) - (wordsBefore[first] ?? 0);
    }
  }
  const passages = { firsts, ends, lengths };
  knownPassages.set(view, passages);
  return passages;
}
