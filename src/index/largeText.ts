/**
 * A text of many megabytes becomes rows in pieces: folded whole it would exist in six forms at once. A piece ends where
 * neither folding nor the words can tell: behind a character that belongs to no word, before a letter or a digit.
 */
import { fold, tokensOf } from "./fold.ts";

/** Longer texts are not kept folded. In UTF-16 code units. */
export const LARGE_TEXT_CHARS = 1 << 20;

const PIECE_CHARS = 1 << 17;
const BORDER = /[\p{P}\p{S}\p{Z}\s][\p{L}\p{N}]/gu;
/** UTF-8 bytes of one UTF-16 code unit, at the most. */
const MAX_BYTES_PER_CHAR = 3;

/** The folded text as UTF-8. Valid until `tokens` is called with the same `buffer`. */
export function foldLarge(text: string, buffer: GrowingBuffer): Uint8Array {
  buffer.clear();
  for (const piece of piecesOf(text)) buffer.append(fold(piece));
  return buffer.bytes;
}

/** The words of the folded text as UTF-8; `use` is called with the words of each piece. */
export function tokensOfLarge(
  text: string,
  buffer: GrowingBuffer,
  use: (tokens: string) => void,
): Uint8Array {
  buffer.clear();
  for (const piece of piecesOf(text)) {
    const tokens = tokensOf(fold(piece));
    use(tokens);
    buffer.append(tokens);
    // The last word of a piece must not meet the first of the next.
    buffer.append(" ");
  }
  return buffer.bytes;
}

export function* piecesOf(text: string, pieceChars = PIECE_CHARS): Generator<string, void, undefined> {
  let start = 0;
  while (start < text.length) {
    BORDER.lastIndex = start + pieceChars;
    const border = BORDER.exec(text);
    // The last character but one may be a pair.
    const end = border === null ? text.length : BORDER.lastIndex - lastCharLength(border[0]);
    yield text.slice(start, end);
    start = end;
  }
}

function lastCharLength(text: string): number {
  return /[\ud800-\udbff][\udc00-\udfff]$/.test(text) ? 2 : 1;
}

/** One block of memory for texts that come in pieces. */
export class GrowingBuffer {
  #buffer: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafeSlow(capacity);
  }

  clear(): void {
    this.#length = 0;
  }

  append(text: string): void {
    const needed = this.#length + MAX_BYTES_PER_CHAR * text.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.ceil(1.25 * needed));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#length += this.#buffer.write(text, this.#length, "utf8");
  }

  /** What was appended; valid until the next call of `append` or `clear`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
