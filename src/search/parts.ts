/** A searched text as parts of words, and when a part stands whole in a word of a message. */
import { isWordAt } from "../index/fold.ts";
import type { WordPart } from "./dictionary.ts";
import type { QueryTerm } from "./grammar.ts";
import { stemOf } from "./stem.ts";

/** Scripts that write words without spaces, or (Hangul) glue particles to them: a border may lie at any character. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;

/** The runs of word characters in order; a message that holds the term holds a fitting word for each. */
export function partsOf({ kind, text }: QueryTerm): readonly WordPart[] {
  const parts: WordPart[] = [];
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    const isWord = at < text.length && isWordAt(text, at);
    if (isWord && start === -1) start = at;
    if (isWord || start === -1) continue;
    const isOpenLeft = start === 0 && kind === "literal";
    parts.push({ text: text.slice(start, at), isOpenLeft, isOpenRight: at === text.length });
    start = -1;
  }
  return parts;
}

/** True when `part` is all of `word`, or all but its inflection, or when words of its script have no visible border. */
export function standsWhole(part: string, word: string): boolean {
  if (word === part || stemOf(word) === stemOf(part)) return true;
  if (!UNSPACED.test(word)) return false;
  for (let at = word.indexOf(part); at !== -1; at = word.indexOf(part, at + 1)) {
    if (isBorder(word, at) && isBorder(word, at + part.length)) return true;
  }
  return false;
}

function isBorder(word: string, at: number): boolean {
  if (at === 0 || at === word.length) return true;
  const before = word.slice(Math.max(0, at - 2), at);
  const after = String.fromCodePoint(word.codePointAt(at) ?? 0);
  return UNSPACED.test([...before].at(-1) ?? "") || UNSPACED.test(after);
}

export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}
