/**
 * The view of the index: the only file of this room that names its tables. Columns of all messages and the words of
 * the dictionary are kept in memory and brought up to date by what changed; texts stay in the database.
 */
import type { IndexDatabase, Row } from "../index/database.ts";
import { FILE_STATES } from "../index/schema.ts";
import { type FileColumns, type JoinedColumns, joinColumns, NO_MESSAGES, parseNumbers } from "./columns.ts";
import { Dictionary, WORD_BORDER } from "./dictionary.ts";
import { MessageSet } from "./messageSet.ts";
import { columnsOf, numberIn, sessionFacts, textIn, textOrNull } from "./rowValues.ts";
import { isStillThere, readRawText } from "./source.ts";
import type { MessageSource, SearchView, SessionDetails, SessionFacts } from "./view.ts";

const SELECT_SESSIONS = `
  SELECT file_id, session.path, root, is_container, session.cwd, session.started_at, session.started_at_ms,
    session.last_activity, session.last_activity_ms, session.parent_session, session.name, session.version,
    file.state, file.reached_bytes, file.size_bytes || ' ' || file.mtime_ms || ' ' || file.ctime_ms || ' ' ||
    file.inode || ' ' || file.reached_bytes || ' ' || file.state || ' ' || file.message_count AS stamp
  FROM session JOIN file ON file.id = file_id WHERE root = ?`;
const SELECT_MESSAGES = `
  SELECT group_concat(file_id) AS files, group_concat(id) AS ids, group_concat(kind) AS kinds,
    group_concat(time_ms) AS times, group_concat(word_count) AS words
  FROM (SELECT * FROM message WHERE kind <= 1`;
const SELECT_WORDS = "SELECT group_concat(word, char(10)) AS words FROM word WHERE id > ?";
const IS_NARROW = "length(word) = length(CAST(word AS BLOB))";

/** With more changed files, one pass over all messages is cheaper than a question for each file. */
const MAX_SINGLE_RELOADS = 64;
/** Words in one MATCH. */
const MAX_MATCHED_WORDS = 256;
/** Up to this share of all messages, texts are looked up one by one; a pass over all is cheaper beyond. */
const MAX_LOOKUP_SHARE = 0.25;

interface KnownFile {
  readonly fileId: number;
  readonly formatVersion: number;
  /** Changes whenever the messages do. */
  readonly stamp: string;
  readonly facts: SessionFacts;
  readonly columns: FileColumns;
}

interface KnownWords {
  readonly generation: number;
  readonly lastId: number;
  readonly narrow: string;
  readonly wide: string;
  readonly dictionary: Dictionary;
}

const readers = new WeakMap<IndexDatabase, IndexReader>();

/** The one reader of an open index, with what it keeps in memory. */
export function readerOf(index: IndexDatabase): IndexReader {
  const known = readers.get(index) ?? new IndexReader(index);
  readers.set(index, known);
  return known;
}

export class IndexReader {
  readonly #index: IndexDatabase;
  #inode: number | undefined;
  #words: KnownWords | undefined;
  #files: ReadonlyMap<number, KnownFile> = new Map();
  #view: IndexView | undefined;
  #viewKey = "";

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  /** Runs `work` on the index as it is at one moment, whatever other processes write meanwhile. */
  read<T>(roots: readonly string[], work: (view: IndexView) => T): T {
    return this.#atOneMoment(() => work(this.#current(roots)));
  }

