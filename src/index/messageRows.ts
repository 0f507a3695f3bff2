/**
 * The rows of messages: stored piece by piece, taken away in proportion to what the file has. Everything here runs
 * inside the caller's transaction.
 */
import type { IndexDatabase } from "./database.ts";
import { deleteProblems, fileIdOf, putFile } from "./fileRows.ts";
import { type FoldedText, MAX_WORD_CHARS, stringOf, tokensOf } from "./fold.ts";
import { tokenPieces } from "./largeTokens.ts";
import type { FilePiece, MessageRow } from "./piece.ts";
import { numberOf, storable } from "./rowValues.ts";
import { FILE_STATES } from "./schema.ts";
import { WordSet } from "./words.ts";

/** In one transaction: deleting a message from FTS5 costs some 0.1 ms. */
export const MAX_DELETES = 400;

const INSERT_MESSAGE = `
  INSERT INTO message (id, file_id, kind, line_no, line_offset, line_bytes, line_entry, time_ms, timestamp, entry_id,
    word_count)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_TEXT = "INSERT INTO message_text VALUES (?, CAST(? AS TEXT))";
const INSERT_WORDS = "INSERT INTO message_words (rowid, tokens) VALUES (?, CAST(? AS TEXT))";
/** Of longer texts FTS5 gets each word once: it would hold several forms of the whole text otherwise. */
const LARGE_TEXT_BYTES = 1 << 20;
const SPACE = 0x20;

/** Writes pieces in one transaction after another; knows the words that the dictionary holds already. */
export class RowWriter {
  readonly #index: IndexDatabase;
  #words = new WordSet();
  #freshWords: string[] = [];
  readonly #noteFresh = (word: string) => void this.#freshWords.push(word);
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

  /** @param knownFileId undefined for a file that had no row when it was opened */
  putPiece(directoryId: number, name: string, piece: FilePiece, knownFileId: number | undefined): void {
    const { record } = piece;
    const isRefused = "refusal" in record;
    const state = isRefused ? FILE_STATES.refused : piece.isLast ? FILE_STATES.indexed : FILE_STATES.partial;
    // A piece that is not the first has a row since the first was stored.
    const rowId = piece.isFromStart ? knownFileId : (knownFileId ?? fileIdOf(this.#index, directoryId, name));
    if (piece.isFromStart && rowId !== undefined) {
      deleteMessages(this.#index, rowId, Number.MAX_SAFE_INTEGER);
      deleteProblems(this.#index, rowId);
    }
    const fileId = putFile(this.#index, directoryId, name, rowId, {
      state,
      reason: isRefused ? record.refusal : null,
      readError: null,
      digest: piece.digest,
      facts: piece.facts,
      record: isRefused ? undefined : record,
    });
    for (const message of piece.messages) this.#putMessage(fileId, message);
    for (const { lineNo, code, reason } of piece.problems) {
      this.#index.run("INSERT INTO problem VALUES (?, ?, ?, ?)", [fileId, lineNo, code, storable(reason)]);
    }
  }

  #putMessage(fileId: number, message: MessageRow): void {
    const id = this.#nextMessageId++;
    const wordCount = this.#putText(id, message.folded);
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
  #putText(id: number, text: FoldedText): number {
    this.#index.run(INSERT_TEXT, [id, text.bytes]);
    if (text.bytes.length > LARGE_TEXT_BYTES) return this.#putWordsOfLarge(id, text.bytes);
    const tokens = isTokenizedAlike(text) ? text.bytes : Buffer.from(tokensOf(stringOf(text)));
    this.#index.run(INSERT_WORDS, [id, tokens]);
    return this.#words.add(tokens, this.#noteFresh);
  }

  #putWordsOfLarge(id: number, folded: Buffer): number {
    const distinct: string[] = [];
    const own = new WordSet();
    let wordCount = 0;
    for (const tokens of tokenPieces(folded)) {
      wordCount += own.add(Buffer.from(tokens), (word) => distinct.push(word));
    }
    const words = Buffer.from(distinct.join(" "));
    this.#words.add(words, this.#noteFresh);
    this.#index.run(INSERT_WORDS, [id, words]);
    return wordCount;
  }
}

/** True when FTS5 finds the words of `tokensOf` in the folded text itself: it is ASCII, and no word is too long. */
function isTokenizedAlike({ bytes, isAscii }: FoldedText): boolean {
  let start = 0;
  while (isAscii && bytes.length - start > MAX_WORD_CHARS) {
    const space = bytes.lastIndexOf(SPACE, start + MAX_WORD_CHARS);
    if (space < start) return false;
    start = space + 1;
  }
  return isAscii;
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

export function countMessages(index: IndexDatabase, fileId: number): number {
  return numberOf(index.get("SELECT count(*) AS count FROM message WHERE file_id = ?", [fileId]), "count");
}

/** As Pi writes times. Days up to the 28th exist in every month, so the string can only be that of its instant. */
const ISO_TIME = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d\.\d{3}Z$/;

/** True when the string can be restored from the instant. */
function isIsoOf(timestamp: string, timeMs: number): boolean {
  const isShort = ISO_TIME.test(timestamp) && !timestamp.includes("T24");
  return isShort || timestamp === new Date(timeMs).toISOString();
}
