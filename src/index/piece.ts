/** What reading a session file gives: pieces that are ready to be stored, and the memory that they lie in. */
import type { LineMemory } from "../session/lines.ts";
import type { FileFacts } from "./facts.ts";
import { type FoldedText, TextMemory } from "./fold.ts";
import type { FileRecord, Problem } from "./record.ts";
import type { KindCode } from "./schema.ts";

/** A searchable text and where it stands. */
export interface MessageRow {
  readonly kind: KindCode;
  readonly lineNo: number;
  readonly lineOffset: number;
  readonly lineBytes: number;
  readonly lineEntry: number;
  readonly timeMs: number;
  readonly timestamp: string;
  readonly entryId: string | null;
  /** Until the memory that it was read into is used again. */
  readonly folded: FoldedText;
}

/** A part of a file, ready to be stored. */
export interface FilePiece {
  readonly facts: FileFacts;
  /** True when all that was stored of the file is to go first. */
  readonly isFromStart: boolean;
  /** The record after this piece; a text when the file is no session. */
  readonly record: Readonly<FileRecord> | { readonly refusal: string };
  readonly digest: Uint8Array | null;
  readonly messages: readonly MessageRow[];
  readonly problems: readonly Problem[];
  /** False when more of the file follows. */
  readonly isLast: boolean;
  readonly bytesRead: number;
  readonly textChars: number;
}

export interface StoredReading {
  readonly record: FileRecord;
  readonly digest: Uint8Array;
}

/** What a file is read into; no two readings may use one at a time. */
export interface ReadingMemory {
  readonly lines: LineMemory;
  readonly texts: TextMemory;
}

/** One buffer for all files: fresh memory for each would cost as much as reading them. */
const READ_BYTES = 1 << 20;

export function newReadingMemory(): ReadingMemory {
  return { lines: { buffer: Buffer.allocUnsafeSlow(READ_BYTES) }, texts: new TextMemory() };
}

/** How much a piece may take; it ends behind the line that reaches one of these. */
export interface PieceLimits {
  readonly maxTextChars: number;
  readonly maxBytes: number;
  readonly isTimeUp: () => boolean;
}
