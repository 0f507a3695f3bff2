/**
 * What a search looks at: the messages of a store as columns, and the ways from words to messages. The index and the
 * scan of files offer the same view, so that matching and ranking cannot differ between them. Names no storage.
 */
import type { Dictionary } from "./dictionary.ts";
import type { MessageSet } from "./messageSet.ts";

/** One session file that holds messages or could. */
export interface ViewedSession {
  readonly path: string;
  readonly name?: string;
  /** Null when the header has none. */
  readonly cwd: string | null;
  readonly startedAt: string | null;
  /** Latest time of an entry, or of the header; 0 when there is none. */
  readonly lastActivityMs: number;
  /** The header's `parentSession`: where it was forked from, as it is spelled there. */
  readonly parentSessionPath?: string;
  /** The session that launched this one as a subagent. */
  readonly launchedByPath?: string;
  /** Its messages stand from `first` up to `end`, in file order. */
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
