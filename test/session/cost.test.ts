/** Costs that must stay linear whatever a file holds. Work is counted, never timed. */
import { closeSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readLines } from "../../src/session/lines.ts";
import { openRegularFile } from "../../src/session/store.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "pi-retrospect-cost-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

test.each([
  ["LF", "x\n".repeat(50_000)],
  ["lone CR", "x\r".repeat(50_000)],
  ["CR LF", "x\r\n".repeat(50_000)],
  ["one long line, then short ones ended by CR", `${"y".repeat(3_000_000)}\r${"x\r".repeat(50_000)}`],
  ["one long line, then short ones ended by LF", `${"y".repeat(3_000_000)}\n${"x\n".repeat(50_000)}`],
])("every byte is searched a few times at most: %s", (_ends, content) => {
  const file = path.join(directory, "a.jsonl");
  writeFileSync(file, content);
  let searched = 0;
  const indexOf = Buffer.prototype.indexOf;
  vi.spyOn(Buffer.prototype, "indexOf").mockImplementation(function (this: Buffer, value, from) {
    const found = indexOf.call(this, value as number, from as number);
    searched += (found === -1 ? this.length : found) - Number(from ?? 0);
    return found;
  });
  let lines = 0;
  const { fd, size } = openRegularFile(file);
  for (const line of readLines(fd, { toOffset: size, blockBytes: 4096 })) lines += line.isTooLong ? 0 : 1;
  closeSync(fd);
  expect(lines).toBeGreaterThanOrEqual(50_000);
  expect(searched).toBeLessThanOrEqual(4 * content.length);
});
