import { closeSync, openSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeLine, type LineRange, readLines } from "../../src/session/lines.ts";
import { makeScratch } from "../support/stores.ts";

const tree = makeScratch();
const file = tree.at("bytes");
let fd: number;
beforeAll(() => {
  writeFileSync(file, "");
  fd = openSync(file, "r+");
});
afterAll(() => {
  closeSync(fd);
  tree.remove();
});

interface PlainLine {
  readonly number: number;
  readonly offset: number;
  readonly nextOffset: number;
  readonly content: string;
  readonly isTerminated: boolean;
  readonly isTooLong: boolean;
}

function linesOf(bytes: Uint8Array, range: Partial<LineRange> = {}): PlainLine[] {
  writeFileSync(file, bytes);
  return Array.from(readLines(fd, { toOffset: bytes.length, ...range }), (line) => ({
    number: line.number,
    offset: line.offset,
    nextOffset: line.nextOffset,
    content: line.isTooLong ? "" : line.buffer.toString("latin1", line.start, line.end),
    isTerminated: line.isTerminated,
    isTooLong: line.isTooLong,
  }));
}

/** One byte after the other, with nothing but the rule: LF, CRLF or a lone CR ends a line. */
function slowLinesOf(bytes: Uint8Array, maxLineBytes = Number.POSITIVE_INFINITY): PlainLine[] {
  const lines: PlainLine[] = [];
  let offset = 0;
  const add = (end: number, nextOffset: number) => {
    const number = lines.length + 1;
    const hasBom = number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && end >= 3;
    const isTooLong = end - offset > maxLineBytes;
    const content = Buffer.from(bytes.slice(hasBom ? 3 : offset, end)).toString("latin1");
    const isTerminated = nextOffset > end;
    lines.push({ number, offset, nextOffset, content: isTooLong ? "" : content, isTerminated, isTooLong });
    offset = nextOffset;
  };
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) add(at, ++at + 1);
    else if (bytes[at] === 0x0d || bytes[at] === 0x0a) add(at, at + 1);
  }
  if (offset < bytes.length) add(bytes.length, bytes.length);
  return lines;
}

const part = fc.oneof(
  { arbitrary: fc.constantFrom("\n", "\r\n", "\r", "\r\r\n", "\n\r"), weight: 5 },
  {
    arbitrary: fc.constantFrom("\ufeff", "\u2028", "\u2029", "\u0085", "\0\0\0", "é", "日本", "😀"),
    weight: 2,
  },
  { arbitrary: fc.string({ maxLength: 9 }), weight: 3 },
  { arbitrary: fc.uint8Array({ maxLength: 5 }), weight: 1 },
);
/** A byte order mark, a part of one, or what differs from one in its last byte or two. */
const start = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xef, 0xbb, 0x41], [0xef, 0x41, 0xbf]);
const bytesArbitrary = fc
  .tuple(start, fc.array(part, { maxLength: 14 }))
  .map(([first, parts]) => Buffer.concat([first, ...parts].map((value) => Buffer.from(value as string))));
const blockBytes = fc.integer({ min: 1, max: 7 });
const maxLineBytes = fc.integer({ min: 1, max: 9 });

test("lines of arbitrary bytes equal those of a slow splitter, whatever the block size", () => {
  fc.assert(
    fc.property(bytesArbitrary, blockBytes, (bytes, block) => {
      expect(linesOf(bytes, { blockBytes: block })).toEqual(slowLinesOf(bytes));
    }),
    { numRuns: 1500 },
  );
});

test("overlong lines are numbered and passed over, and their neighbours are whole", () => {
  fc.assert(
    fc.property(bytesArbitrary, blockBytes, maxLineBytes, (bytes, block, max) => {
      expect(linesOf(bytes, { blockBytes: block, maxLineBytes: max })).toEqual(slowLinesOf(bytes, max));
    }),
    { numRuns: 1500 },
  );
});

test("reading on from any line's offset, with its number, gives that very line and the rest", () => {
  fc.assert(
    fc.property(bytesArbitrary, blockBytes, (bytes, block) => {
      const lines = linesOf(bytes);
      for (const [i, line] of lines.entries()) {
        const range = { fromOffset: line.offset, firstNumber: line.number, blockBytes: block };
        expect(linesOf(bytes, range)).toEqual(lines.slice(i));
      }
    }),
    { numRuns: 300 },
  );
});

test("a line's next offset is the next line's offset, and the last one's is the end of the file", () => {
  fc.assert(
    fc.property(bytesArbitrary, (bytes) => {
      const lines = linesOf(bytes);
      lines.forEach((line, i) => {
        expect(line.nextOffset).toBe(lines[i + 1]?.offset ?? bytes.length);
      });
    }),
    { numRuns: 300 },
  );
});

