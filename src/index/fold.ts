/**
 * The one form in which texts and queries are compared, and the words of that form. Free of context: what a character
 * becomes never depends on its neighbours, except that a run of white space is one space. Hence a part of a text is
 * found in the text, and a long text folds in chunks. Folding never makes a text longer.
 */

import { MAX_QUERY_CHARS } from "../session/limits.ts";

/**
 * A longer word is written as pieces that overlap by `MAX_QUERY_CHARS`, so that every part of a query lies whole in
 * one of them. In code units of at most 3 bytes each, below the 32,768 bytes at which FTS5 cuts a token.
 */
export const MAX_WORD_CHARS = 8192;

const SPACE = 0x20;
const REPLACEMENT = 0xfffd;
/** In `FOLDED`: the character is left out. Nothing folds to NUL, which is white space. */
const DROPPED = 0;
/** Latin, Greek and Cyrillic diacritics. Dropped behind every base, for a rule per base would look at neighbours. */
const DIACRITICS = /[\u0300-\u036f]|[\u0483-\u0487]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]/g;
const EUROPEAN = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;
const WHITE_SPACE = /[\s\0]/;
const SINGLE_QUOTES = /[\u2018-\u201b]/;
const DOUBLE_QUOTES = /[\u201c-\u201f]/;
const WORD = /[\p{L}\p{N}\p{M}]/u;
/** The cased letters beyond U+FFFF lie in this range; their lower-case forms do as well. */
const ASTRAL_CASED = { first: 0x10400, last: 0x1e943 } as const;
const LAST_UNIT = 0xffff;
/** Texts are folded and cut in chunks of this many code units, so that a long one needs no more than itself. */
const CHUNK_UNITS = 1 << 16;
/** Of UTF-8. What is not written costs nothing. */
const MAX_BYTES_PER_UNIT = 3;
/** The last unit of a chunk may be the first of a pair. */
const MAX_CHUNK_BYTES = MAX_BYTES_PER_UNIT * (CHUNK_UNITS + 1);
const TEXT_MEMORY_BYTES = 4 << 20;

const FOLDED = foldTable();
const IS_WORD = wordTable();
const wide = new Uint16Array(CHUNK_UNITS);
const wideBytes = Buffer.from(wide.buffer);
const narrow = Buffer.alloc(CHUNK_UNITS);

/**
 * Unicode lower case with one form of sigma, Latin, Greek and Cyrillic diacritics removed, curly quotes straight,
 * ill-formed code units replaced, NUL and every run of white space as one space. Nothing is trimmed.
 */
export function fold(text: string): string {
  const memory = text.length > CHUNK_UNITS ? new TextMemory() : ownMemory;
  const folded = stringOf(memory.fold(text));
  memory.clear();
  return folded;
}

export function stringOf({ bytes, isAscii }: FoldedText): string {
  return bytes.toString(isAscii ? "latin1" : "utf8");
}

/** A folded text as UTF-8. */
export interface FoldedText {
  readonly bytes: Buffer;
  readonly isAscii: boolean;
}

/**
 * Folded texts outside of V8's heap, one behind the other. As strings, those of a batch would outlive the collections
 * of young objects, which makes V8 keep twice their size and more.
 */
export class TextMemory {
  #buffer = Buffer.allocUnsafeSlow(0);
  #length = 0;

  /** Its memory is written again after `clear`. */
  fold(text: string): FoldedText {
    const isShort = text.length <= CHUNK_UNITS;
    this.#makeRoom(isShort ? MAX_BYTES_PER_UNIT * text.length : Buffer.byteLength(text) + MAX_CHUNK_BYTES);
    let start = this.#length;
    let last = 0; // the unit written last
    let allBits = 0;
    for (let at = 0; at < text.length; ) {
      const stop = Math.min(text.length, at + CHUNK_UNITS);
      const written = this.#buffer.subarray(start, this.#length);
      // Seldom: few letters need more bytes when they are small.
      if (this.#makeRoom(isShort ? 0 : MAX_CHUNK_BYTES, 2 * written.length)) {
        start = 0;
        this.#length = written.copy(this.#buffer);
      }
      const bytes: Uint8Array = this.#buffer;
      let end = this.#length;
      while (at < stop) {
        let unit = text.charCodeAt(at++);
        if ((unit & 0xf800) === 0xd800) {
          const point = text.codePointAt(at - 1) ?? 0;
          if (point > LAST_UNIT) {
            at++;
            const lower = lowerAstral(point);
            bytes[end++] = 0xf0 | (lower >> 18);
            bytes[end++] = 0x80 | ((lower >> 12) & 0x3f);
            bytes[end++] = 0x80 | ((lower >> 6) & 0x3f);
            bytes[end++] = 0x80 | (lower & 0x3f);
            allBits |= lower;
            last = lower;
            continue;
          }
          unit = REPLACEMENT;
        } else {
          unit = FOLDED[unit] ?? 0;
          if (unit === DROPPED || (unit === SPACE && last === SPACE)) continue;
        }
        last = unit;
        allBits |= unit;
        if (unit < 0x80) {
          bytes[end++] = unit;
        } else if (unit < 0x800) {
          bytes[end++] = 0xc0 | (unit >> 6);
          bytes[end++] = 0x80 | (unit & 0x3f);
        } else {
          bytes[end++] = 0xe0 | (unit >> 12);
          bytes[end++] = 0x80 | ((unit >> 6) & 0x3f);
          bytes[end++] = 0x80 | (unit & 0x3f);
        }
      }
      this.#length = end;
    }
    return { bytes: this.#buffer.subarray(start, this.#length), isAscii: allBits < 0x80 };
  }

  clear(): void {
    this.#length = 0;
  }

  /** True when it has begun another buffer, which has `more` room; the old one stays with those who have a text of it. */
  #makeRoom(bytes: number, more = 0): boolean {
    if (this.#buffer.length - this.#length >= bytes) return false;
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(TEXT_MEMORY_BYTES, bytes + more));
    this.#length = 0;
    return true;
  }
}

