/**
 * The one way to `node:sqlite`. Loaded on first use, and silently: Node announces the module as experimental on
 * stderr, which inside Pi is the interface. Says clearly when FTS5 is missing or too old.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { messageOf } from "../session/json.ts";

export type { DatabaseSync, StatementSync };
export type SqliteModule = typeof import("node:sqlite");

/** Primary result codes; node:sqlite reports extended ones, whose low byte is the primary code. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** FTS5 of SQLite 3.43 was the first that deletes from a contentless table. */
const FTS5_PROBE = `
  CREATE VIRTUAL TABLE temp.fts5_probe USING fts5(x, content='', contentless_delete=1, tokenize='ascii');
  DROP TABLE temp.fts5_probe;
`;

let loading: Promise<SqliteModule> | undefined;

export function loadSqlite(): Promise<SqliteModule> {
  loading ??= load();
  return loading;
}

async function load(): Promise<SqliteModule> {
  const emitWarning = process.emitWarning;
  // Synchronous, so that nobody else meets the replaced function.
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes("SQLite")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    const builtin = process.getBuiltinModule?.("node:sqlite");
    if (builtin !== undefined) return builtin;
  } finally {
    process.emitWarning = emitWarning;
  }
  try {
    return await import("node:sqlite");
  } catch (error) {
    throw new Error(`this runtime has no node:sqlite, which the index needs: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** @throws Error that names what is missing when this SQLite cannot hold the index */
export function requireFts5(db: DatabaseSync): void {
  try {
    db.exec(FTS5_PROBE);
  } catch (error) {
    const version = String(db.prepare("SELECT sqlite_version() AS version").get()?.["version"]);
    throw new Error(
      `the SQLite ${version} of this runtime cannot hold the index, which needs FTS5 of SQLite 3.43 or newer ` +
        `(${messageOf(error)}); use Node 22.19 or newer from nodejs.org`,
      { cause: error },
    );
  }
}

/** True when another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = primaryCodeOf(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** True when the file's content is not what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  const code = primaryCodeOf(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** True when a connection that could write no longer can; opened anew it may. */
export function isReadOnly(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_READONLY;
}

/** True for anything that SQLite itself reports. */
export function isSqliteError(error: unknown): boolean {
  return primaryCodeOf(error) !== undefined;
}

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "errcode" in error ? error.errcode : "errno" in error ? error.errno : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}
