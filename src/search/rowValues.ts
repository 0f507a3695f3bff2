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

/** What a row says of its session; which session launched it follows from the others. */
export function sessionFactsOf(row: Row): SessionFacts {
  const name = textOrNull(row, "name");
  const parentSessionPath = textOrNull(row, "parent_session");
  const lastActivityMs = row["last_activity_ms"] ?? row["started_at_ms"];
  return {
    path: textIn(row, "path"),
    ...(name === null ? {} : { name }),
    cwd: textOrNull(row, "cwd"),
    startedAt: textOrNull(row, "started_at"),
    lastActivityAt: textOrNull(row, "last_activity"),
    lastActivityMs: typeof lastActivityMs === "number" ? lastActivityMs : 0,
    ...(parentSessionPath === null ? {} : { parentSessionPath }),
    isSubagent: row["is_container"] === 1,
  };
}

/** The same sessions, those launched from another one among them with its path. */
export function withLaunchers<T extends { readonly facts: SessionFacts; readonly root: string }>(
  sessions: readonly T[],
): readonly T[] {
  if (!sessions.some(({ facts }) => facts.isSubagent)) return sessions;
  const rootOf = new Map(sessions.map(({ facts, root }) => [facts.path, root]));
  return sessions.map((session) => {
    const { facts, root } = session;
    if (!facts.isSubagent) return session;
    const launchedByPath = launcherOf(facts.path, root, (path) => rootOf.get(path) === root);
    return launchedByPath === undefined ? session : { ...session, facts: { ...facts, launchedByPath } };
  });
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
