/**
 * Reads the index for searches and keeps what they share: the columns of all messages and the words of the dictionary.
 * What is kept is brought up to date by what changed, file by file.
 */
import type { IndexDatabase } from "../index/database.ts";
import { type FileColumns, NO_MESSAGES } from "./columns.ts";
import { Dictionary, WORD_BORDER } from "./dictionary.ts";
import { type IndexedFile, IndexView } from "./indexView.ts";
import {
  atOneMoment,
  readAllColumns,
  readColumns,
  readSessions,
  readSessionsOf,
  readStamps,
  readWordState,
  readWordsSince,
  readWordsWithPrefix,
  SHRINKING,
} from "./rows.ts";
import { numberIn, sessionFactsOf, textIn, withLaunchers } from "./rowValues.ts";
import type { SessionDetails, SessionFacts } from "./view.ts";

/** Of more changed files, one pass over all messages is cheaper than looking up theirs. */
const MOST = 0.5;

interface KnownFile extends IndexedFile {
  readonly root: string;
  readonly stamp: string;
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
  const reader = readers.get(index) ?? new IndexReader(index);
  readers.set(index, reader);
  return reader;
}

export class IndexReader {
  readonly #index: IndexDatabase;
  #openings = 0;
  #words: KnownWords | undefined;
  #files: ReadonlyMap<number, KnownFile> = new Map();
  #view: IndexView | undefined;
  #viewKey = "";

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  /** Runs `work` on the index as it is at one moment. */
  read<T>(roots: readonly string[], work: (view: IndexView) => T): T {
    return atOneMoment(this.#index, () => work(this.#current(roots)));
  }

  /** The same for a list of sessions, without the cost of their messages. */
  readSessions<T>(
    roots: readonly string[],
    work: (sessions: readonly SessionFacts[], detailsOf: (session: SessionFacts) => SessionDetails) => T,
  ): T {
    return atOneMoment(this.#index, () => {
      const rows = roots.flatMap((root) => readSessionsOf(this.#index, root));
      const sessions = withLaunchers(
        rows.map((row) => ({ facts: sessionFactsOf(row), root: textIn(row, "root"), row })),
      );
      const rowOf = new Map(sessions.map(({ facts, row }) => [facts, row]));
      return work([...rowOf.keys()], (session) => {
        const row = rowOf.get(session);
        return { messageCount: numberIn(row, "message_count"), preview: textIn(row, "preview") };
      });
    });
  }

  #current(roots: readonly string[]): IndexView {
    const index = this.#index;
    if (index.openings !== this.#openings) {
      // Another file stands there: nothing that is known holds for it.
      this.#openings = index.openings;
      this.#words = undefined;
      this.#files = new Map();
      this.#view = undefined;
    }
    const key = [index.revision(), ...roots].join("\0");
    if (this.#view !== undefined && key === this.#viewKey) return this.#view;
    const files = this.#readFiles(roots);
    this.#files = new Map(files.map((file) => [file.fileId, file]));
    this.#words = this.#readWords();
    this.#view = new IndexView(index, withLaunchers(files), this.#words.dictionary);
    this.#viewKey = key;
    return this.#view;
  }

  #readFiles(roots: readonly string[]): readonly KnownFile[] {
    const index = this.#index;
    const stamped = roots.flatMap((root) => readStamps(index, root));
    const changed = stamped
      .filter(([fileId, stamp]) => stamp === SHRINKING || this.#files.get(fileId)?.stamp !== stamp)
      .map(([fileId]) => fileId);
    const isMost = changed.length > MOST * stamped.length;
    const columns = isMost ? readAllColumns(index) : readColumns(index, changed);
    const rows = isMost ? roots.flatMap((root) => readSessionsOf(index, root)) : readSessions(index, changed);
    const fresh = new Map(rows.map((row) => [numberIn(row, "file_id"), row]));
    const isChanged = new Set(changed);
    return stamped.flatMap(([fileId, stamp]) => {
      const known = this.#files.get(fileId);
      if (known !== undefined && !isChanged.has(fileId)) return [known];
      const row = fresh.get(fileId);
      if (row === undefined) return [];
      return {
        fileId,
        stamp,
        root: textIn(row, "root"),
        version: numberIn(row, "version"),
        facts: sessionFactsOf(row),
        columns: columns.get(fileId) ?? NO_MESSAGES,
      };
    });
  }

  #readWords(): KnownWords {
    const index = this.#index;
    const state = readWordState(index);
    const known = this.#words?.generation === state.generation ? this.#words : undefined;
    if (known !== undefined && known.lastId === state.lastId) return known;
    const added = readWordsSince(index, known?.lastId ?? 0);
    const narrow = joinWords(known?.narrow ?? "", added.narrow);
    const wide = joinWords(known?.wide ?? "", added.wide);
    const dictionary = new Dictionary([narrow, wide], (prefix, limit) =>
      readWordsWithPrefix(index, prefix, limit),
    );
    return { ...state, narrow, wide, dictionary };
  }
}

function joinWords(known: string, added: string): string {
  return known === "" || added === "" ? known + added : known + WORD_BORDER + added;
}
