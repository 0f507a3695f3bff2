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

/** Facts of many files in one piece: a store may have a directory for each file or two, and lists of their own would cost more. */
export class FactMemory {
  numbers = new Float64Array(NUMBERS_PER_FILE * 16);
  count = 0;
}

/** The facts of a directory's files, in the order of their names, as one value to compare and to store. */
export class FactList {
  readonly #memory: FactMemory;
  readonly #first: number;
  #count = 0;

  /** @param memory to which no other list is added before this one is complete */
  constructor(memory = new FactMemory()) {
    this.#memory = memory;
    this.#first = memory.count;
  }

  static from(facts: readonly FileFacts[]): FactList {
    const list = new FactList();
    for (const { sizeBytes, mtimeMs, ctimeMs, inode } of facts) list.push(sizeBytes, mtimeMs, ctimeMs, inode);
    return list;
  }

  push(sizeBytes: number, mtimeMs: number, ctimeMs: number, inode: number): void {
    const memory = this.#memory;
    const at = NUMBERS_PER_FILE * memory.count;
    if (at === memory.numbers.length) {
      const larger = new Float64Array(2 * at);
      larger.set(memory.numbers);
      memory.numbers = larger;
    }
    memory.numbers[at] = sizeBytes;
    memory.numbers[at + 1] = mtimeMs;
    memory.numbers[at + 2] = ctimeMs;
    memory.numbers[at + 3] = inode;
    memory.count++;
    this.#count++;
  }

  at(index: number): FileFacts {
    const { numbers } = this.#memory;
    const at = NUMBERS_PER_FILE * (this.#first + index);
    const [sizeBytes = 0, mtimeMs = 0, ctimeMs = 0, inode = 0] = numbers.subarray(at, at + NUMBERS_PER_FILE);
    return { sizeBytes, mtimeMs, ctimeMs, inode };
  }

  mtimeMsAt(index: number): number {
    return this.#memory.numbers[NUMBERS_PER_FILE * (this.#first + index) + 1] ?? 0;
  }

  /** Valid until more is added to the memory. */
  get bytes(): Uint8Array {
    const { buffer, BYTES_PER_ELEMENT } = this.#memory.numbers;
    const bytesPerFile = NUMBERS_PER_FILE * BYTES_PER_ELEMENT;
    return new Uint8Array(buffer, bytesPerFile * this.#first, bytesPerFile * this.#count);
  }
}
