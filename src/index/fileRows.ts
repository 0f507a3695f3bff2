/** The rows of files and directories. Everything here runs inside the caller's transaction. */
import type { IndexDatabase, SqlValue } from "./database.ts";
import type { FileFacts } from "./facts.ts";
import type { FileRecord } from "./record.ts";
import { numberOf, storable } from "./rowValues.ts";
import { FILE_STATES, type FileState } from "./schema.ts";
import type { SurveyedDirectory } from "./survey.ts";

/** Columns of a file that its record fills, in the order of `valuesOfRecord`. */
export const RECORD_COLUMNS = [
  "version",
  "session_id",
  "started_at",
  "started_at_ms",
  "cwd",
  "parent_session",
  "name",
  "last_activity",
  "last_activity_ms",
  "message_count",
  "preview",
  "problem_count",
  "header_bytes",
  "reached_bytes",
  "next_line_no",
  "is_open_ended",
] as const;

export const FACT_COLUMNS = ["size_bytes", "mtime_ms", "ctime_ms", "inode"] as const;

const FILE_COLUMNS = ["state", "reason", "read_error", "digest", ...FACT_COLUMNS, ...RECORD_COLUMNS] as const;

/*
 * No upsert and no RETURNING anywhere near messages: such a statement opens a savepoint, at which FTS5 writes out what
 * it has gathered, and a cold build takes half as long again.
 */
const INSERT_FILE = `INSERT INTO file (directory_id, file_name, ${FILE_COLUMNS.join(", ")})
  VALUES (?, ?, ${FILE_COLUMNS.map(() => "?").join(", ")})`;
const UPDATE_FILE = `UPDATE file SET ${FILE_COLUMNS.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`;

export interface FileRow {
  readonly state: FileState;
  readonly reason: string | null;
  readonly readError: string | null;
  readonly digest: Uint8Array | null;
  readonly facts: FileFacts;
  readonly record: Readonly<FileRecord> | undefined;
}

/** Stores what is known of a file and gives its id, which is undefined for a file without a row. */
export function putFile(
  index: IndexDatabase,
  directoryId: number,
  name: string,
  id: number | undefined,
  file: FileRow,
): number {
  const { sizeBytes, mtimeMs, ctimeMs, inode } = file.facts;
  const values: readonly SqlValue[] = [
    file.state,
    storable(file.reason),
    storable(file.readError),
    file.digest,
    sizeBytes,
    mtimeMs,
    ctimeMs,
    inode,
    ...valuesOfRecord(file.record),
  ];
  if (id === undefined) return index.run(INSERT_FILE, [directoryId, name, ...values]).rowId;
  index.run(UPDATE_FILE, [...values, id]);
  return id;
}

export function fileIdOf(index: IndexDatabase, directoryId: number, name: string): number | undefined {
  const row = index.get("SELECT id FROM file WHERE directory_id = ? AND file_name = ?", [directoryId, name]);
  return row === undefined ? undefined : numberOf(row, "id");
}

/** Notes that a file could not be read; what was known of it stays. */
export function putReadError(
  index: IndexDatabase,
  directoryId: number,
  name: string,
  reason: string,
  facts: FileFacts,
): void {
  const row = index.get("SELECT id, read_error FROM file WHERE directory_id = ? AND file_name = ?", [
    directoryId,
    name,
  ]);
  if (row?.["read_error"] === storable(reason)) return;
  if (row !== undefined) {
    index.run("UPDATE file SET read_error = ? WHERE id = ?", [storable(reason), numberOf(row, "id")]);
    return;
  }
  const none = { reason: null, digest: null, record: undefined };
  putFile(index, directoryId, name, undefined, {
    state: FILE_STATES.unread,
    readError: reason,
    facts,
    ...none,
  });
}

export function deleteProblems(index: IndexDatabase, fileId: number): void {
  index.run("DELETE FROM problem WHERE file_id = ?", [fileId]);
}

/** Takes away a file whose messages are gone. */
export function deleteFile(index: IndexDatabase, fileId: number): void {
  deleteProblems(index, fileId);
  index.run("DELETE FROM file WHERE id = ?", [fileId]);
}

/** A file whose messages are about to go in several transactions: should we die, it is read from the start. */
export function markForRewrite(index: IndexDatabase, fileId: number): void {
  index.run("UPDATE file SET state = ?, reached_bytes = 0 WHERE id = ?", [FILE_STATES.partial, fileId]);
}

/** The row of a directory, created when there is none. */
export function ensureDirectory(index: IndexDatabase, directory: SurveyedDirectory): number {
  const { root, path, isContainer } = directory;
  index.run("INSERT INTO root (path) VALUES (?) ON CONFLICT DO NOTHING", [root]);
  const rootId = numberOf(index.get("SELECT id FROM root WHERE path = ?", [root]), "id");
  index.run("INSERT INTO directory (root_id, path, is_container) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [
    rootId,
    path,
    isContainer ? 1 : 0,
  ]);
  return numberOf(index.get("SELECT id FROM directory WHERE root_id = ? AND path = ?", [rootId, path]), "id");
}

/** All files of the directory are up to date: the next plan is done with it by one comparison. */
export function putDirectoryFacts(
  index: IndexDatabase,
  directoryId: number,
  names: string,
  facts: Uint8Array,
): void {
  index.run("UPDATE directory SET names = ?, facts = ? WHERE id = ?", [names, facts, directoryId]);
}

/** A file of the directory is about to change its row: should we die, each file is looked at. */
export function clearDirectoryFacts(index: IndexDatabase, directoryId: number): void {
  index.run("UPDATE directory SET names = NULL, facts = NULL WHERE id = ? AND facts IS NOT NULL", [
    directoryId,
  ]);
}

export function deleteDirectory(index: IndexDatabase, directoryId: number): void {
  index.run("DELETE FROM directory WHERE id = ?", [directoryId]);
}

function valuesOfRecord(record: Readonly<FileRecord> | undefined): readonly SqlValue[] {
  if (record === undefined)
    return [null, null, null, null, null, null, null, null, null, 0, null, 0, 0, 0, 1, 0];
  return [
    record.version,
    storable(record.sessionId),
    storable(record.startedAt),
    record.startedAtMs,
    storable(record.cwd),
    storable(record.parentSession),
    storable(record.name),
    storable(record.lastActivity),
    record.lastActivityMs,
    record.messageCount,
    storable(record.preview),
    record.problemCount,
    record.headerBytes,
    record.reachedBytes,
    record.nextLineNo,
    record.isOpenEnded ? 1 : 0,
  ];
}
