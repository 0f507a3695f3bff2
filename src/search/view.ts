/**
 * What a search looks at: the messages of a store as columns, and the ways from words to messages. The index and the
 * scan of files offer the same view, so that matching and ranking cannot differ between them. Names no storage.
 */
import type { Dictionary } from "./dictionary.ts";
import type { MessageSet } from "./messageSet.ts";

/** One session file. */
export interface SessionFacts {
  readonly path: string;
  readonly name?: string;
  /** Null when the header has none. */
  readonly cwd: string | null;
  readonly startedAt: string | null;
  /** Latest timestamp of an entry; null when there is none. */
  readonly lastActivityAt: string | null;
  /** Its instant, else that of the header, else 0. */
  readonly lastActivityMs: number;
  /** The header's `parentSession`: where it was forked from, as it is spelled there. */
  readonly parentSessionPath?: string;
  /** True for a transcript that was launched from a session, whether that session is there or not. */
  readonly isSubagent: boolean;
  /** The session that launched it. */
  readonly launchedByPath?: string;
}

/** What only a list of sessions shows. */
export interface SessionDetails {
  readonly messageCount: number;
  /** The start of the first user message, raw. */
  readonly preview: string;
}

/** A session with its place in the columns of messages: from `first` up to `end`, in file order. */
export interface ViewedSession extends SessionFacts {
  readonly first: number;
  readonly end: number;
}

/** Columns of the searchable messages; those of one session stand together. */
export interface ViewedMessages {
  readonly count: number;
  /** Position of the session in `sessions`. */
  readonly sessionOf: Int32Array;
  readonly isUser: Uint8Array;
  readonly timestampMs: Float64Array;
  /** Words before each message, and of all at the end: `count + 1` sums. */
  readonly wordsBefore: Float64Array;
}

export interface SearchView {
  readonly sessions: readonly ViewedSession[];
  readonly messages: ViewedMessages;
  readonly dictionary: Dictionary;
  /** The messages that hold any of these words of the dictionary. */
  withWords(words: readonly string[]): MessageSet;
  /** Of `within`, the messages whose folded text contains `text`. */
  containing(text: string, within: MessageSet): MessageSet;
  /** The folded text of a message. */
  foldedTextAt(position: number): string;
  /** What is needed to show a message; undefined when its file has gone. */
  sourceAt(position: number): MessageSource | undefined;
}

/** A message as it stands in its file. */
export interface MessageSource {
  readonly id: string | null;
  readonly lineNo: number;
  readonly timestamp: string;
  /** The raw visible text; the folded one when the file no longer holds what was indexed. */
  readonly text: string;
}
