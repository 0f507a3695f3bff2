/** Browse: the sessions with the latest activity. Subagent sessions are counted under the session that led to them. */
import type { BrowsedSession } from "../model.ts";
import { isInRange } from "../query/timeRange.ts";
import { isInsidePair, shownText } from "./shownText.ts";
import type { SessionDetails, SessionFacts } from "./view.ts";
import { type Filters, sessionTest, type Viewer, visibleSessions } from "./viewer.ts";

const PREVIEW_CHARS = 200;

export function browse(
  sessions: readonly SessionFacts[],
  request: Filters & { readonly limit: number },
  viewer: Viewer,
  detailsOf: (session: SessionFacts) => SessionDetails,
): readonly BrowsedSession[] {
  const isVisible = visibleSessions(sessions, viewer);
  const isKept = sessionTest(request, viewer);
  const seen = sessions.filter((_, i) => isVisible[i] === true);
  const subagentsOf = countSubagents(seen);
  return seen
    .filter(
      (session) =>
        !session.isSubagent && isKept(session) && isInRange(session.lastActivityMs, request.timeRange),
    )
    .sort((a, b) => b.lastActivityMs - a.lastActivityMs || (a.path < b.path ? -1 : 1))
    .slice(0, request.limit)
    .map((session) => {
      const { messageCount, preview } = detailsOf(session);
      const subagents = subagentsOf.get(session.path) ?? 0;
      return {
        path: session.path,
        ...(session.name === undefined ? {} : { name: session.name }),
        cwd: session.cwd,
        startedAt: session.startedAt,
        lastActivityAt: session.lastActivityAt,
        messageCount,
        preview: previewOf(preview),
        ...(subagents === 0 ? {} : { subagents }),
      };
    });
}

/** For each path: the subagent sessions below it at any depth. */
function countSubagents(sessions: readonly SessionFacts[]): ReadonlyMap<string, number> {
  const byPath = new Map(sessions.map((session) => [session.path, session]));
  const counts = new Map<string, number>();
  for (const { launchedByPath } of sessions) {
    for (let at = launchedByPath; at !== undefined; at = byPath.get(at)?.launchedByPath) {
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  }
  return counts;
}

/** The first characters of a text, as they may be shown. */
export function previewOf(raw: string, maxChars = PREVIEW_CHARS): string {
  const text = shownText(raw.slice(0, 4 * maxChars)).trim();
  return text.slice(0, isInsidePair(text, maxChars) ? maxChars - 1 : maxChars);
}
