/** The rows of one answer: collects what fits under `limit` and `maxBytes`, and knows where to go on. */
import type { SessionEntry } from "../model.ts";

export class EntryPage {
  readonly entries: SessionEntry[] = [];
  readonly #limit: number;
  readonly #maxBytes: number;
  /** UTF-8 bytes of `entries` as JSON, counted only when `maxBytes` bounds them. */
  #bytes = 2;
  #isFull = false;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** True once a matching row was left out: later rows need only be judged, not built. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Where to go on; undefined when nothing was left out. */
  get nextLineNo(): number | undefined {
    const last = this.entries.at(-1);
    return this.#isFull && last !== undefined ? last.lineNo + 1 : undefined;
  }

  /** Adds all matching rows of one line, or none: a cut never separates them, and the first line always fits. */
  addLine(rows: readonly SessionEntry[]): void {
    if (this.#isFull || rows.length === 0) return;
    const isFirst = this.entries.length === 0;
    const bytes = this.#maxBytes === Number.POSITIVE_INFINITY ? 0 : jsonBytesOf(rows) + (isFirst ? 0 : 1);
    const total = this.#bytes + bytes;
    if (!isFirst && (this.entries.length + rows.length > this.#limit || total > this.#maxBytes)) {
      this.#isFull = true;
      return;
    }
    this.#bytes = total;
    for (const row of rows) this.entries.push(row); // one line can hold more rows than a call takes arguments
  }
}

/** Bytes of the rows inside a JSON array, their commas included; infinite for what cannot be written as JSON. */
function jsonBytesOf(rows: readonly SessionEntry[]): number {
  let bytes = rows.length - 1;
  try {
    for (const row of rows) bytes += Buffer.byteLength(JSON.stringify(row));
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY; // nested too deeply, or longer than a string
    throw error;
  }
  return bytes;
}
