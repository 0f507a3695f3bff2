/** A view of messages that are held in memory: for searching without an index, and for tests. */
import { tokensOf } from "../index/fold.ts";
import { Dictionary } from "./dictionary.ts";
import { MessageSet } from "./messageSet.ts";
import type { MessageSource, SearchView, SessionFacts, ViewedMessages, ViewedSession } from "./view.ts";

export interface HeldMessage {
  readonly isUser: boolean;
  readonly timestampMs: number;
  readonly folded: string;
  readonly source: () => MessageSource | undefined;
}

export type HeldSession = SessionFacts & {
  readonly messages: readonly HeldMessage[];
};

export class MemoryView implements SearchView {
  readonly sessions: readonly ViewedSession[];
  readonly messages: ViewedMessages;
  readonly #held: readonly HeldMessage[];
  #words:
    | { readonly positionsOf: ReadonlyMap<string, readonly number[]>; readonly dictionary: Dictionary }
    | undefined;

  constructor(sessions: readonly HeldSession[]) {
    let first = 0;
    this.sessions = sessions.map(({ messages, ...session }) => {
      const end = first + messages.length;
      const viewed = { ...session, first, end };
      first = end;
      return viewed;
    });
    this.#held = sessions.flatMap(({ messages }) => messages);
    this.messages = columnsOf(this.sessions, this.#held);
  }

  get dictionary(): Dictionary {
    return this.#index().dictionary;
  }

  withWords(words: readonly string[]): MessageSet {
    const { positionsOf } = this.#index();
    const set = new MessageSet(this.messages.count);
    for (const word of words) for (const position of positionsOf.get(word) ?? []) set.add(position);
    return set;
  }

  containing(text: string, within: MessageSet): MessageSet {
    const set = new MessageSet(this.messages.count);
    for (const position of within.positions()) {
      if (this.foldedTextAt(position).includes(text)) set.add(position);
    }
    return set;
  }

  foldedTextAt(position: number): string {
    return this.#held[position]?.folded ?? "";
  }

  sourceAt(position: number): MessageSource | undefined {
    return this.#held[position]?.source();
  }

  #index() {
    if (this.#words !== undefined) return this.#words;
    const positionsOf = new Map<string, number[]>();
    for (const [position, { folded }] of this.#held.entries()) {
      for (const word of new Set(wordsOf(folded))) {
        const positions = positionsOf.get(word);
        if (positions === undefined) positionsOf.set(word, [position]);
        else positions.push(position);
      }
    }
    this.#words = { positionsOf, dictionary: Dictionary.of(positionsOf.keys()) };
    return this.#words;
  }
}

function columnsOf(sessions: readonly ViewedSession[], held: readonly HeldMessage[]): ViewedMessages {
  const count = held.length;
  const sessionOf = new Int32Array(count);
  for (const [i, { first, end }] of sessions.entries()) sessionOf.fill(i, first, end);
  const wordsBefore = new Float64Array(count + 1);
  for (const [i, { folded }] of held.entries())
    wordsBefore[i + 1] = (wordsBefore[i] ?? 0) + wordsOf(folded).length;
  return {
    count,
    sessionOf,
    isUser: Uint8Array.from(held, ({ isUser }) => (isUser ? 1 : 0)),
    timestampMs: Float64Array.from(held, ({ timestampMs }) => timestampMs),
    wordsBefore,
  };
}

function wordsOf(folded: string): readonly string[] {
  return tokensOf(folded)
    .split(" ")
    .filter((word) => word !== "");
}
