/**
 * What git prints about its index and blobs, parsed strictly: one deviation and there is no answer. Pure.
 */
import { decodeUtf8 } from "./utf8.ts";

/** The index or what it holds cannot be told without guessing. */
export class InventoryError extends Error {
  override readonly name = "InventoryError";
}

export interface IndexEntry {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly mode: "100644" | "100755" | "120000" | "160000";
  readonly blob: string;
}

const RECORD = /^(100644|100755|120000|160000) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-3])\t(.+)$/s;
const BLOB_HEADER = /^([0-9a-f]+) blob (0|[1-9][0-9]*)$/;
const LF = 0x0a;

/** The output of `git ls-files --stage -z`. */
export function parseIndex(output: Uint8Array): readonly IndexEntry[] {
  const text = decodeStrictly(output, "a path in the index");
  if (text === "") return [];
  if (!text.endsWith("\0")) throw new InventoryError("the list of the index is cut off");
  return text.slice(0, -1).split("\0").map(parseRecord);
}

function parseRecord(record: string): IndexEntry {
  const [, mode, blob, stage, path] = RECORD.exec(record) ?? [];
  if (blob === undefined || path === undefined || !isMode(mode)) {
    throw new InventoryError("the index holds an entry of unknown form");
  }
  if (stage !== "0") throw new InventoryError("the index holds conflicts");
  return { path, mode, blob };
}

function isMode(mode: string | undefined): mode is IndexEntry["mode"] {
  return mode === "100644" || mode === "100755" || mode === "120000" || mode === "160000";
}

/** The output of `git cat-file --batch` for these blobs, in this order: each one's text. */
export function parseBlobs(output: Uint8Array, blobs: readonly string[]): readonly string[] {
  let at = 0;
  const texts = blobs.map((blob) => {
    const headerEnd = output.indexOf(LF, at);
    const header =
      headerEnd === -1 ? "" : decodeStrictly(output.subarray(at, headerEnd), "an object's header");
    const [, found, size] = BLOB_HEADER.exec(header) ?? [];
    if (found !== blob) throw new InventoryError("an indexed file cannot be read");
    const start = headerEnd + 1;
    const end = start + Number(size);
    if (output[end] !== LF) throw new InventoryError("an indexed file is cut off");
    at = end + 1;
    return decodeStrictly(output.subarray(start, end), "an indexed package.json");
  });
  if (at !== output.length) throw new InventoryError("git answered with more than was asked for");
  return texts;
}

function decodeStrictly(bytes: Uint8Array, what: string): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new InventoryError(`${what} is not UTF-8`);
  }
}
