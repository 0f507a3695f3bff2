/** Rows of the index to values: what a column holds, the facts of a session, the columns of messages file by file. */
import type { Row } from "../index/database.ts";
import { USER_MESSAGE } from "../index/schema.ts";
import { type FileColumns, parseNumbers } from "./columns.ts";
import { launcherOf } from "./launcher.ts";
import type { SessionFacts } from "./view.ts";

export function numberIn(row: Row | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

export function textIn(row: Row | undefined, column: string): string {
  return textOrNull(row, column) ?? "";
}

export function textOrNull(row: Row | undefined, column: string): string | null {
  const value = row?.[column];
  return typeof value === "string" ? value : null;
}

/** Reads the facts of rows, among which the launching sessions are found by their paths. */
export function sessionFacts(rows: readonly Row[]): (row: Row) => SessionFacts {
  const rootOf = new Map(rows.map((row) => [textIn(row, "path"), textIn(row, "root")]));
  return (row) => {
    const path = textIn(row, "path");
    const root = textIn(row, "root");
    const isSubagent = row["is_container"] === 1;
    const launchedByPath = isSubagent
      ? launcherOf(path, root, (candidate) => rootOf.get(candidate) === root)
      : undefined;
    const name = textOrNull(row, "name");
    const parentSessionPath = textOrNull(row, "parent_session");
    const lastActivityMs = row["last_activity_ms"] ?? row["started_at_ms"];
    return {
      path,
      ...(name === null ? {} : { name }),
      cwd: textOrNull(row, "cwd"),
      startedAt: textOrNull(row, "started_at"),
      lastActivityAt: textOrNull(row, "last_activity"),
      lastActivityMs: typeof lastActivityMs === "number" ? lastActivityMs : 0,
      ...(parentSessionPath === null ? {} : { parentSessionPath }),
      isSubagent,
      ...(launchedByPath === undefined ? {} : { launchedByPath }),
    };
  };
}

/** Rows of one kind to columns per file. */
export function columnsOf(row: Row | undefined): ReadonlyMap<number, FileColumns> {
  const [files, ids, kinds, times, words] = ["files", "ids", "kinds", "times", "words"].map((name) =>
    parseNumbers(textIn(row, name)),
  );
  const positions = new Map<number, number[]>();
  for (const [at, fileId] of (files ?? []).entries()) {
    const known = positions.get(fileId);
    if (known === undefined) positions.set(fileId, [at]);
    else known.push(at);
  }
  const pick = (column: Float64Array | undefined, at: readonly number[]) =>
    Float64Array.from(at, (position) => column?.[position] ?? 0);
  return new Map(
    Array.from(positions, ([fileId, at]) => {
      const isUser = Uint8Array.from(at, (position) => (kinds?.[position] === USER_MESSAGE ? 1 : 0));
      return [fileId, { ids: pick(ids, at), isUser, timestampMs: pick(times, at), words: pick(words, at) }];
    }),
  );
}