  /** The same for a list of sessions, without the cost of their messages. */
  readSessions<T>(
    roots: readonly string[],
    work: (sessions: readonly SessionFacts[], detailsOf: (session: SessionFacts) => SessionDetails) => T,
  ): T {
    return this.#atOneMoment(() => {
      const rows = roots.flatMap((root) => this.#index.all(SELECT_SESSIONS, [root]));
      const factsOf = sessionFacts(rows);
      const fileIds = new Map(rows.map((row) => [factsOf(row), numberIn(row, "file_id")]));
      return work([...fileIds.keys()], (session) => {
        const sql = "SELECT message_count, preview FROM file WHERE id = ?";
        const row = this.#index.get(sql, [fileIds.get(session) ?? 0]);
        return { messageCount: numberIn(row, "message_count"), preview: textIn(row, "preview") };
      });
    });
  }

  #atOneMoment<T>(work: () => T): T {
    const { db } = this.#index;
    if (db.isTransaction) return work();
    db.exec("BEGIN");
    try {
      return work();
    } finally {
      if (db.isTransaction) db.exec("COMMIT");
    }
  }

  #current(roots: readonly string[]): IndexView {
    const index = this.#index;
    if (index.inode !== this.#inode) {
      // Another file stands there: nothing that is known holds for it.
      this.#inode = index.inode;
      this.#words = undefined;
      this.#files = new Map();
      this.#view = undefined;
    }
    const revision = index.revision();
    const key = [revision, ...roots].join("\0");
    if (this.#view !== undefined && key === this.#viewKey) return this.#view;
    const files = this.#readFiles(roots, revision);
    this.#files = new Map(files.map((file) => [file.fileId, file]));
    this.#words = this.#readWords();
    this.#view = new IndexView(index, files, this.#words.dictionary);
    this.#viewKey = key;
    return this.#view;
  }

  #readFiles(roots: readonly string[], revision: number): readonly KnownFile[] {
    const rows = roots.flatMap((root) => this.#index.all(SELECT_SESSIONS, [root]));
    const factsOf = sessionFacts(rows);
    const files = rows.map((row) => {
      const fileId = numberIn(row, "file_id");
      // The messages of a file that is about to be read again go in several steps.
      const isShrinking = row["state"] === FILE_STATES.partial && row["reached_bytes"] === 0;
      const stamp = isShrinking ? `revision ${revision}` : `${textIn(row, "path")} ${textIn(row, "stamp")}`;
      const known = this.#files.get(fileId);
      const columns = known?.stamp === stamp ? known.columns : undefined;
      return { fileId, formatVersion: numberIn(row, "version"), stamp, facts: factsOf(row), columns };
    });
    const changed = files.filter(({ columns }) => columns === undefined).map(({ fileId }) => fileId);
    const read = changed.length > MAX_SINGLE_RELOADS ? this.#readAllColumns() : this.#readColumns(changed);
    return files.map((file) => ({ ...file, columns: file.columns ?? read.get(file.fileId) ?? NO_MESSAGES }));
  }

  #readAllColumns(): ReadonlyMap<number, FileColumns> {
    return columnsOf(this.#index.get(`${SELECT_MESSAGES} ORDER BY id)`));
  }

  #readColumns(fileIds: readonly number[]): ReadonlyMap<number, FileColumns> {
    const sql = `${SELECT_MESSAGES} AND file_id = ? ORDER BY id)`;
    return new Map(fileIds.flatMap((fileId) => [...columnsOf(this.#index.get(sql, [fileId]))]));
  }

  #readWords(): KnownWords {
    const generation = Number(
      this.#index.get("SELECT value FROM meta WHERE name = 'word_generation'")?.["value"],
    );
    const known = this.#words?.generation === generation ? this.#words : undefined;
    const lastId = numberIn(this.#index.get("SELECT max(id) AS last FROM word"), "last");
    if (known !== undefined && known.lastId === lastId) return known;
    const since = (isWanted: string) =>
      textIn(this.#index.get(`${SELECT_WORDS} AND ${isWanted}`, [known?.lastId ?? 0]), "words");
    const narrow = joinShelf(known?.narrow, since(IS_NARROW));
    const wide = joinShelf(known?.wide, since(`NOT ${IS_NARROW}`));
    return {
      generation,
      lastId,
      narrow,
      wide,
      dictionary: new Dictionary([narrow, wide], (prefix, limit) => this.#withPrefix(prefix, limit)),
    };
  }

  #withPrefix(prefix: string, limit: number): readonly string[] {
    const sql = `SELECT group_concat(word, char(10)) AS words
      FROM (SELECT word FROM word WHERE word >= ? AND word < ? ORDER BY word LIMIT ?)`;
    const words = textIn(this.#index.get(sql, [prefix, prefix + LAST_CHARACTER, BigInt(limit)]), "words");
    return words === "" ? [] : words.split(WORD_BORDER);
  }
}

/** Behind every word that begins with a prefix, in the order of UTF-8. */
const LAST_CHARACTER = "\u{10ffff}";

/** The index at one revision. */
export class IndexView implements SearchView {
  readonly sessions: SearchView["sessions"];
  readonly messages: SearchView["messages"];
  readonly dictionary: Dictionary;
  readonly #index: IndexDatabase;
  readonly #files: readonly KnownFile[];
  readonly #columns: JoinedColumns;

  constructor(index: IndexDatabase, files: readonly KnownFile[], dictionary: Dictionary) {
    this.#index = index;
    this.#files = files;
    this.#columns = joinColumns(files);
    this.sessions = this.#columns.sessions;
    this.messages = this.#columns.messages;
    this.dictionary = dictionary;
  }

  withWords(words: readonly string[]): MessageSet {
    const set = new MessageSet(this.messages.count);
    for (let at = 0; at < words.length; at += MAX_MATCHED_WORDS) {
      // Words hold letters, digits and marks only, so no quote can end the string.
      const query = words
        .slice(at, at + MAX_MATCHED_WORDS)
        .map((word) => `"${word}"`)
        .join(" OR ");
      const sql = "SELECT group_concat(rowid) AS ids FROM message_words WHERE message_words MATCH ?";
      this.#addTo(set, this.#index.get(sql, [query]));
    }
    return set;
  }

  containing(text: string, within: MessageSet): MessageSet {
    const set = new MessageSet(this.messages.count);
    const size = within.size;
    if (size === 0) return set;
    const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
    const sql = "SELECT group_concat(id) AS ids FROM message_text WHERE folded LIKE ? ESCAPE '\\'";
    if (size > MAX_LOOKUP_SHARE * this.messages.count) {
      this.#addTo(set, this.#index.get(sql, [pattern]));
      return set.and(within);
    }
    const ids = Array.from(within.positions(), (position) => this.#columns.ids[position] ?? 0);
    const row = this.#index.get(`${sql} AND id IN (SELECT value FROM json_each(?))`, [
      pattern,
      `[${ids.join(",")}]`,
    ]);
    this.#addTo(set, row);
    return set;
  }

  foldedTextAt(position: number): string {
    return textIn(
      this.#index.get("SELECT folded FROM message_text WHERE id = ?", [this.#idAt(position)]),
      "folded",
    );
  }

  sourceAt(position: number): MessageSource | undefined {
    const file = this.#files[this.messages.sessionOf[position] ?? -1];
    const row = this.#index.get("SELECT * FROM message WHERE id = ?", [this.#idAt(position)]);
    if (file === undefined || row === undefined || !isStillThere(file.facts.path)) return undefined;
    const folded = this.foldedTextAt(position);
    const place = {
      path: file.facts.path,
      version: file.formatVersion,
      offset: numberIn(row, "line_offset"),
      bytes: numberIn(row, "line_bytes"),
      folded,
    };
    return {
      id: textOrNull(row, "entry_id"),
      lineNo: numberIn(row, "line_no"),
      timestamp: textOrNull(row, "timestamp") ?? new Date(numberIn(row, "time_ms")).toISOString(),
      text: readRawText(place) ?? folded,
    };
  }

  #idAt(position: number): number {
    return this.#columns.ids[position] ?? 0;
  }

  /** Ids of other roots, and of what another process added a moment ago, have no position. */
  #addTo(set: MessageSet, row: Row | undefined): void {
    const { positionOf } = this.#columns;
    for (const id of parseNumbers(textIn(row, "ids"))) {
      const position = positionOf[id] ?? -1;
      if (position !== -1) set.add(position);
    }
  }
}

function joinShelf(known = "", added = ""): string {
  return known === "" || added === "" ? known + added : known + WORD_BORDER + added;
}
