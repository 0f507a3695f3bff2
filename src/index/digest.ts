/**
 * Recognises the part of a file that was read: by its header and by the last 64 KiB before the offset reached. A
 * checksum suffices, for it guards against accidents: who means to deceive can edit further back.
 */
import { readSync } from "node:fs";
import { crc32 } from "node:zlib";

export const TAIL_BYTES = 64 * 1024;
export const MAX_DIGESTED_HEADER_BYTES = 64 * 1024;

const buffer = Buffer.allocUnsafeSlow(TAIL_BYTES);

/**
 * Reads at most 128 KiB. When the file was cut short, what is missing does not count, so the digest differs.
 *
 * @param headerBytes how much of line 1 counts
 */
export function digestOf(fd: number, headerBytes: number, reachedBytes: number): Uint8Array {
  const tailStart = Math.max(0, reachedBytes - TAIL_BYTES);
  const header = tailStart === 0 ? 0 : crc32(readAt(fd, 0, Math.min(headerBytes, MAX_DIGESTED_HEADER_BYTES)));
  const tail = crc32(readAt(fd, tailStart, reachedBytes - tailStart));
  return new Uint8Array(Uint32Array.of(header, tail).buffer);
}

/** Valid until the next call. */
function readAt(fd: number, position: number, length: number): Buffer {
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
