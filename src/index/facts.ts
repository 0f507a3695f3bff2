/** What `stat` tells of a file: enough to see that it changed, without reading it. */
import type { Stats } from "node:fs";

/** Times in milliseconds with a fraction: a double resolves a quarter of a microsecond of today's dates. */
export interface FileFacts {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

const DOUBLES_PER_FILE = 4;

export function factsOf(stat: Stats): FileFacts {
  return { sizeBytes: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino };
}

export function areFactsEqual(a: FileFacts, b: FileFacts): boolean {
  return (
    a.sizeBytes === b.sizeBytes && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode
  );
}

/** The facts of a directory's files, in the order of their names, as one value to compare and to store. */
export class FactList {
  #doubles: Float64Array;
  #length = 0;

  constructor(capacity = 16) {
    this.#doubles = new Float64Array(capacity * DOUBLES_PER_FILE);
  }

  static from(facts: readonly FileFacts[]): FactList {
    const list = new FactList(facts.length);
    for (const { sizeBytes, mtimeMs, ctimeMs, inode } of facts) list.push(sizeBytes, mtimeMs, ctimeMs, inode);
    return list;
  }

  push(sizeBytes: number, mtimeMs: number, ctimeMs: number, inode: number): void {
    if (this.#length === this.#doubles.length) {
      const larger = new Float64Array(2 * this.#length + DOUBLES_PER_FILE);
      larger.set(this.#doubles);
      this.#doubles = larger;
    }
    this.#doubles[this.#length++] = sizeBytes;
    this.#doubles[this.#length++] = mtimeMs;
    this.#doubles[this.#length++] = ctimeMs;
    this.#doubles[this.#length++] = inode;
  }

  at(index: number): FileFacts {
    const [sizeBytes = 0, mtimeMs = 0, ctimeMs = 0, inode = 0] = this.#doubles.subarray(
      index * DOUBLES_PER_FILE,
      this.#length,
    );
    return { sizeBytes, mtimeMs, ctimeMs, inode };
  }

  /** Valid until the next `push`. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#doubles.buffer, 0, this.#length * this.#doubles.BYTES_PER_ELEMENT);
  }
}
