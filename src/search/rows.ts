/**
 * What a search asks the index: the only file of this room that knows its tables and its query language. Long columns
 * come as one joined text, for a row each would cost several times as much.
 */
import type { IndexDatabase, Row } from "../index/database.ts";
import { FILE_STATES } from "../index/schema.ts";
import { type FileColumns, parseNumbers } from "./columns.ts";
import { WORD_BORDER } from "./dictionary.ts";
import { columnsOf, numberIn, textIn } from "./rowValues.ts";

/** Stamp of a file that is about to be read again: its messages go in several steps. */
export const SHRINKING = "shrinking";
/** Words in one MATCH. */
const MAX_MATCHED_WORDS = 256;
/** Behind every word that begins with a prefix, in the order of UTF-8. */
const LAST_CHARACTER = "\u{10ffff}";

const SELECT_STAMPS = `
  SELECT group_concat(file.id || ' ' || CASE
      WHEN file.state = ${FILE_STATES.partial} AND reached_bytes = 0 THEN '${SHRINKING}'
      ELSE size_bytes || ' ' || mtime_ms || ' ' || ctime_ms || ' ' || inode || ' ' || reached_bytes || ' ' ||
        file.state || ' ' || message_count
    END, char(10)) AS stamps
  FROM file JOIN directory ON directory.id = directory_id JOIN root ON root.id = root_id
  WHERE root.path = ? AND file.state <= ${FILE_STATES.partial}`;
const SELECT_COLUMNS = `
  SELECT group_concat(file_id) AS files, group_concat(id) AS ids, group_concat(kind) AS kinds,
    group_concat(time_ms) AS times, group_concat(word_count) AS words
  FROM (SELECT * FROM message WHERE kind <= 1`;
/** One parameter: a list as JSON. */
const GIVEN_IDS = "(SELECT value FROM json_each(?))";
const IS_NARROW = "length(word) = length(CAST(word AS BLOB))";

/** Of each file with a session, the id and a text that changes whenever its rows do. */
export function readStamps(index: IndexDatabase, root: string): readonly (readonly [number, string])[] {
  const stamps = textIn(index.get(SELECT_STAMPS, [root]), "stamps");
  if (stamps === "") return [];
  return stamps.split("\n").map((line) => {
    const border = line.indexOf(" ");
    return [Number(line.slice(0, border)), line.slice(border + 1)];
  });
}

export function readSessionsOf(index: IndexDatabase, root: string): readonly Row[] {
  return index.all("SELECT * FROM session WHERE root = ?", [root]);
}

export function readSessions(index: IndexDatabase, fileIds: readonly number[]): readonly Row[] {
  return index.all(`SELECT * FROM session WHERE file_id IN ${GIVEN_IDS}`, [`[${fileIds.join(",")}]`]);
}

export function readAllColumns(index: IndexDatabase): ReadonlyMap<number, FileColumns> {
  return columnsOf(index.get(`${SELECT_COLUMNS} ORDER BY id)`));
}

export function readColumns(
  index: IndexDatabase,
  fileIds: readonly number[],
): ReadonlyMap<number, FileColumns> {
  const sql = `${SELECT_COLUMNS} AND file_id IN ${GIVEN_IDS} ORDER BY id)`;
  return columnsOf(index.get(sql, [`[${fileIds.join(",")}]`]));
}

/** Words only join, with rising ids, until the generation changes. */
export function readWordState(index: IndexDatabase): {
  readonly generation: number;
  readonly lastId: number;
} {
  return {
    generation: numberIn(index.get("SELECT value FROM meta WHERE name = 'word_generation'"), "value"),
    lastId: numberIn(index.get("SELECT max(id) AS last FROM word"), "last"),
  };
}

/** The words that joined since, those of one byte per character and the others, joined by `WORD_BORDER`. */
export function readWordsSince(
  index: IndexDatabase,
  id: number,
): { readonly narrow: string; readonly wide: string } {
  const sql = "SELECT group_concat(word, char(10)) AS words FROM word WHERE id > ? AND";
  return {
    narrow: textIn(index.get(`${sql} ${IS_NARROW}`, [id]), "words"),
    wide: textIn(index.get(`${sql} NOT ${IS_NARROW}`, [id]), "words"),
  };
}

export function readWordsWithPrefix(index: IndexDatabase, prefix: string, limit: number): readonly string[] {
  const sql = `SELECT group_concat(word, char(10)) AS words
    FROM (SELECT word FROM word WHERE word >= ? AND word < ? ORDER BY word LIMIT ?)`;
  const words = textIn(index.get(sql, [prefix, prefix + LAST_CHARACTER, BigInt(limit)]), "words");
  return words === "" ? [] : words.split(WORD_BORDER);
}

/** Ids of the messages that hold any of the words, some of them repeatedly. */
export function idsWithWords(index: IndexDatabase, words: readonly string[]): readonly Float64Array[] {
  const sql = "SELECT group_concat(rowid) AS ids FROM message_words WHERE message_words MATCH ?";
  const found: Float64Array[] = [];
  for (let at = 0; at < words.length; at += MAX_MATCHED_WORDS) {
    // Words of the dictionary hold letters, digits and marks only, so no quote can end the string.
    const strings = words.slice(at, at + MAX_MATCHED_WORDS).map((word) => `"${word}"`);
    found.push(parseNumbers(textIn(index.get(sql, [strings.join(" OR ")]), "ids")));
  }
  return found;
}

/** Ids of the messages whose folded text contains `text`: of those given, or of all. */
export function idsContaining(index: IndexDatabase, text: string, ids?: Float64Array): Float64Array {
  // LIKE reads U+FFFE and U+FFFF as U+FFFD; instr compares bytes.
  const isExact = /[\ufffd-\uffff]/.test(text);
  const pattern = isExact ? text : `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const condition = isExact ? "instr(folded, ?) > 0" : "folded LIKE ? ESCAPE '\\'";
  const sql = `SELECT group_concat(id) AS ids FROM message_text WHERE ${condition}`;
  const row =
    ids === undefined
      ? index.get(sql, [pattern])
      : index.get(`${sql} AND id IN (SELECT value FROM json_each(?))`, [pattern, `[${ids.join(",")}]`]);
  return parseNumbers(textIn(row, "ids"));
}

export function readFolded(index: IndexDatabase, id: number): string {
  return textIn(index.get("SELECT folded FROM message_text WHERE id = ?", [id]), "folded");
}

export function readMessage(index: IndexDatabase, id: number): Row | undefined {
  return index.get("SELECT * FROM message WHERE id = ?", [id]);
}

/** Runs `work` on the index as it is at one moment, whatever other processes write meanwhile. */
export function atOneMoment<T>(index: IndexDatabase, work: () => T): T {
  const { db } = index;
  if (db.isTransaction) return work();
  db.exec("BEGIN");
  try {
    return work();
  } finally {
    if (db.isTransaction) db.exec("COMMIT");
  }
}
