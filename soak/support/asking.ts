/** Asks everything of a store that may be in trouble. Errors are answers as long as they say what is wrong. */
import assert from "node:assert/strict";
import type { Random } from "../../bench/random.ts";
import { listSessions, readSessionEntries, searchSessions } from "../../src/index.ts";

/** What can be known of one call: its value or its message, as text. */
export type Told = string;

/** Messages that a user can act on. Anything else is a crash that was caught. */
const KNOWN_ERRORS = [
  /^could not read session file: /,
  /^not a Pi session file: /,
  /^sessions root is not readable: /,
  /^sessionPath is outside the sessions root: /,
  /^sessionId is outside the sessions root: /,
  /^(E[A-Z]+): /,
  /changed|no longer|gone|no such|not found|unknown|no message|no entry|branch/i,
];

/** One random question; with an index path the index is asked. */
export async function ask(
  random: Random,
  root: string,
  files: readonly string[],
  indexPath?: string,
): Promise<Told> {
  const store = { sessionsRoot: root };
  const search = { ...store, ...(indexPath === undefined ? {} : { indexPath }), syncBudgetMs: 5000 };
  const file = random.pick(files);
  const questions: (() => Promise<unknown>)[] = [
    () => listSessions({ includeOrphans: true }, store),
    () => readSessionEntries({ sessionPath: file }, store),
    () => readSessionEntries({ sessionPath: file, branch: "active" }, store),
    () => searchSessions({ query: random.pick(["deploy", "econn", "line1 file2", '"retry queue"']) }, search),
    () => searchSessions({}, search),
    () => searchSessions({ sessionId: file }, store),
    () => searchSessions({ sessionId: file, aroundMessageId: "m1" }, store),
  ];
  return await told(random.pick(questions));
}

export async function told(question: () => Promise<unknown>): Promise<Told> {
  try {
    return JSON.stringify(await question());
  } catch (error) {
    assert.ok(error instanceof Error);
    const isCrash = ["TypeError", "RangeError", "ReferenceError", "SyntaxError"].includes(error.name);
    assert.ok(
      !isCrash && KNOWN_ERRORS.some((known) => known.test(error.message)),
      `unexpected: ${error.stack}`,
    );
    return error.message;
  }
}
