/**
 * Opens the index so that nothing needs a hand: creates it, replaces one of another version or a damaged one, and
 * reads along when it cannot be written. Only what is not ours is refused, by `IndexRefusedError`.
 */
import { statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { messageOf } from "../session/json.ts";
import { type Connection, IndexDatabase } from "./database.ts";
import {
  ensurePrivateFile,
  IndexRefusedError,
  inodeOf,
  isBeingReplaced,
  isMarkedAsOurs,
  preparePrivateDirectory,
  refuseIrregularFiles,
  replaceIndexFile,
  tightenFiles,
} from "./files.ts";
import { APPLICATION_ID, CREATION_PRAGMAS, createTables, SCHEMA_VERSION } from "./schema.ts";
import { type DatabaseSync, isBusy, isDamage, loadSqlite, requireFts5, type SqliteModule } from "./sqlite.ts";

/** How long one call into SQLite may wait for a lock; it holds the event loop meanwhile. */
export const BUSY_TIMEOUT_MS = 100;
const CACHE_KIB = 6144;
/** 40 MB of log before it is copied back: fewer copies of the same pages during a cold build. */
const CHECKPOINT_PAGES = 2500;
/** Opening meets short exclusive locks: another process that creates, recovers or replaces the file. */
const OPEN_PATIENCE_MS = 5000;
const REOPEN_PATIENCE_MS = 250;
const OPEN_RETRY_MS = 20;

type Found = "ours" | "other-version" | "empty" | "foreign";

/**
 * @param indexPath a relative path is resolved against the process's directory
 * @throws IndexRefusedError when what stands there is not ours; Error when this runtime cannot hold the index
 */
export async function openIndex(indexPath: string): Promise<IndexDatabase> {
  const sqlite = await loadSqlite();
  const resolved = path.resolve(indexPath);
  const connection = await connect(sqlite, resolved, true, OPEN_PATIENCE_MS);
  return new IndexDatabase(resolved, connection, async (isDamaged) => {
    if (isDamaged) replaceIndexFile(resolved, inodeOf(resolved));
    // A version that another process has just put there stays: two versions would replace each other for ever.
    return await connect(sqlite, resolved, isDamaged, REOPEN_PATIENCE_MS);
  });
}

/**
 * Throws the index away and opens an empty one. The next sync fills it.
 *
 * @throws IndexRefusedError when what stands there is not ours
 */
export async function rebuildIndex(index: IndexDatabase): Promise<void> {
  if (!index.isWritable)
    throw new Error(`the index cannot be rebuilt: ${index.failure ?? "it is read-only"}`);
  await index.replaceDamaged();
}

async function connect(
  sqlite: SqliteModule,
  indexPath: string,
  mayReplace: boolean,
  patienceMs: number,
): Promise<Connection> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    try {
      if (!isBeingReplaced(indexPath)) {
        const db = openForWriting(sqlite, indexPath, mayReplace);
        if (db !== undefined) return { db, isWritable: true, inode: inodeOf(indexPath) };
      }
    } catch (error) {
      if (error instanceof IndexRefusedError) throw error;
      if (!isBusy(error)) return openForReading(sqlite, indexPath, messageOf(error));
    }
    if (performance.now() > deadlineMs) return openForReading(sqlite, indexPath, "database is locked");
    await sleep(OPEN_RETRY_MS);
  }
}

