/**
 * What people are shown with an answer and models are not: people look for the names that they see in lists, and know a
 * session without a name by its first words.
 */
import { fold } from "../index/fold.ts";
import type { ForPeople, SearchHit } from "../model.ts";
import { isInRange } from "../query/timeRange.ts";
import { previewOf } from "./browse.ts";
import { parseQuery } from "./grammar.ts";
import type { DiscoveryQuery } from "./plan.ts";
import { isMatch } from "./terms.ts";
import type { SessionFacts } from "./view.ts";
import { sessionTest, type Viewer, visibleSessions } from "./viewer.ts";

const MAX_NAMED = 3;
const MAX_FIRST_WORDS_CHARS = 60;

const foldedNames = new WeakMap<SessionFacts, string>();

/** @param previewIn the start of a session's first user message, raw */
export function forPeople(
  sessions: readonly SessionFacts[],
  query: DiscoveryQuery,
  viewer: Viewer,
  results: readonly SearchHit[],
  previewIn: (session: SessionFacts) => string,
): ForPeople {
  const { root } = parseQuery(query.query);
  const isVisible = visibleSessions(sessions, viewer);
  const isKept = sessionTest(query, viewer);
  const named = sessions.filter((session, i) => {
    if (root === undefined || isVisible[i] !== true || session.isSubagent) return false;
    const name = foldedNameOf(session);
    return (
      name !== "" &&
      isMatch(root, name) &&
      isKept(session) &&
      isInRange(session.lastActivityMs, query.timeRange)
    );
  });
  named.sort((a, b) => b.lastActivityMs - a.lastActivityMs || (a.path < b.path ? -1 : 1));
  const nameless = new Set(results.flatMap(({ path, name }) => (name === undefined ? [path] : [])));
  return {
    named: named
      .slice(0, MAX_NAMED)
      .map(({ path, name = "", cwd, lastActivityAt }) => ({ path, name, cwd, lastActivityAt })),
    firstWords: Object.fromEntries(
      sessions
        .filter(({ path }) => nameless.has(path))
        .map((session) => [session.path, previewOf(previewIn(session), MAX_FIRST_WORDS_CHARS)]),
    ),
  };
}

function foldedNameOf(session: SessionFacts): string {
  let folded = foldedNames.get(session);
  if (folded === undefined) {
    folded = fold(session.name ?? "");
    foldedNames.set(session, folded);
  }
  return folded;
}
