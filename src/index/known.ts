/** What the index knows of the store, as plans need it. */
import type { IndexDatabase, Row } from "./database.ts";
import { FACT_COLUMNS, RECORD_COLUMNS } from "./fileRows.ts";
import type { StoredReading } from "./piece.ts";
import type { KnownDirectory, KnownFile } from "./plan.ts";
import type { FileRecord } from "./record.ts";
import { bytesOf, numberOf, numberOrNull, textOf } from "./rowValues.ts";
import { FILE_STATES, type FileState } from "./schema.ts";

/** Rows take far more memory than what is made of them. */
const ROWS_AT_ONCE = 1000;

export function knownDirectories(index: IndexDatabase, roots: readonly string[]): readonly KnownDirectory[] {
  const sql = `SELECT directory.id, directory.path, names, facts FROM directory
    WHERE root_id = (SELECT id FROM root WHERE path = ?) AND directory.id > ? ORDER BY directory.id LIMIT ${ROWS_AT_ONCE}`;
  const directories: KnownDirectory[] = [];
  for (const root of roots) {
    let lastId = 0;
    for (let isMore = true; isMore; ) {
      const rows = index.all(sql, [root, lastId]);
      for (const row of rows) {
        lastId = numberOf(row, "id");
        const path = textOf(row, "path") ?? "";
        directories.push({
          id: lastId,
          root,
          path,
          names: textOf(row, "names"),
          facts: bytesOf(row, "facts"),
        });
      }
      isMore = rows.length === ROWS_AT_ONCE;
    }
  }
  return directories;
}

const SELECT_KNOWN_FILE = `SELECT id, file_name, state, read_error, ${FACT_COLUMNS.join(", ")}, reached_bytes,
  is_open_ended FROM file WHERE directory_id = ?`;

export function knownFiles(index: IndexDatabase, directoryId: number): readonly KnownFile[] {
  return index.all(SELECT_KNOWN_FILE, [directoryId]).map(toKnownFile);
}

export function knownFile(index: IndexDatabase, directoryId: number, name: string): KnownFile | undefined {
  const row = index.get(`${SELECT_KNOWN_FILE} AND file_name = ?`, [directoryId, name]);
  return row === undefined ? undefined : toKnownFile(row);
}

function toKnownFile(row: Row): KnownFile {
  return {
    id: numberOf(row, "id"),
    name: textOf(row, "file_name") ?? "",
    state: stateOf(row),
    facts: {
      sizeBytes: numberOf(row, "size_bytes"),
      mtimeMs: numberOf(row, "mtime_ms"),
      ctimeMs: numberOf(row, "ctime_ms"),
      inode: numberOf(row, "inode"),
    },
    reachedBytes: numberOf(row, "reached_bytes"),
    isOpenEnded: row["is_open_ended"] === 1,
    hasFailed: row["read_error"] !== null,
  };
}

/** What reading on needs; undefined when the file must be read from the start. */
export function storedReading(index: IndexDatabase, fileId: number): StoredReading | undefined {
  const row = index.get(`SELECT digest, ${RECORD_COLUMNS.join(", ")} FROM file WHERE id = ?`, [fileId]);
  const digest = row === undefined ? null : bytesOf(row, "digest");
  if (row === undefined || digest === null) return undefined;
  const record: FileRecord = {
    version: numberOf(row, "version"),
    sessionId: textOf(row, "session_id"),
    startedAt: textOf(row, "started_at"),
    startedAtMs: numberOrNull(row, "started_at_ms"),
    cwd: textOf(row, "cwd"),
    parentSession: textOf(row, "parent_session"),
    name: textOf(row, "name"),
    lastActivity: textOf(row, "last_activity"),
    lastActivityMs: numberOrNull(row, "last_activity_ms"),
    messageCount: numberOf(row, "message_count"),
    preview: textOf(row, "preview"),
    problemCount: numberOf(row, "problem_count"),
    headerBytes: numberOf(row, "header_bytes"),
    reachedBytes: numberOf(row, "reached_bytes"),
    nextLineNo: numberOf(row, "next_line_no"),
    isOpenEnded: row["is_open_ended"] === 1,
  };
  return { record, digest };
}

function stateOf(row: Row): FileState {
  const found = Object.values(FILE_STATES).find((state) => state === row["state"]);
  return found ?? FILE_STATES.unread;
}
