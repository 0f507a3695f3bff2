/** What `stat` tells of a file: enough to see that it changed, without reading it. */
import type { Stats } from "node:fs";

/** Times in milliseconds with a fraction: a double resolves a quarter of a microsecond of today's dates. */
export interface FileFacts {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

const NUMBERS_PER_FILE = 4;

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
  readonly #numbers: number[] = [];

  static from(facts: readonly FileFacts[]): FactList {
    const list = new FactList();
    for (const { sizeBytes, mtimeMs, ctimeMs, inode } of facts) list.push(sizeBytes, mtimeMs, ctimeMs, inode);
    return list;
  }

  push(sizeBytes: number, mtimeMs: number, ctimeMs: number, inode: number): void {
    this.#numbers.push(sizeBytes, mtimeMs, ctimeMs, inode);
  }

  at(index: number): FileFacts {
    const first = index * NUMBERS_PER_FILE;
    const [sizeBytes = 0, mtimeMs = 0, ctimeMs = 0, inode = 0] = this.#numbers.slice(
      first,
      first + NUMBERS_PER_FILE,
    );
    return { sizeBytes, mtimeMs, ctimeMs, inode };
  }

  get bytes(): Uint8Array {
    return new Uint8Array(Float64Array.from(this.#numbers).buffer);
  }
}
