/**
 * How well passages answer a query: BM25, where the document is a message with its neighbours. A question and its
 * answer share few words with each other and many with the query, so messages alone are too small, and whole sessions
 * too large, to be compared. Pure: what is counted is counted over the eligible messages, and nothing else shows.
 */
import type { MessageSet } from "./messageSet.ts";
import type { SearchView } from "./view.ts";

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

const WHOLE_ANSWER_WORTH = 0.25;
const WHOLE_ANSWER_STEEPNESS = 4;

export interface PassageScores {
  /** By position of the passage's middle message; 0 where no term stands. */
  readonly scores: Float64Array;
  /** What each term is worth by its rarity, in the order of the terms. */
  readonly weights: readonly number[];
}

/** The best passage of a session. */
export interface RankedSession {
  /** Position in the view's sessions. */
  readonly session: number;
  /** The message to show. */
  readonly position: number;
  readonly score: number;
}

/** Scores every passage around an eligible message; `evidence` gives the messages that hold each term. */
export function scorePassages(
  view: SearchView,
  eligible: MessageSet,
  evidence: readonly MessageSet[],
): PassageScores {
  const { count, isUser } = view.messages;
  const lengths = passageLengthsOf(view);
  const passageCount = eligible.size;
  let totalLength = 0;
  eligible.forEach((at) => {
    totalLength += lengths[at] ?? 0;
  });
  const meanLength = Math.max(1, totalLength / Math.max(1, passageCount));

  const scores = new Float64Array(count);
  const { frequencies, touched } = scratchFor(count);
  const weights = evidence.map((holders) => {
    let touchedCount = 0;
    // A message counts once, however often it repeats a word: within one, repetition is pasted output more than topic.
    holders.forEach((holder) => {
      const weight = isUser[holder] === 1 ? USER_WEIGHT : 1;
      const { first, end } = passageAround(view, holder);
      for (let at = first; at < end; at++) {
        if (!eligible.has(at)) continue;
        if (frequencies[at] === 0) touched[touchedCount++] = at;
        frequencies[at] = (frequencies[at] ?? 0) + weight;
      }
    });
    const rarity = Math.log(1 + (passageCount - touchedCount + 0.5) / (touchedCount + 0.5));
    for (let i = 0; i < touchedCount; i++) {
      const at = touched[i] ?? 0;
      const frequency = frequencies[at] ?? 0;
      const saturation = frequency + K1 * (1 - B + (B * (lengths[at] ?? 0)) / meanLength);
      scores[at] = (scores[at] ?? 0) + (rarity * frequency * (K1 + 1)) / saturation;
      frequencies[at] = 0;
    }
    return rarity;
  });
  addWholeAnswers(scores, eligible, evidence, weights);
  return { scores, weights };
}

/**
 * One message that holds nearly all that was asked for is an answer, where a passage may have gathered it from several.
 * Worth a quarter of the query, and falling steeply with what is missing: half of the words are found together anywhere.
 */
function addWholeAnswers(
  scores: Float64Array,
  eligible: MessageSet,
  evidence: readonly MessageSet[],
  weights: readonly number[],
): void {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return;
  const { frequencies: held, touched } = scratchFor(scores.length);
  let touchedCount = 0;
  for (const [i, holders] of evidence.entries()) {
    const weight = weights[i] ?? 0;
    holders.forEach((at) => {
      if (held[at] === 0) touched[touchedCount++] = at;
      held[at] = (held[at] ?? 0) + weight;
    });
  }
  for (let i = 0; i < touchedCount; i++) {
    const at = touched[i] ?? 0;
    const share = (held[at] ?? 0) / total;
    if (eligible.has(at))
      scores[at] = (scores[at] ?? 0) + WHOLE_ANSWER_WORTH * total * share ** WHOLE_ANSWER_STEEPNESS;
    held[at] = 0;
  }
}

