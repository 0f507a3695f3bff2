/**
 * The rows of one file: stored piece by piece, taken away in proportion to what the file has, and read back as plans
 * need them. Everything here runs inside the caller's transaction.
 */
import type { IndexDatabase, Row, SqlValue } from "./database.ts";
import type { FileFacts } from "./facts.ts";
import { tokensOf } from "./fold.ts";
import { tokensOfLarge } from "./largeText.ts";
import type { KnownDirectory, KnownFile } from "./plan.ts";
import type { FilePiece, MessageRow, StoredReading } from "./reading.ts";
import type { FileRecord } from "./record.ts";
import { FILE_STATES, type FileState } from "./schema.ts";
import type { SurveyedDirectory } from "./survey.ts";
import { WordSet } from "./words.ts";

/** Columns of a file that its record fills, in the order of `valuesOfRecord`. */
const RECORD_COLUMNS = [
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
const FACT_COLUMNS = ["size_bytes", "mtime_ms", "ctime_ms", "inode"] as const;
const FILE_COLUMNS = ["state", "reason", "read_error", "digest", ...FACT_COLUMNS, ...RECORD_COLUMNS] as const;

/** In one transaction: deleting a message from FTS5 costs some 0.1 ms. */
export const MAX_DELETES = 400;

/*
 * No upsert and no RETURNING anywhere near messages: such a statement opens a savepoint, at which FTS5 writes out what
 * it has gathered, and a cold build takes half as long again.
 */
const INSERT_FILE = `INSERT INTO file (directory_id, file_name, ${FILE_COLUMNS.join(", ")})
  VALUES (?, ?, ${FILE_COLUMNS.map(() => "?").join(", ")})`;
const UPDATE_FILE = `UPDATE file SET ${FILE_COLUMNS.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`;
const INSERT_MESSAGE = `
  INSERT INTO message (id, file_id, kind, line_no, line_offset, line_bytes, line_entry, time_ms, timestamp, entry_id,
    word_count)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes pieces in one transaction after another; knows the words that the dictionary holds already. */
export class RowWriter {
  readonly #index: IndexDatabase;
  #words = new WordSet();
  #freshWords: string[] = [];
  #nextMessageId = 0;

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  /** At the start of each transaction. */
  begin(): void {
    this.#nextMessageId = Number(this.#index.get("SELECT max(id) AS id FROM message")?.["id"] ?? 0) + 1;
  }

  /** At the end of each transaction: enters the new words into the dictionary. */
  end(): void {
    if (this.#freshWords.length === 0) return;
    // In order, because the pages of an ordered tree are then written one after the other.
    const words = JSON.stringify(this.#freshWords.sort());
    this.#index.run("INSERT OR IGNORE INTO word (word) SELECT value FROM json_each(?)", [words]);
    this.#freshWords = [];
  }

  /** After a transaction that failed: what it added to the dictionary is not there. */
  forget(): void {
    this.#words = new WordSet();
    this.#freshWords = [];
  }

  putPiece(directoryId: number, name: string, piece: FilePiece): void {
    const { record } = piece;
    const isRefused = "refusal" in record;
    const state = isRefused ? FILE_STATES.refused : piece.isLast ? FILE_STATES.indexed : FILE_STATES.partial;
    const fileId = putFile(this.#index, directoryId, name, {
      state,
      reason: isRefused ? record.refusal : null,
      readError: null,
      digest: piece.digest,
      facts: piece.facts,
      record: isRefused ? undefined : record,
    });
    if (piece.isFromStart) {
      deleteMessages(this.#index, fileId, Number.MAX_SAFE_INTEGER);
      this.#index.run("DELETE FROM problem WHERE file_id = ?", [fileId]);
    }
    for (const message of piece.messages) this.#putMessage(fileId, message);
    for (const { lineNo, code, reason } of piece.problems) {
      this.#index.run("INSERT INTO problem VALUES (?, ?, ?, ?)", [fileId, lineNo, code, storable(reason)]);
    }
  }

  #putMessage(fileId: number, message: MessageRow): void {
    const id = this.#nextMessageId++;
    const wordCount = this.#putText(id, message);
    const { timeMs, timestamp, entryId } = message;
    this.#index.run(INSERT_MESSAGE, [
      id,
      fileId,
      message.kind,
      message.lineNo,
      message.lineOffset,
      message.lineBytes,
      message.lineEntry,
      timeMs,
      isIsoOf(timestamp, timeMs) ? null : storable(timestamp),
      entryId === null || entryId.includes("\0") ? null : entryId,
      wordCount,
    ]);
  }

  /** Stores the text in its forms and tells how many words it has. */
  #putText(id: number, message: MessageRow): number {
    if (message.largeFolded !== undefined) return this.#putLargeText(id, message.largeFolded);
    const { folded } = message;
    const tokens = tokensOf(folded);
    this.#index.run("INSERT INTO message_text VALUES (?, ?)", [id, folded]);
    this.#index.run("INSERT INTO message_words (rowid, tokens) VALUES (?, ?)", [id, tokens]);
    return this.#countWords(tokens);
  }

  #putLargeText(id: number, folded: Buffer): number {
    this.#index.run("INSERT INTO message_text VALUES (?, CAST(? AS TEXT))", [id, folded]);
    let wordCount = 0;
    const tokens = tokensOfLarge(folded, (piece) => {
      wordCount += this.#countWords(piece);
    });
    this.#index.run("INSERT INTO message_words (rowid, tokens) VALUES (?, CAST(? AS TEXT))", [id, tokens]);
    return wordCount;
  }

  #countWords(tokens: string): number {
    return this.#words.add(tokens, (word) => this.#freshWords.push(word));
  }
}

interface FileRow {
  readonly state: FileState;
  readonly reason: string | null;
  readonly readError: string | null;
  readonly digest: Uint8Array | null;
  readonly facts: FileFacts;
  readonly record: Readonly<FileRecord> | undefined;
}

function putFile(index: IndexDatabase, directoryId: number, name: string, file: FileRow): number {
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
  const known = index.get("SELECT id FROM file WHERE directory_id = ? AND file_name = ?", [
    directoryId,
    name,
  ]);
  if (known === undefined) return index.run(INSERT_FILE, [directoryId, name, ...values]).rowId;
  const id = numberOf(known, "id");
  index.run(UPDATE_FILE, [...values, id]);
  return id;
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
  putFile(index, directoryId, name, { state: FILE_STATES.unread, readError: reason, facts, ...none });
}

/** Takes away up to `limit` messages of a file and tells how many: fewer than `limit` were all. */
export function deleteMessages(index: IndexDatabase, fileId: number, limit: number): number {
  const ids = index.all("SELECT id FROM message WHERE file_id = ? LIMIT ?", [fileId, limit]);
  for (const row of ids) {
    const id = numberOf(row, "id");
    index.run("DELETE FROM message_words WHERE rowid = ?", [id]);
    index.run("DELETE FROM message_text WHERE id = ?", [id]);
    index.run("DELETE FROM message WHERE id = ?", [id]);
  }
  if (ids.length > 0) {
    index.run("UPDATE meta SET value = value + ? WHERE name = 'deleted_messages'", [ids.length]);
  }
  return ids.length;
}

/** Takes away a file whose messages are gone. */
export function deleteFile(index: IndexDatabase, fileId: number): void {
  index.run("DELETE FROM problem WHERE file_id = ?", [fileId]);
  index.run("DELETE FROM file WHERE id = ?", [fileId]);
}

/** A file whose messages are about to go in several transactions: should we die, it is read from the start. */
export function markForRewrite(index: IndexDatabase, fileId: number): void {
  index.run("UPDATE file SET state = ?, reached_bytes = 0 WHERE id = ?", [FILE_STATES.partial, fileId]);
}

export function countMessages(index: IndexDatabase, fileId: number): number {
  return numberOf(index.get("SELECT count(*) AS count FROM message WHERE file_id = ?", [fileId]), "count");
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

export function knownDirectories(index: IndexDatabase, roots: readonly string[]): readonly KnownDirectory[] {
  const sql = `SELECT directory.id, root.path AS root, directory.path, names, facts
    FROM directory JOIN root ON root.id = root_id WHERE root.path = ?`;
  return roots.flatMap((root) =>
    index.all(sql, [root]).map((row) => ({
      id: numberOf(row, "id"),
      root: textOf(row, "root") ?? "",
      path: textOf(row, "path") ?? "",
      names: textOf(row, "names"),
      facts: bytesOf(row, "facts"),
    })),
  );
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

/** node:sqlite reads a stored text up to its first NUL, which would make another value of it. */
function storable<T extends string | null>(text: T): T | string {
  return text?.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}

/** As Pi writes times. Days up to the 28th exist in every month, so the string can only be that of its instant. */
const ISO_TIME = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d\.\d{3}Z$/;

/** True when the string can be restored from the instant. */
function isIsoOf(timestamp: string, timeMs: number): boolean {
  const isShort = ISO_TIME.test(timestamp) && !timestamp.includes("T24");
  return isShort || timestamp === new Date(timeMs).toISOString();
}

function stateOf(row: Row): FileState {
  const found = Object.values(FILE_STATES).find((state) => state === row["state"]);
  return found ?? FILE_STATES.unread;
}

export function numberOf(row: Row | undefined, column: string): number {
  const value = row?.[column];
  return typeof value === "number" ? value : 0;
}

function numberOrNull(row: Row, column: string): number | null {
  const value = row[column];
  return typeof value === "number" ? value : null;
}

export function textOf(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

function bytesOf(row: Row, column: string): Uint8Array | null {
  const value = row[column];
  return value instanceof Uint8Array ? value : null;
}
