/**
 * How near to each other the terms of a query stand: what a stretch as long as a snippet holds of them, by worth. Texts
 * in which common words meet by chance hold as many of them as an answer does, but not in one place.
 */
import type { Evidence } from "./rank.ts";
import type { Span } from "./terms.ts";

/** Characters: a sentence or two. What is shown of a message is the stretch that its rank speaks of. */
export const STRETCH_CHARS = 200;
/** More of one term in one message are not looked at: the best stretch is among the first ones well enough. */
const MAX_SPANS = 4000;

/** One occurrence in the folded text; `term` tells of what. */
export interface Occurrence extends Span {
  readonly term: number;
}

/** In the order of their starts, longer ones first. */
export function occurrencesIn(folded: string, evidence: readonly Pick<Evidence, "spansIn">[]): Occurrence[] {
  const found: Occurrence[] = [];
  for (const [term, { spansIn }] of evidence.entries()) {
    let left = MAX_SPANS;
    for (const { start, end } of spansIn(folded)) {
      found.push({ start, end, term });
      if (--left === 0) break;
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A stretch of text and what the different terms in it are worth together. */
export interface Stretch extends Span {
  readonly worth: number;
}

/**
 * The stretch of at most `STRETCH_CHARS` that is worth most, then has the most occurrences, then comes first. An
 * occurrence that is longer counts by its beginning.
 *
 * @param sorted as `occurrencesIn` gives them
 */
export function bestStretch(sorted: readonly Occurrence[], weights: readonly number[]): Stretch {
  const byEnd = [...sorted].sort((a, b) => shownEndOf(a) - shownEndOf(b));
  let best: Stretch = { start: 0, end: 0, worth: 0 };
  let bestCount = 0;
  let worth = 0;
  const inside = new Map<number, number>();
  let right = 0;
  let end = 0;
  for (const [left, { start, term }] of sorted.entries()) {
    for (let next = byEnd[right]; next !== undefined; next = byEnd[++right]) {
      if (shownEndOf(next) > start + STRETCH_CHARS) break;
      end = shownEndOf(next);
      const count = inside.get(next.term) ?? 0;
      inside.set(next.term, count + 1);
      if (count === 0) worth += weights[next.term] ?? 0;
    }
    // None ends later than a stretch that begins where it does, so those before `left` had all been inside.
    const occurrences = right - left;
    // What was added and taken away again leaves a rounding error.
    const gain = worth - best.worth;
    if (gain > ROUNDING || (gain > -ROUNDING && occurrences > bestCount)) {
      bestCount = occurrences;
      best = { start, end, worth };
    }
    const rest = (inside.get(term) ?? 1) - 1;
    inside.set(term, rest);
    if (rest === 0) worth -= weights[term] ?? 0;
  }
  return { ...best, worth: worthIn(best, sorted, weights) };
}

/** Summed in the order of the terms: what holds the same is worth exactly the same. */
function worthIn({ start, end }: Span, sorted: readonly Occurrence[], weights: readonly number[]): number {
  const held = new Set<number>();
  for (const one of sorted) if (one.start >= start && shownEndOf(one) <= end) held.add(one.term);
  return weights.reduce((worth, weight, term) => (held.has(term) ? worth + weight : worth), 0);
}

const ROUNDING = 1e-9;

function shownEndOf({ start, end }: Span): number {
  return Math.min(end, start + STRETCH_CHARS);
}