/** The database, ready; undefined when its file was moved or replaced meanwhile and the caller should try again. */
function openForWriting(
  sqlite: SqliteModule,
  indexPath: string,
  mayReplace: boolean,
): DatabaseSync | undefined {
  preparePrivateDirectory(indexPath);
  ensurePrivateFile(indexPath);
  const inode = inodeOf(indexPath);
  // Before SQLite may write: it would put a log that an index left here into whatever has taken its place.
  if (sizeOf(indexPath) > 0 && !isOursByItself(sqlite, indexPath)) throw foreignError(indexPath);
  const db = new sqlite.DatabaseSync(indexPath);
  try {
    // Before the journal mode, which waits for locks too.
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const found = judge(db, indexPath);
    if (found === "foreign") throw foreignError(indexPath);
    if (found === "other-version" && !mayReplace) {
      throw new Error("another version of pi-retrospect has taken over the index; restart to use it");
    }
    if (found === "ours" || found === "empty") {
      prepare(db, found === "empty");
      if (inodeOf(indexPath) === inode) {
        tightenFiles(indexPath);
        return db;
      }
    }
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  replaceIndexFile(indexPath, inode);
  return undefined;
}

/**
 * What the file says without any log: ours, or one of ours whose making was broken off before it was marked. Asked through
 * SQLite, because closing a descriptor of our own would drop the locks that another connection of this process holds.
 */
function isOursByItself(sqlite: SqliteModule, indexPath: string): boolean {
  let db: DatabaseSync | undefined;
  try {
    db = new sqlite.DatabaseSync(immutableUrlOf(indexPath), { readOnly: true });
    const isMarked = pragma(db, "application_id") === APPLICATION_ID;
    return isMarked || (verdictOn(db) === "empty" && sizeOf(`${indexPath}-wal`) === 0);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return isMarkedAsOurs(indexPath);
  } finally {
    db?.close();
  }
}

function judge(db: DatabaseSync, indexPath: string): Found {
  try {
    const found = verdictOn(db);
    // Touches every root page: damage near the start shows at once rather than in the middle of a search.
    if (found === "ours") db.prepare("SELECT count(*) FROM meta JOIN root ON root.id = 0").get();
    return found;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return isMarkedAsOurs(indexPath) ? "other-version" : "foreign";
  }
}

function verdictOn(db: DatabaseSync): Found {
  // The tables first: another process may be creating them, and our mark comes with them.
  const tables = Number(db.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.["count"]);
  const applicationId = pragma(db, "application_id");
  const version = pragma(db, "user_version");
  if (applicationId === APPLICATION_ID && version === SCHEMA_VERSION) return "ours";
  // Also one whose making was broken off, or has just begun elsewhere.
  if (version === 0 && tables === 0 && (applicationId === 0 || applicationId === APPLICATION_ID))
    return "empty";
  return applicationId === APPLICATION_ID ? "other-version" : "foreign";
}

function prepare(db: DatabaseSync, isEmpty: boolean): void {
  requireFts5(db);
  if (isEmpty) db.exec(CREATION_PRAGMAS);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  `);
  if (!isEmpty) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    if (verdictOn(db) === "empty") createTables(db);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** What there is, read only; an empty index in memory when there is nothing to read. */
function openForReading(sqlite: SqliteModule, indexPath: string, failure: string): Connection {
  refuseIrregularFiles(indexPath);
  // A log cannot be created in a read-only directory; `immutable` reads without one.
  for (const location of [indexPath, immutableUrlOf(indexPath)]) {
    let db: DatabaseSync | undefined;
    try {
      db = new sqlite.DatabaseSync(location, { readOnly: true });
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -${CACHE_KIB};`);
      if (verdictOn(db) === "ours") {
        db.prepare("SELECT count(*) FROM meta").get();
        return { db, isWritable: false, failure, inode: inodeOf(indexPath) };
      }
    } catch {
      // The next way of reading, or none: `failure` already says why the index is not to be had.
    }
    db?.close();
  }
  const db = new sqlite.DatabaseSync(":memory:");
  requireFts5(db);
  db.exec(CREATION_PRAGMAS);
  createTables(db);
  return { db, isWritable: false, failure, inode: undefined };
}

/** Read so, a file is taken as it is: no log, no lock, nothing written. */
function immutableUrlOf(indexPath: string): URL {
  const url = pathToFileURL(indexPath);
  url.searchParams.set("immutable", "1");
  return url;
}

function sizeOf(indexPath: string): number {
  return statSync(indexPath, { throwIfNoEntry: false })?.size ?? 0;
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function foreignError(indexPath: string): IndexRefusedError {
  return new IndexRefusedError(
    `${indexPath} is not an index of pi-retrospect and is left alone; move it away or choose another index path`,
  );
}
