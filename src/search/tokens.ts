/**
 * The pieces of a query: words, phrases, NEAR groups and pairs of parentheses. A mark that does not form one of these
 * is a part of a word, so `foo.bar(`, `f(x)` and `(void)0` are words, and so is a quote that never closes.
 */
import { fold } from "../index/fold.ts";

/** A text that a message holds anywhere; `prefix` holds it where a word begins. Folded. */
export interface QueryTerm {
  readonly kind: "literal" | "prefix";
  readonly text: string;
}

export type Token =
  /** `raw` tells operators from words that fold alike. */
  | { readonly kind: "word"; readonly raw: string; readonly term: QueryTerm }
  | { readonly kind: "phrase"; readonly term: QueryTerm }
  | { readonly kind: "near"; readonly terms: readonly QueryTerm[]; readonly maxWordsBetween: number }
  | { readonly kind: "open" | "close"; readonly at: number };

/** Deeper parentheses are text. */
export const MAX_NESTING = 50;
export const DEFAULT_NEAR_WORDS = 10;
const MIN_STEM_CHARS = 3;

/** What ends a word: all that `fold` makes a space. */
const SPACE = /[\s\0]/;
/** All that `fold` makes a straight quote. */
const QUOTE = /["\u201c-\u201f]/;
const SENTENCE_MARKS = /[?!.,;]+$/;
/** What may stand behind a group, so that the parentheses of `(void)0` stay in the word. */
const BEHIND_GROUP = /^[?!.,;]*(?:[\s\0)]|$)/;
const NEAR = "NEAR(";
const NEAR_DISTANCE = /,[\s\0]*(\d{1,6})[\s\0]*$/;

/** The tokens of a query. Every `open` has its `close`. */
export function tokenize(query: string): readonly Token[] {
  // A parenthesis without a partner is text, which moves the borders of words: read again until all have one.
  const textAt = new Set<number>();
  for (;;) {
    const tokens = scan(query, (at) => textAt.has(at));
    const before = textAt.size;
    for (const at of ungroupedParentheses(tokens, query)) textAt.add(at);
    if (textAt.size === before) return withoutBareMarks(tokens);
  }
}

function scan(query: string, isText: (at: number) => boolean): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const char = query.charAt(at);
    if (SPACE.test(char)) {
      at++;
    } else if ((char === "(" || char === ")") && !isText(at)) {
      tokens.push({ kind: char === "(" ? "open" : "close", at: at++ });
    } else {
      const { token, end } = nearAt(query, at) ?? itemAt(query, at, isText);
      tokens.push(token);
      at = end;
    }
  }
  return tokens;
}

/** Positions of parentheses that lack a partner, hold nothing, are nested too deeply or are glued to what follows. */
function ungroupedParentheses(tokens: readonly Token[], query: string): readonly number[] {
  const text: number[] = [];
  const open: { readonly at: number; readonly index: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "open") open.push({ at: token.at, index });
    if (token.kind !== "close") continue;
    const start = open.pop();
    if (start === undefined) text.push(token.at);
    else if (
      open.length >= MAX_NESTING ||
      start.index === index - 1 ||
      !BEHIND_GROUP.test(query.slice(token.at + 1))
    ) {
      text.push(start.at, token.at);
    }
  }
  return [...text, ...open.map(({ at }) => at)];
}

/** Words and groups of nothing but sentence marks ask for nothing, unless there is nothing else. */
function withoutBareMarks(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = [];
  for (const token of tokens) {
    if (token.kind === "close" && kept.at(-1)?.kind === "open") kept.pop();
    else if (token.kind !== "word" || token.term.text !== "") kept.push(token);
  }
  if (kept.length > 0) return kept;
  const marks = tokens.flatMap((token) => (token.kind === "word" ? [fold(token.raw)] : []));
  return marks
    .filter((text) => text !== "")
    .map((text) => ({ kind: "word", raw: text, term: { kind: "literal", text } }));
}

/** A phrase, or a word, which ends at white space or at a parenthesis that closes something outside of it. */
function itemAt(query: string, start: number, isText: (at: number) => boolean): Piece {
  const phrase = phraseAt(query, start);
  if (phrase !== undefined) return phrase;
  let depth = 0;
  let end = start;
  for (; end < query.length; end++) {
    const char = query.charAt(end);
    if (SPACE.test(char)) break;
    if (char === "(") depth++;
    if (char !== ")" || isText(end)) continue;
    if (depth === 0) break;
    depth--;
  }
  const raw = query.slice(start, end);
  return { token: { kind: "word", raw, term: termOf(raw) }, end };
}

interface Piece {
  readonly token: Token;
  /** Position behind it. */
  readonly end: number;
}

function phraseAt(query: string, start: number): Piece | undefined {
  if (!QUOTE.test(query.charAt(start))) return undefined;
  const length = query.slice(start + 1).search(QUOTE);
  const text = fold(query.slice(start + 1, start + 1 + length));
  if (length === -1 || text.trim() === "") return undefined;
  return { token: { kind: "phrase", term: { kind: "literal", text } }, end: start + length + 2 };
}

/** `NEAR(a "b c", 5)`, or undefined when it is anything less: then its pieces are words. */
function nearAt(query: string, start: number): Piece | undefined {
  if (!query.startsWith(NEAR, start)) return undefined;
  const contentStart = start + NEAR.length;
  let close = contentStart;
  while (close < query.length && query.charAt(close) !== ")") {
    close = SPACE.test(query.charAt(close)) ? close + 1 : itemAt(query, close, () => false).end;
  }
  if (close >= query.length || !BEHIND_GROUP.test(query.slice(close + 1))) return undefined;
  const content = query.slice(contentStart, close);
  const distance = NEAR_DISTANCE.exec(content);
  // No parenthesis groups in here.
  const items = scan(content.slice(0, distance?.index), () => true);
  const terms = items.flatMap((token) => ("term" in token && token.term.text !== "" ? [token.term] : []));
  if (terms.length === 0) return undefined;
  // The same term twice asks for no more than once, and costs the square of its occurrences.
  const distinct = [...new Map(terms.map((term) => [term.kind + term.text, term])).values()];
  const maxWordsBetween = distance === null ? DEFAULT_NEAR_WORDS : Number(distance[1]);
  return { token: { kind: "near", terms: distinct, maxWordsBetween }, end: close + 1 };
}

function termOf(raw: string): QueryTerm {
  const text = fold(raw.replace(SENTENCE_MARKS, ""));
  const stem = text.slice(0, -1);
  const isPrefix = text.endsWith("*") && [...stem].length >= MIN_STEM_CHARS;
  return isPrefix ? { kind: "prefix", text: stem } : { kind: "literal", text };
}
