/** The generated samples with what the contract makes of each, and ways to compare an answer with it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Manifest } from "../../scripts/generate/model.ts";
import type { SessionMetadata } from "../../src/model.ts";

export const GENERATED = path.resolve(import.meta.dirname, "../../samples/generated");
export const RECORDED = path.resolve(import.meta.dirname, "../../samples/recorded");

export const generated = JSON.parse(readFileSync(path.join(GENERATED, "manifest.json"), "utf8")) as Manifest;

export interface RecordedSession {
  readonly name: string;
  readonly path: string;
  readonly shows: string;
}
export const recorded = JSON.parse(
  readFileSync(path.join(RECORDED, "manifest.json"), "utf8"),
) as readonly RecordedSession[];

/** Manifest paths are relative to the samples. */
export function generatedPath(relative: string): string {
  return path.join(GENERATED, relative);
}

export interface FlatRow extends Omit<SessionMetadata, "subagentSessions"> {
  readonly parent?: string;
}

/** Rows in the order of the answer, each followed by its subtree; `parent` is the path of the row above. */
export function flatten(sessions: readonly SessionMetadata[], parent?: string): FlatRow[] {
  return sessions.flatMap(({ subagentSessions, ...row }) => [
    parent === undefined ? row : { ...row, parent },
    ...flatten(subagentSessions, row.path),
  ]);
}
