/**
 * A text of many megabytes becomes rows in pieces, as UTF-8: as strings its forms would take several times its length
 * at once. A piece of the text ends where folding cannot tell, behind a character that belongs to no word and before a
 * letter or a digit; a piece of the folded text ends at a space.
 */
import { fold, tokensOf } from "./fold.ts";

/** Longer texts are not kept as strings. In UTF-16 code units. */
export const LARGE_TEXT_CHARS = 1 << 20;

const PIECE_CHARS = 1 << 17;
const BORDER = /[\p{P}\p{S}\p{Z}\s][\p{L}\p{N}]/gu;
const SPACE = 0x20;
/** UTF-8 bytes of one UTF-16 code unit, at the most. */
const MAX_BYTES_PER_CHAR = 3;

export function foldLarge(text: string): Buffer {
  const folded = new GrowingBuffer(Buffer.byteLength(text));
  for (const piece of piecesOf(text)) folded.append(fold(piece));
  return folded.bytes;
}

/** The words of a folded text as `tokensOf` writes them, piece by piece. */
export function* tokensOfLarge(folded: Buffer, pieceBytes = PIECE_CHARS): Generator<string, void, undefined> {
  for (let start = 0; start < folded.length; ) {
    const space = folded.indexOf(SPACE, start + pieceBytes);
    const end = space === -1 ? folded.length : space + 1;
    yield tokensOf(folded.toString("utf8", start, end));
    start = end;
  }
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

/** UTF-8 that comes in pieces. */
class GrowingBuffer {
  #buffer: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafeSlow(capacity);
  }

  append(text: string): void {
    const room = this.#buffer.length - this.#length;
    if (room < MAX_BYTES_PER_CHAR * text.length) {
      const missing = Buffer.byteLength(text) - room;
      if (missing > 0) {
        const larger = Buffer.allocUnsafeSlow(Math.ceil(1.25 * (this.#buffer.length + missing)));
        this.#buffer.copy(larger, 0, 0, this.#length);
        this.#buffer = larger;
      }
    }
    this.#length += this.#buffer.write(text, this.#length, "utf8");
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
