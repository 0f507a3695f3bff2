/** A throwaway root with session files made of plain values, and shorthands for the entries in them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { StoreOptions } from "../../src/model.ts";

export interface Store {
  readonly options: StoreOptions;
  readonly directory: string;
  /** Writes the lines below a header of that version; a string is a line as it stands. Returns the file's path. */
  write(lines: readonly (object | string)[], version?: number): string;
  writeBytes(bytes: string | Uint8Array): string;
}

/** Removed when the test file is done. */
export function makeStore(): Store {
  const root = mkdtempSync(path.join(tmpdir(), "transcript-"));
  const directory = path.join(root, "--project--");
  mkdirSync(directory);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  let count = 0;
  const writeBytes = (bytes: string | Uint8Array) => {
    const file = path.join(directory, `s${count++}.jsonl`);
    writeFileSync(file, bytes);
    return file;
  };
  const write = (lines: readonly (object | string)[], version = 3) =>
    writeBytes([headerOf(version), ...lines].map(lineOf).join("\n").concat("\n"));
  return { options: { sessionsRoot: root }, directory, write, writeBytes };
}

export function headerOf(version: number): object {
  return { type: "session", version, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/project" };
}

export function lineOf(line: object | string): string {
  return typeof line === "string" ? line : JSON.stringify(line);
}

export function entry(type: string, id: string | null, parentId: string | null, fields: object = {}): object {
  return { type, ...(id === null ? {} : { id }), parentId, timestamp: "2026-01-01T00:00:00.000Z", ...fields };
}

export function message(
  id: string | null,
  parentId: string | null,
  content: unknown = `text of ${id}`,
  role = "user",
  fields: object = {},
): object {
  return entry("message", id, parentId, { message: { role, content, ...fields } });
}

/** A chain of user messages m0, m1, … */
export function chain(length: number): object[] {
  return Array.from({ length }, (_, i) => message(`m${i}`, i === 0 ? null : `m${i - 1}`));
}
