/**
 * Bytes to numbered physical lines. The one place that knows where a line ends: at LF, CRLF or a lone CR
 * (U+2028 and U+2029 are data); a final line break makes no further line. Memory is one block, or up to
 * eight times the longest line, and never more than the file.
 */
import { constants } from "node:buffer";
import { readSync } from "node:fs";

export const LF = 0x0a;
export const CR = 0x0d;
/** A longer line cannot become a string in this runtime: it is numbered and passed over, never held. */
export const MAX_LINE_BYTES = constants.MAX_STRING_LENGTH;

const BLOCK_BYTES = 1 << 18;
const BOM = [0xef, 0xbb, 0xbf] as const;

/** One physical line. `buffer` is shared: decode before asking for the next line. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  /** File position of the line's first byte, and of the byte after its line break. */
  readonly offset: number;
  readonly nextOffset: number;
  /** The content without line break lies in `buffer` from `start` to `end`. */
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  /** False for a last line without a line break. */
  readonly isTerminated: boolean;
  /** True when the line exceeds `MAX_LINE_BYTES`; its content is not kept then. */
  readonly isTooLong: boolean;
}

export interface LineRange {
  /** File position to start at; must be the first byte of a line. Default 0. */
  readonly fromOffset?: number;
  /** File position to stop at, so that a growing file is read as it was when opened. */
  readonly toOffset: number;
  /** Number of the first line. Default 1. */
  readonly firstNumber?: number;
  /** Longest line that is kept, in bytes. Default `MAX_LINE_BYTES`. */
  readonly maxLineBytes?: number;
  /** Bytes asked for at once. Default 256 KiB. */
  readonly blockBytes?: number;
  /** Memory to read into, for who reads many files, one after the other. Default its own. */
  readonly memory?: LineMemory;
}

/** Grows with the longest line and is kept, so that many long lines do not leave a trail of garbage. */
export interface LineMemory {
  buffer: Buffer;
}

/** The line's text. Ill-formed UTF-8 becomes U+FFFD. */
export function decodeLine(line: Line): string {
  return line.buffer.toString("utf8", line.start, line.end);
}

/** How many bytes of byte order mark the first `end` bytes begin with: 0 or 3. */
export function bomLength(buffer: Buffer, end: number): 0 | 3 {
  return end >= BOM.length && BOM.every((byte, i) => buffer[i] === byte) ? 3 : 0;
}

/** Reads the lines of an open file in order. A byte order mark is left out of line 1 and of no other. */
export function* readLines(fd: number, range: LineRange): Generator<Line, void, undefined> {
  const {
    fromOffset = 0,
    toOffset,
    firstNumber = 1,
    maxLineBytes = MAX_LINE_BYTES,
    blockBytes = BLOCK_BYTES,
  } = range;
  let buffer =
    range.memory?.buffer ?? Buffer.allocUnsafe(Math.max(1, Math.min(blockBytes, toOffset - fromOffset)));
  let filled = 0; // bytes of the file in `buffer`
  let content = buffer.subarray(0, 0); // those bytes: what lies behind is stale and not searched
  let position = fromOffset; // file position of the byte after them
  let start = 0; // first byte of the current line
  let scanned = 0; // bytes already searched for a line break
  let nextLf = -1; // position of the first LF at or after `scanned`, or `filled` when there is none; -1: not known
  let nextCr = -1; // the same for CR
  let dropped = 0; // bytes of an overlong line that were let go
  let isAtEnd = position >= toOffset;
  let number = firstNumber;

  for (;;) {
    if (nextLf < scanned) nextLf = positionOf(content, LF, scanned);
    if (nextCr < scanned) nextCr = positionOf(content, CR, scanned);
    const lineEnd = Math.min(nextLf, nextCr);
    const isUndecidedCr = lineEnd === filled - 1 && nextCr === lineEnd && !isAtEnd; // LF may follow in the next block
    if (lineEnd < filled && !isUndecidedCr) {
      const breakLength =
        buffer[lineEnd] === CR && lineEnd + 1 < filled && buffer[lineEnd + 1] === LF ? 2 : 1;
      const offset = position - filled + start - dropped;
      const skipped = offset === 0 ? bomLength(buffer, lineEnd) : 0;
      const nextOffset = position - filled + lineEnd + breakLength;
      const isTooLong = dropped + lineEnd - start > maxLineBytes;
      yield {
        number,
        offset,
        nextOffset,
        buffer,
        start: start + skipped,
        end: lineEnd,
        isTerminated: true,
        isTooLong,
      };
      number++;
      start = lineEnd + breakLength;
      scanned = start;
      dropped = 0;
      continue;
    }
    scanned = isUndecidedCr ? lineEnd : filled;
    if (isAtEnd) break;
    // Keep the unfinished line at the front and read on behind it.
    if (start > 0) {
      buffer.copyWithin(0, start, filled);
      filled -= start;
      scanned -= start;
      start = 0;
    }
    if (dropped + scanned > maxLineBytes) {
      dropped += scanned;
      buffer.copyWithin(0, scanned, filled);
      filled -= scanned;
      scanned = 0;
    }
    nextLf = -1;
    nextCr = -1;
    if (filled === buffer.length) {
      // In few steps, for each leaves its memory behind; what is not filled costs none.
      const larger = Buffer.allocUnsafeSlow(Math.min(8 * buffer.length, filled + toOffset - position));
      buffer.copy(larger, 0, 0, filled);
      buffer = larger;
      if (range.memory !== undefined) range.memory.buffer = larger;
    }
    const room = Math.min(buffer.length - filled, blockBytes, toOffset - position);
    const read = readSync(fd, buffer, filled, room, position);
    if (read === 0) isAtEnd = true;
    filled += read;
    content = buffer.subarray(0, filled);
    position += read;
    if (position >= toOffset) isAtEnd = true;
  }
  if (filled > start || dropped > 0) {
    const offset = position - filled + start - dropped;
    const skipped = offset === 0 ? bomLength(buffer, filled) : 0;
    const isTooLong = dropped + filled - start > maxLineBytes;
    yield {
      number,
      offset,
      nextOffset: position,
      buffer,
      start: start + skipped,
      end: filled,
      isTerminated: false,
      isTooLong,
    };
  }
}

/** Position of the byte, or the end of the content: then it is not looked for again before more is read. */
function positionOf(content: Buffer, byte: number, from: number): number {
  const found = content.indexOf(byte, from);
  return found === -1 ? content.length : found;
}