const ownMemory = new TextMemory();

/**
 * The words of a folded text, separated by spaces: letters, digits and marks stay, all else becomes a space. Made for
 * FTS5's `ascii` tokenizer, which then finds the same words.
 */
export function tokensOf(folded: string): string {
  let tokens = "";
  let at = 0;
  let wordLength = 0; // of the word or piece that is being written
  while (at < folded.length) {
    let written = 0;
    let allBits = 0;
    while (at < folded.length && written < CHUNK_UNITS - 1) {
      const unit = folded.charCodeAt(at);
      const width = (unit & 0xfc00) === 0xd800 ? 2 : 1;
      const isWord = width === 1 ? IS_WORD[unit] === 1 : isWordAt(folded, at);
      if (!isWord) {
        at += width;
        if (wordLength > 0) wide[written++] = SPACE;
        wordLength = 0;
        continue;
      }
      if (wordLength + width > MAX_WORD_CHARS) {
        at = backBy(folded, at, MAX_QUERY_CHARS);
        wide[written++] = SPACE;
        wordLength = 0;
        continue;
      }
      allBits |= unit;
      wide[written++] = unit;
      if (width === 2) wide[written++] = folded.charCodeAt(at + 1);
      at += width;
      wordLength += width;
    }
    tokens += unitsToString(written, allBits);
  }
  return tokens;
}

/** True when the character at `at` of a folded text belongs to a word. */
export function isWordAt(folded: string, at: number): boolean {
  const unit = folded.charCodeAt(at);
  if ((unit & 0xf800) !== 0xd800) return IS_WORD[unit] === 1;
  const start = (unit & 0xfc00) === 0xdc00 ? at - 1 : at;
  return WORD.test(String.fromCodePoint(folded.codePointAt(start) ?? 0));
}

/** `count` units back, or one more rather than into the middle of a pair. */
function backBy(text: string, at: number, count: number): number {
  const back = at - count;
  return (text.charCodeAt(back) & 0xfc00) === 0xdc00 ? back - 1 : back;
}

/** What was written, with one byte per character when that suffices. */
function unitsToString(written: number, allBits: number): string {
  if (allBits > 0xff) return wideBytes.toString("utf16le", 0, 2 * written);
  narrow.set(wide.subarray(0, written));
  return narrow.toString("latin1", 0, written);
}

function lowerAstral(point: number): number {
  if (point < ASTRAL_CASED.first || point > ASTRAL_CASED.last) return point;
  return String.fromCodePoint(point).toLowerCase().codePointAt(0) ?? point;
}

/** What each code unit becomes. One unit always suffices: no base letter needs more without its diacritics. */
function foldTable(): Uint16Array {
  const table = new Uint16Array(LAST_UNIT + 1);
  for (let unit = 0; unit <= LAST_UNIT; unit++) {
    table[unit] = isPlain(unit) ? unit : foldUnit(String.fromCharCode(unit));
  }
  return table;
}

function foldUnit(char: string): number {
  if (WHITE_SPACE.test(char)) return SPACE;
  if (SINGLE_QUOTES.test(char)) return 0x27;
  if (DOUBLE_QUOTES.test(char)) return 0x22;
  const lower = char.toLowerCase().replaceAll("ς", "σ");
  const base = EUROPEAN.test(char) ? lower.normalize("NFD") : lower;
  const bare = base.replace(DIACRITICS, "");
  return bare === "" ? DROPPED : bare.charCodeAt(0);
}

/** Units that no rule touches, passed over so that the table is there in a few milliseconds. */
function isPlain(unit: number): boolean {
  return (
    (unit >= 0x20 && unit < 0x41) ||
    (unit >= 0x2e80 && unit < 0x3000) ||
    (unit > 0x3000 && unit < 0xa640) ||
    (unit >= 0xac00 && unit < 0xfb00)
  );
}

function wordTable(): Uint8Array {
  const table = new Uint8Array(LAST_UNIT + 1);
  for (let unit = 0; unit <= LAST_UNIT; unit++) {
    const isIdeograph = (unit >= 0x4e00 && unit < 0xa000) || (unit >= 0xac00 && unit < 0xd7a4);
    table[unit] = isIdeograph || WORD.test(String.fromCharCode(unit)) ? 1 : 0;
  }
  return table;
}
