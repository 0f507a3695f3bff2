/** The raw text of a message that is known by its place in a session file, read for the few that are shown. */
import { readSync, statSync } from "node:fs";
import { fold } from "../index/fold.ts";
import { judgeLine } from "../session/entry.ts";
import { withRegularFile } from "../session/store.ts";
import { textOf } from "../session/text.ts";

export interface MessagePlace {
  readonly path: string;
  readonly version: number;
  /** Where its line lies, in bytes, without the line break. */
  readonly offset: number;
  readonly bytes: number;
  readonly folded: string;
}

/** The text that stands there now, when it is the one that was indexed; undefined when it is not or cannot be read. */
export function readRawText({ path, version, offset, bytes, folded }: MessagePlace): string | undefined {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  try {
    withRegularFile(path, ({ fd }) => {
      while (filled < bytes) {
        const read = readSync(fd, buffer, filled, bytes - filled, offset + filled);
        if (read === 0) break;
        filled += read;
      }
    });
  } catch {
    return undefined; // changed or gone since it was indexed: the caller has the folded text
  }
  const line = {
    number: 2,
    offset,
    nextOffset: offset + filled,
    buffer,
    start: 0,
    end: filled,
    isTerminated: true,
    isTooLong: false,
  };
  const texts = judgeLine(line, version).entries.map(({ raw }) => textOf(raw) ?? "");
  return texts.find((text) => fold(text) === folded);
}

export function isStillThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return true; // it cannot be looked at, which is no sign that it is gone
  }
}