test("what is appended behind toOffset is not read", () => {
  fc.assert(
    fc.property(bytesArbitrary, bytesArbitrary, blockBytes, (bytes, more, block) => {
      const grown = Buffer.concat([bytes, more]);
      expect(linesOf(grown, { toOffset: bytes.length, blockBytes: block })).toEqual(slowLinesOf(bytes));
    }),
    { numRuns: 300 },
  );
});

test("a file that shrank since it was opened ends where it ends now", () => {
  const missing = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(bytesArbitrary, missing, blockBytes, maxLineBytes, (bytes, more, block, max) => {
      const range = { toOffset: bytes.length + more, blockBytes: block, maxLineBytes: max };
      expect(linesOf(bytes, range)).toEqual(slowLinesOf(bytes, max));
    }),
    { numRuns: 1000 },
  );
});

test("a range that ends where it starts, or before, has no lines", () => {
  const bytes = Buffer.from("one\ntwo\nthree");
  for (const toOffset of [4, 3, 0]) expect(linesOf(bytes, { fromOffset: 4, toOffset })).toEqual([]);
});

test("lines of many files read into one memory are those of each file read alone", () => {
  const size = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(fc.array(bytesArbitrary, { maxLength: 4 }), size, blockBytes, (files, bytes, block) => {
      const memory = { buffer: Buffer.alloc(bytes) };
      for (const content of files)
        expect(linesOf(content, { memory, blockBytes: block })).toEqual(slowLinesOf(content));
    }),
    { numRuns: 500 },
  );
});

test("memory that has grown is kept for the next file", () => {
  const memory = { buffer: Buffer.alloc(1) };
  linesOf(Buffer.alloc(1000, "x"), { memory });
  const grown = memory.buffer;
  linesOf(Buffer.alloc(1000, "y"), { memory });
  expect(memory.buffer).toBe(grown);
  expect(grown.toString("latin1", 0, 1000)).toBe("y".repeat(1000));
});

test("memory is one block or eight times the longest line, and no more than what is to be read", () => {
  fc.assert(
    fc.property(bytesArbitrary, fc.nat(20), blockBytes, fc.nat(), (some, times, block, from) => {
      const bytes = Buffer.concat(Array(times).fill(some));
      const lines = slowLinesOf(bytes);
      const longest = Math.max(0, ...lines.map(({ offset, nextOffset }) => nextOffset - offset));
      const fromOffset = lines[from % (lines.length || 1)]?.offset ?? 0;
      writeFileSync(file, bytes);
      const bound = Math.min(Math.max(block, 8 * longest), bytes.length - fromOffset);
      for (const { buffer } of readLines(fd, { fromOffset, toOffset: bytes.length, blockBytes: block }))
        expect(buffer.length).toBeLessThanOrEqual(bound);
    }),
    { numRuns: 1000 },
  );
});

test("an empty file has no lines, and a final line break makes no further one", () => {
  expect(linesOf(Buffer.from(""))).toEqual([]);
  for (const lineBreak of ["\n", "\r\n", "\r"]) {
    expect(linesOf(Buffer.from(`a${lineBreak}`)).map(({ content }) => content)).toEqual(["a"]);
    expect(linesOf(Buffer.from(`a${lineBreak}${lineBreak}`)).map(({ content }) => content)).toEqual([
      "a",
      "",
    ]);
  }
});

test("a byte order mark is left out of line 1 and of no other", () => {
  writeFileSync(file, "\ufeffone\n\ufefftwo");
  const texts = Array.from(readLines(fd, { toOffset: 14, blockBytes: 1 }), decodeLine);
  expect(texts).toEqual(["one", "\ufefftwo"]);
});

test("ill-formed UTF-8 decodes to U+FFFD without touching its neighbours", () => {
  writeFileSync(file, Buffer.from([0x61, 0xff, 0x0a, 0xc3, 0x0a, 0x62]));
  expect(Array.from(readLines(fd, { toOffset: 6 }), decodeLine)).toEqual(["a\ufffd", "\ufffd", "b"]);
});

test("an overlong line is never held: the buffer stays near the bound", () => {
  const bytes = Buffer.alloc(400_000, "x");
  bytes.write("\nshort", bytes.length - 6);
  writeFileSync(file, bytes);
  const buffers: number[] = [];
  for (const line of readLines(fd, { toOffset: bytes.length, maxLineBytes: 1000, blockBytes: 512 })) {
    buffers.push(line.buffer.length);
  }
  expect(buffers).toHaveLength(2);
  expect(Math.max(...buffers)).toBeLessThanOrEqual(4096);
});
