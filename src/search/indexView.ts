/** The index at one revision, as a search looks at it: columns and words in memory, texts in the database. */
import type { IndexDatabase } from "../index/database.ts";
import { type FileColumns, type JoinedColumns, joinColumns } from "./columns.ts";
import type { Dictionary } from "./dictionary.ts";
import { MessageSet } from "./messageSet.ts";
import { Recent } from "./recent.ts";
import { idsContaining, idsWithWords, readFolded, readMessage, readSessions } from "./rows.ts";
import { numberIn, textIn, textOrNull } from "./rowValues.ts";
import { isStillThere, readRawText } from "./source.ts";
import type { MessageSource, SearchView, SessionFacts } from "./view.ts";

/** Up to this share of all messages, texts are looked up one by one; a pass over all is cheaper beyond. */
const MAX_LOOKUP_SHARE = 0.25;

/** Some more than one question needs. One bit for each message. */
const MAX_KEPT_WORD_SETS = 128;

export interface IndexedFile {
  readonly fileId: number;
  readonly facts: SessionFacts;
  /** Of the file's format. */
  readonly version: number;
  readonly columns: FileColumns;
}

export class IndexView implements SearchView {
  readonly sessions: SearchView["sessions"];
  readonly messages: SearchView["messages"];
  readonly dictionary: Dictionary;
  readonly #index: IndexDatabase;
  readonly #files: readonly IndexedFile[];
  readonly #columns: JoinedColumns;
  /** By their words; a question asks for the same ones several times, and the next one for its stop words again. */
  readonly #wordSets = new Recent<MessageSet>(MAX_KEPT_WORD_SETS);

  constructor(index: IndexDatabase, files: readonly IndexedFile[], dictionary: Dictionary) {
    this.#index = index;
    this.#files = files;
    this.#columns = joinColumns(files);
    this.sessions = this.#columns.sessions;
    this.messages = this.#columns.messages;
    this.dictionary = dictionary;
  }

  withWords(words: readonly string[]): MessageSet {
    return this.#wordSets.get(words.join(" "), () => this.#setOf(idsWithWords(this.#index, words)));
  }

  containing(text: string, within: MessageSet): MessageSet {
    const size = within.size;
    if (size === 0) return within;
    if (size > MAX_LOOKUP_SHARE * this.messages.count) {
      return this.#setOf([idsContaining(this.#index, text)]).and(within);
    }
    const ids = Float64Array.from(within.positions(), (position) => this.#idAt(position));
    return this.#setOf([idsContaining(this.#index, text, ids)]);
  }

  /** The start of the first user message, raw. */
  previewOf(session: SessionFacts): string {
    const file = this.#files.find(({ facts }) => facts.path === session.path);
    const [row] = file === undefined ? [] : readSessions(this.#index, [file.fileId]);
    return row === undefined ? "" : textIn(row, "preview");
  }

  foldedTextAt(position: number): string {
    return readFolded(this.#index, this.#idAt(position));
  }

  sourceAt(position: number): MessageSource | undefined {
    const file = this.#files[this.messages.sessionOf[position] ?? -1];
    const row = readMessage(this.#index, this.#idAt(position));
    if (file === undefined || row === undefined || !isStillThere(file.facts.path)) return undefined;
    const folded = this.foldedTextAt(position);
    const text = readRawText({
      path: file.facts.path,
      version: file.version,
      offset: numberIn(row, "line_offset"),
      bytes: numberIn(row, "line_bytes"),
      folded,
    });
    return {
      id: textOrNull(row, "entry_id"),
      lineNo: numberIn(row, "line_no"),
      timestamp: textOrNull(row, "timestamp") ?? new Date(numberIn(row, "time_ms")).toISOString(),
      text: text ?? folded,
    };
  }

  #idAt(position: number): number {
    return this.#columns.ids[position] ?? 0;
  }

  /** The messages of other roots have ids, and no position here. */
  #setOf(lists: readonly Float64Array[]): MessageSet {
    const set = new MessageSet(this.messages.count);
    const { positionOf } = this.#columns;
    for (const ids of lists) {
      for (const id of ids) {
        const position = positionOf[id] ?? -1;
        if (position !== -1) set.add(position);
      }
    }
    return set;
  }
}
