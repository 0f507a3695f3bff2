/** Where the terms of a query stand in one folded text. The same judgement for matching, verifying and showing. */
import { isWordAt } from "../index/fold.ts";
import type { QueryNode, QueryTerm } from "./grammar.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Occurrences in order; those that overlap an earlier one of the same term are found as well. */
export function* occurrencesOf(term: QueryTerm, folded: string): Generator<Span, void, undefined> {
  for (let at = nextOccurrence(term, folded, 0); at !== -1; at = nextOccurrence(term, folded, at + 1)) {
    yield { start: at, end: at + term.text.length };
  }
}

/** Where the first occurrence at or behind `from` starts, or -1. */
function nextOccurrence({ kind, text }: QueryTerm, folded: string, from: number): number {
  let at = folded.indexOf(text, from);
  while (at !== -1 && kind === "prefix" && !beginsWord(folded, at)) at = folded.indexOf(text, at + 1);
  return at;
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
  const wordStarts = startsOfWords(folded);
  const found = terms.map((term) => new Found(term, folded, wordStarts));
  // No choice can end before the words that the last of the earliest occurrences leaves in reach; each round moves that on.
  for (let reach = 0; ; ) {
    let lastStart = 0;
    for (const term of found) {
      if (!term.seek(reach)) return false;
      lastStart = Math.max(lastStart, term.wordsEndedAtStart);
    }
    if (lastStart - maxWordsBetween <= reach) return true;
    reach = lastStart - maxWordsBetween;
  }
}

/** An occurrence of a term in a text, with the words around it counted. */
class Found {
  wordsEndedAtStart = 0;
  #wordsBegunAtStart = 0;
  #wordsBegunAtEnd = -1;
  #start = -1;
  readonly #term: QueryTerm;
  readonly #folded: string;
  readonly #wordStarts: Uint32Array;

  constructor(term: QueryTerm, folded: string, wordStarts: Uint32Array) {
    this.#term = term;
    this.#folded = folded;
    this.#wordStarts = wordStarts;
  }

  /** On to the first occurrence up to whose end so many words begin; false when there is none. */
  seek(wordsBegun: number): boolean {
    if (this.#wordsBegunAtEnd >= wordsBegun) return true;
    const { text } = this.#term;
    while (this.#wordsBegunAtEnd < wordsBegun) {
      const reached = wordsBegun === 0 ? 0 : (this.#wordStarts[wordsBegun - 1] ?? this.#folded.length);
      const start = nextOccurrence(
        this.#term,
        this.#folded,
        Math.max(this.#start, reached - text.length) + 1,
      );
      if (start === -1) return false;
      this.#start = start;
      this.#wordsBegunAtStart = countUpTo(this.#wordStarts, start, this.#wordsBegunAtStart);
      this.#wordsBegunAtEnd = countUpTo(this.#wordStarts, start + text.length - 1, this.#wordsBegunAtStart);
    }
    const isInsideWord = isWordAt(this.#folded, this.#start);
    this.wordsEndedAtStart = isInsideWord ? this.#wordsBegunAtStart - 1 : this.#wordsBegunAtStart;
    return true;
  }
}

/** Where words start, in order. */
function startsOfWords(folded: string): Uint32Array {
  let starts = new Uint32Array(1024);
  let count = 0;
  let isInside = false;
  for (let at = 0; at < folded.length; at++) {
    const isWord = isWordAt(folded, at);
    if (isWord && !isInside) {
      if (count === starts.length) {
        const larger = new Uint32Array(2 * count);
        larger.set(starts);
        starts = larger;
      }
      starts[count++] = at;
    }
    isInside = isWord;
  }
  return starts.subarray(0, count);
}

/** How many of the ascending numbers are at most `limit`; `known` are, and most often few more. */
function countUpTo(ascending: Uint32Array, limit: number, known: number): number {
  let low = known;
  let step = 1;
  while ((ascending[low + step - 1] ?? Number.POSITIVE_INFINITY) <= limit) {
    low += step;
    step *= 2;
  }
  let high = Math.min(ascending.length, low + step - 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
