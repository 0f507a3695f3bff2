/** Small stores in memory: each session a list of message texts, user and assistant in turn. */
import { fold } from "../../src/index/fold.ts";
import { type HeldSession, MemoryView } from "../../src/search/memoryView.ts";
import { MessageSet } from "../../src/search/messageSet.ts";
import type { Evidence } from "../../src/search/rank.ts";
import { occurrencesOf } from "../../src/search/terms.ts";
import type { SearchView } from "../../src/search/view.ts";

export const START_MS = Date.parse("2026-01-01T00:00:00.000Z");

/** Session `i` is `/s/<i>.jsonl`, starts a day after the one before and has a message a minute. */
export function heldSession(
  i: number,
  texts: readonly string[],
  more: Partial<HeldSession> = {},
): HeldSession {
  const startMs = START_MS + i * 86_400_000;
  return {
    path: `/s/${i}.jsonl`,
    cwd: `/work/project${i}`,
    startedAt: new Date(startMs).toISOString(),
    lastActivityAt: new Date(startMs + texts.length * 60_000).toISOString(),
    isSubagent: false,
    lastActivityMs: startMs + texts.length * 60_000,
    messages: texts.map((text, n) => {
      const timestampMs = startMs + n * 60_000;
      const timestamp = new Date(timestampMs).toISOString();
      return {
        isUser: n % 2 === 0,
        timestampMs,
        folded: fold(text),
        source: () => ({ id: `${i}-${n}`, lineNo: n + 2, timestamp, text }),
      };
    }),
    ...more,
  };
}

export function viewOf(sessions: readonly (readonly string[])[]): MemoryView {
  return new MemoryView(sessions.map((texts, i) => heldSession(i, texts)));
}

export function setOf(capacity: number, positions: Iterable<number>): MessageSet {
  const set = new MessageSet(capacity);
  for (const position of positions) set.add(position);
  return set;
}

export function allOf({ messages }: SearchView): MessageSet {
  return setOf(messages.count, messages.sessionOf.keys());
}

/** Of each word, the eligible messages that hold it. */
export function evidenceOf(
  view: SearchView,
  words: readonly string[],
  eligible = allOf(view),
): readonly Evidence[] {
  return words.map((text) => ({
    holders: view.containing(text, eligible),
    spansIn: (folded) => occurrencesOf({ kind: "literal", text }, folded),
  }));
}
