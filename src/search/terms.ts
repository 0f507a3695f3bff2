/** Where the terms of a query stand in one folded text. The same judgement for matching, verifying and showing. */
import { isWordAt } from "../index/fold.ts";
import type { QueryNode, QueryTerm } from "./grammar.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Occurrences in order; those that overlap an earlier one of the same term are found as well. */
export function* occurrencesOf(term: QueryTerm, folded: string): Generator<Span, void, undefined> {
  for (let at = folded.indexOf(term.text); at !== -1; at = folded.indexOf(term.text, at + 1)) {
    if (term.kind === "literal" || beginsWord(folded, at)) yield { start: at, end: at + term.text.length };
  }
}

/** A word begins at `at` unless the character before belongs to the same one. */
function beginsWord(folded: string, at: number): boolean {
  return at === 0 || !isWordAt(folded, at) || !isWordAt(folded, at - 1);
}

/** Where the word begins that goes on at `at`; `at` itself when none does. */
export function wordStart(folded: string, at: number): number {
  let start = at;
  while (start > 0 && isWordAt(folded, start - 1)) start--;
  return start;
}

/** Where the word ends that goes on at `at`; `at` itself when none does. */
export function wordEnd(folded: string, at: number): number {
  let end = at;
  while (end < folded.length && isWordAt(folded, end)) end++;
  return end;
}

export function hasTerm(term: QueryTerm, folded: string): boolean {
  if (term.kind === "literal") return folded.includes(term.text);
  return !occurrencesOf(term, folded).next().done;
}

/** Whether a message with this text matches. */
export function isMatch(node: QueryNode, folded: string): boolean {
  switch (node.kind) {
    case "literal":
    case "prefix":
      return hasTerm(node, folded);
    case "near":
      return (
        node.terms.every((term) => hasTerm(term, folded)) && isNear(node.terms, node.maxWordsBetween, folded)
      );
    case "and":
      return node.nodes.every((part) => isMatch(part, folded));
    case "or":
      return node.nodes.some((part) => isMatch(part, folded));
    case "not":
      return !isMatch(node.node, folded);
  }
}

/**
 * True when one occurrence of each term can be chosen so that at most `maxWordsBetween` whole words stand between the
 * first end and the last start among them.
 */
export function isNear(terms: readonly QueryTerm[], maxWordsBetween: number, folded: string): boolean {
  const words = wordBorders(folded);
  const choices = terms.map((term) =>
    Array.from(occurrencesOf(term, folded), ({ start, end }) => ({
      wordsEndedAtStart: countUpTo(words.ends, start),
      wordsBegunAtEnd: countUpTo(words.starts, end - 1),
    })),
  );
  // For each possible first end: the earliest start of every term that does not end before it.
  const firstEnds = choices.flatMap((spans) => spans.map(({ wordsBegunAtEnd }) => wordsBegunAtEnd));
  firstEnds.sort((a, b) => a - b);
  const next = choices.map(() => 0);
  return firstEnds.some((firstEnd) =>
    choices.every((spans, i) => {
      let at = next[i] ?? 0;
      while ((spans[at]?.wordsBegunAtEnd ?? firstEnd) < firstEnd) at++;
      next[i] = at;
      const span = spans[at];
      return span !== undefined && span.wordsEndedAtStart - firstEnd <= maxWordsBetween;
    }),
  );
}

/** Where words start and where they end, in order. */
function wordBorders(folded: string): {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
} {
  const starts: number[] = [];
  const ends: number[] = [];
  let isInside = false;
  for (let at = 0; at <= folded.length; at++) {
    const isWord = at < folded.length && isWordAt(folded, at);
    if (isWord && !isInside) starts.push(at);
    if (!isWord && isInside) ends.push(at);
    isInside = isWord;
  }
  return { starts, ends };
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
