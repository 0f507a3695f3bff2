/** A searched text as parts of words, and words glued to scripts that put no spaces between them. */
import { isWordAt } from "../index/fold.ts";
import type { WordPart } from "./dictionary.ts";
import type { QueryTerm } from "./grammar.ts";

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

/** True when `part` stands in `word` between characters of unspaced scripts or its ends, as a word of its own may. */
export function isGlued(part: string, word: string): boolean {
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
