/**
 * A plain query read loosely: its words without the stop words, inflections folded, any of them enough. Text of
 * scripts without spaces is taken apart into pairs of characters, since no word borders are there to go by. A time that
 * the query names counts by the timestamps of messages.
 */
import { fold } from "../index/fold.ts";
import { datesIn, isOnDate } from "./dates.ts";
import type { QueryTerm } from "./grammar.ts";
import { Heap } from "./heap.ts";
import { MessageSet } from "./messageSet.ts";
import { isUnspaced, partsOf } from "./parts.ts";
import { type Evidence, type PassageScores, scorePassages } from "./rank.ts";
import { stemOf } from "./stem.ts";
import { occurrencesOf, wordEnd, wordStart } from "./terms.ts";
import type { SearchView } from "./view.ts";

/**
 * The closed classes of English: articles, pronouns, prepositions, conjunctions, auxiliaries, quantifiers and the
 * adverbs that stand with them; and what an apostrophe leaves of contractions (`don't` is `don` and `t`).
 */
const STOP_WORDS = new Set(
  (
    "a about above across after again all also although am among an and another any anyone anything are as at be " +
    "because been before being below between both but by can could did do does doing done down during each either " +
    "else even ever every everyone everything few for from further had has have having he her here hers herself him " +
    "himself his how however i if in into is it its itself just least less let many may me might mine more most much " +
    "must my myself neither never no none nor not nothing now of off on once only onto or other others our ours " +
    "ourselves out over own per rather same several shall she should since so some someone something still such than " +
    "that the their theirs them themselves then there these they this those though through to too toward towards " +
    "under until up upon us very via was we were what whatever when where whether which while who whom whose why " +
    "will with within without would yet you your yours yourself " +
    "aren couldn d didn doesn don hadn hasn haven isn ll m mustn re s shouldn t ve wasn weren won wouldn"
  ).split(" "),
);

/** A word of this length is also looked for inside longer ones: `retry` in `retrypolicy`, but not `age` in `page`. */
const MIN_INSIDE_CHARS = 5;
/** More terms say no more about a topic, and each costs a look into the index. */
const MAX_TERMS = 48;
/** Of the words that contain something, so many are looked up. */
const MAX_CONTAINING_WORDS = 200;

/**
 * @param isAllVisible false when the store holds sessions that may not be seen: their words share the dictionary, so
 * a list of words that was cut there is replaced by a look at the texts
 */
export function looseEvidence(
  terms: readonly QueryTerm[],
  view: SearchView,
  eligible: MessageSet,
  isAllVisible: boolean,
): readonly Evidence[] {
  const words = new Set(terms.flatMap(partsOf).map(({ text }) => text));
  const sought = [...words].filter((word) => !STOP_WORDS.has(word)).flatMap(soughtFor);
  // Two words of the query may be inflections of one.
  const distinct = new Map(sought.map((one) => [`${one.stem} ${one.inside}`, one]));
  return [...distinct.values()].slice(0, MAX_TERMS).map(({ word, inside }) => {
    const inflections = word === undefined ? [] : view.dictionary.inflectionsOf(word);
    const part = { text: inside ?? "", isOpenLeft: true, isOpenRight: true };
    const containing = inside === undefined ? [] : view.dictionary.some(part, MAX_CONTAINING_WORDS + 1);
    const isCut = containing.length > MAX_CONTAINING_WORDS;
    const known = view.withWords([...inflections, ...containing.slice(0, MAX_CONTAINING_WORDS)]);
    const holders = isCut && !isAllVisible ? known.or(view.containing(part.text, eligible)) : known;
    const spansIn =
      word === undefined
        ? (folded: string) => occurrencesOf({ kind: "literal", text: part.text }, folded)
        : wordSpans(inflections, inside);
    return { holders: holders.and(eligible), spansIn };
  });
}

/** What says a word of a query: its inflections, and the words that have something inside. */
interface Sought {
  readonly word?: string;
  readonly stem?: string;
  readonly inside?: string;
}

function soughtFor(word: string): readonly Sought[] {
  if (isUnspaced(word)) return pairsOf(word).map((inside) => ({ inside }));
  const stem = stemOf(word);
  // Identifiers are made of bases, which a stem is but for its last letter.
  const base = stem.replace(/i$/, "y");
  return [base.length < MIN_INSIDE_CHARS ? { word, stem } : { word, stem, inside: base }];
}

function pairsOf(word: string): readonly string[] {
  const chars = [...word];
  return chars.length < 2 ? [word] : chars.slice(1).map((char, i) => `${chars[i]}${char}`);
}

/** Where one of `words` stands whole, or any word with `inside` in it. */
function wordSpans(words: readonly string[], inside: string | undefined): Evidence["spansIn"] {
  const said = new Set(words);
  // Looking for texts is far cheaper than for borders of words, and most inflections begin with another.
  const needles = inside === undefined ? [] : [inside];
  for (const word of [...words].sort((a, b) => a.length - b.length)) {
    if (!needles.some((needle) => word.includes(needle))) needles.push(word);
  }
  return function* (folded) {
    // In the order of the text, whatever the order of the words: where it ends early, the same ones are found.
    const next = new Heap(
      needles.map((needle) => ({ needle, at: folded.indexOf(needle) })).filter(({ at }) => at !== -1),
      (a, b) => a.at - b.at,
    );
    let judgedTo = 0;
    for (let first = next.first; first !== undefined; first = next.first) {
      if (first.at >= judgedTo) {
        const start = wordStart(folded, first.at);
        const end = wordEnd(folded, first.at + first.needle.length);
        const word = folded.slice(start, end);
        if (said.has(word) || (inside !== undefined && word.includes(inside))) yield { start, end };
        judgedTo = end;
      }
      first.at = folded.indexOf(first.needle, judgedTo);
      if (first.at === -1) next.pop();
      else next.sinkFirst();
    }
  };
}

/**
 * A passage that holds a word counts for a time that the query names as for one word more: `what broke in March` is
 * about messages of March, which seldom say so. `query` is raw.
 */
export function addNamedTimes(
  { scores }: PassageScores,
  query: string,
  view: SearchView,
  eligible: MessageSet,
): void {
  const dates = datesIn(fold(query));
  if (dates.length === 0) return;
  const evidence = dates.map((date) => {
    const set = new MessageSet(view.messages.count);
    for (const position of eligible.positions()) {
      if (isOnDate(view.messages.timestampMs[position] ?? 0, date)) set.add(position);
    }
    return { holders: set, spansIn: () => [] };
  });
  const times = scorePassages(view, eligible, evidence, eligible).scores;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    if (score > 0) scores[at] = score + (times[at] ?? 0);
  }
}
