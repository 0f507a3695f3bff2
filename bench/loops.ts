/** The bare loops that floors are made of: what the work costs when nothing is promised. */
import { closeSync, openSync, readSync } from "node:fs";

const LF = 0x0a;
const BLOCK_BYTES = 1 << 20;

/** Reads a file in 1 MiB blocks, splits it at LF and parses each line. Returns how many there were. */
export function parseEachLine(path: string, use: (value: unknown) => void): number {
  const fd = openSync(path, "r");
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let begun: Buffer[] = []; // the line that the blocks before this one left unfinished
  let lines = 0;
  for (let filled = readSync(fd, block); filled > 0; filled = readSync(fd, block)) {
    const read = block.subarray(0, filled);
    let start = 0;
    for (let end = read.indexOf(LF); end !== -1; end = read.indexOf(LF, start)) {
      const text =
        begun.length === 0
          ? read.toString("utf8", start, end)
          : Buffer.concat([...begun, read.subarray(0, end)]).toString("utf8");
      use(JSON.parse(text));
      begun = [];
      lines++;
      start = end + 1;
    }
    if (start < filled) begun.push(Buffer.from(read.subarray(start)));
  }
  closeSync(fd);
  if (begun.length === 0) return lines;
  use(JSON.parse(Buffer.concat(begun).toString("utf8")));
  return lines + 1;
}