/** Each session by its best passage among those around `centres`, in no order yet. */
export function bestPassages(
  { sessions, messages }: SearchView,
  centres: MessageSet,
  { scores }: PassageScores,
): readonly RankedSession[] {
  const bestScores = new Float64Array(sessions.length).fill(-1);
  const bestPositions = new Int32Array(sessions.length);
  centres.forEach((position) => {
    const session = messages.sessionOf[position] ?? 0;
    const score = scores[position] ?? 0;
    if (score <= (bestScores[session] ?? 0)) return;
    bestScores[session] = score;
    bestPositions[session] = position;
  });
  const ranked: RankedSession[] = [];
  for (const [session, score] of bestScores.entries()) {
    if (score >= 0) ranked.push({ session, position: bestPositions[session] ?? 0, score });
  }
  return ranked;
}

/** Of the passage around a message, the message that holds the rarest words; a user's before an assistant's. */
export function bestMessageOf(
  view: SearchView,
  middle: number,
  { weights }: PassageScores,
  evidence: readonly MessageSet[],
): number {
  const worthOf = (at: number) => {
    const roleWeight = view.messages.isUser[at] === 1 ? USER_WEIGHT : 1;
    return evidence.reduce(
      (worth, holders, i) => worth + (holders.has(at) ? (weights[i] ?? 0) * roleWeight : 0),
      0,
    );
  };
  let best = middle;
  let bestWorth = worthOf(middle);
  const { first, end } = passageAround(view, middle);
  for (let at = first; at < end; at++) {
    const worth = worthOf(at);
    if (worth > bestWorth) [best, bestWorth] = [at, worth];
  }
  return best;
}

/** Rows picked one by one before the rest is sorted: a page and what is left out of it are seldom more. */
const PICKED_ROWS = 16;

/** The better first; of equals the newer, then by path. Lazy, because only the first rows are looked at. */
export function* inOrder(
  view: SearchView,
  ranked: readonly RankedSession[],
): Generator<RankedSession, void, undefined> {
  const compare = (a: RankedSession, b: RankedSession): number => {
    if (a.score !== b.score) return b.score - a.score;
    const [one, other] = [view.sessions[a.session], view.sessions[b.session]];
    if (one === undefined || other === undefined) return 0;
    return other.lastActivityMs - one.lastActivityMs || (one.path < other.path ? -1 : 1);
  };
  const rest = [...ranked];
  for (let picked = 0; picked < PICKED_ROWS && rest.length > 0; picked++) {
    let best = 0;
    for (let i = 1; i < rest.length; i++) {
      const [one, other] = [rest[i], rest[best]];
      if (one !== undefined && other !== undefined && compare(one, other) < 0) best = i;
    }
    const last = rest.pop();
    const chosen = best < rest.length ? rest[best] : last;
    if (last !== undefined && best < rest.length) rest[best] = last;
    if (chosen !== undefined) yield chosen;
  }
  yield* rest.sort(compare);
}

/** All zero between calls: clearing what was touched is cheaper than new memory for every query. */
let scratch = { frequencies: new Float64Array(0), touched: new Int32Array(0) };

function scratchFor(count: number): typeof scratch {
  if (scratch.touched.length < count) {
    scratch = { frequencies: new Float64Array(count), touched: new Int32Array(count) };
  }
  return scratch;
}

function passageAround({ sessions, messages }: SearchView, middle: number): { first: number; end: number } {
  const session = sessions[messages.sessionOf[middle] ?? 0];
  return {
    first: Math.max(session?.first ?? 0, middle - NEIGHBOURS),
    end: Math.min(session?.end ?? messages.count, middle + NEIGHBOURS + 1),
  };
}

/** Words of the passage around each message; the same for every query, so kept as long as the view. */
const knownLengths = new WeakMap<SearchView, Float64Array>();

function passageLengthsOf(view: SearchView): Float64Array {
  const known = knownLengths.get(view);
  if (known !== undefined) return known;
  const { count, wordsBefore } = view.messages;
  const lengths = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const { first, end } = passageAround(view, at);
    lengths[at] = (wordsBefore[end] ?? 0) - (wordsBefore[first] ?? 0);
  }
  knownLengths.set(view, lengths);
  return lengths;
}
