/**
 * The messages of many files as columns. Kept file by file, so that a change of one file costs its own rows; joined
 * into the columns that a search runs over.
 */
import type { SessionFacts, ViewedMessages, ViewedSession } from "./view.ts";

/** The messages of one file in file order, as the index stores them. */
export interface FileColumns {
  readonly ids: Float64Array;
  readonly isUser: Uint8Array;
  readonly timestampMs: Float64Array;
  readonly words: Float64Array;
}

export const NO_MESSAGES: FileColumns = {
  ids: new Float64Array(0),
  isUser: new Uint8Array(0),
  timestampMs: new Float64Array(0),
  words: new Float64Array(0),
};

export interface JoinedColumns {
  readonly sessions: readonly ViewedSession[];
  readonly messages: ViewedMessages;
  /** By position. */
  readonly ids: Float64Array;
  /** By id: the position, or -1. */
  readonly positionOf: Int32Array;
}

export function joinColumns(
  files: readonly { readonly facts: SessionFacts; readonly columns: FileColumns }[],
): JoinedColumns {
  const count = files.reduce((sum, { columns }) => sum + columns.ids.length, 0);
  const ids = new Float64Array(count);
  const sessionOf = new Int32Array(count);
  const isUser = new Uint8Array(count);
  const timestampMs = new Float64Array(count);
  const wordsBefore = new Float64Array(count + 1);
  let first = 0;
  const sessions = files.map(({ facts, columns }, session) => {
    const end = first + columns.ids.length;
    ids.set(columns.ids, first);
    sessionOf.fill(session, first, end);
    isUser.set(columns.isUser, first);
    timestampMs.set(columns.timestampMs, first);
    wordsBefore.set(columns.words, first + 1);
    const viewed = { ...facts, first, end };
    first = end;
    return viewed;
  });
  let maxId = -1;
  for (let at = 0; at < count; at++) {
    wordsBefore[at + 1] = (wordsBefore[at + 1] ?? 0) + (wordsBefore[at] ?? 0);
    maxId = Math.max(maxId, ids[at] ?? 0);
  }
  const positionOf = new Int32Array(maxId + 1).fill(-1);
  for (let at = 0; at < count; at++) positionOf[ids[at] ?? 0] = at;
  return {
    sessions,
    messages: { count, sessionOf, isUser, timestampMs, wordsBefore },
    ids,
    positionOf,
  };
}

/** Whole numbers joined by commas, as SQLite's `group_concat` gives them; a row each would cost several times as much. */
export function parseNumbers(joined: string): Float64Array {
  if (joined === "") return new Float64Array(0);
  let count = 1;
  for (let at = joined.indexOf(","); at !== -1; at = joined.indexOf(",", at + 1)) count++;
  const numbers = new Float64Array(count);
  let number = 0;
  let sign = 1;
  let n = 0;
  for (let at = 0; at < joined.length; at++) {
    const unit = joined.charCodeAt(at);
    if (unit === COMMA) {
      numbers[n++] = sign * number;
      number = 0;
      sign = 1;
    } else if (unit === MINUS) {
      sign = -1;
    } else {
      number = number * 10 + (unit - ZERO);
    }
  }
  numbers[n] = sign * number;
  return numbers;
}

const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
