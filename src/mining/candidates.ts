/**
 * Which sessions are mined: the most recent ones of a scope, one of each family of forks. Pure. Subagent sessions are
 * left out: their user messages are another model's words, and their work would count a second time beside the session
 * that launched them.
 */
import path from "node:path";
import type { SessionFacts } from "../search/view.ts";
import { type Viewer, visibleSessions } from "../search/viewer.ts";
import { isTranscriptName } from "../session/names.ts";

export interface CandidateRequest {
  /** Asked in the order of the answer, and no further than it takes. */
  readonly isInScope: (session: SessionFacts) => boolean;
  readonly viewer: Viewer;
  readonly limit: number;
}

/** Newest activity first. A session that may not be seen influences nothing. */
export function recentDistinctSessions(
  sessions: readonly SessionFacts[],
  { isInScope, viewer, limit }: CandidateRequest,
): readonly SessionFacts[] {
  const isVisible = visibleSessions(sessions, viewer);
  const seen = sessions.filter((_, i) => isVisible[i] === true);
  const familyOf = familiesOf(seen);
  const current = viewer.currentSessionPath ? path.resolve(viewer.currentSessionPath) : undefined;
  const recent = seen
    .filter((session) => !session.isSubagent && session.path !== current)
    .sort((a, b) => b.lastActivityMs - a.lastActivityMs || (a.path < b.path ? -1 : 1));
  const chosen: SessionFacts[] = [];
  const families = new Set<string>();
  for (const session of recent) {
    if (chosen.length >= limit) break;
    const family = familyOf(session);
    if (families.has(family) || !isInScope(session)) continue;
    families.add(family);
    chosen.push(session);
  }
  return chosen;
}

/**
 * Sessions are of one family when `parentSession` leads from both to the same session, whether its file is still there
 * or not: what they have in common was said once.
 */
function familiesOf(sessions: readonly SessionFacts[]): (session: SessionFacts) => string {
  const leaderOf = new Map<string, string>();
  const find = (key: string): string => {
    let at = key;
    for (let next = leaderOf.get(at); next !== undefined; next = leaderOf.get(at)) at = next;
    if (at !== key) leaderOf.set(key, at);
    return at;
  };
  for (const { path: own, parentSessionPath } of sessions) {
    if (parentSessionPath === undefined) continue;
    const [child, parent] = [find(keyOf(own)), find(keyOf(parentSessionPath))];
    if (child !== parent) leaderOf.set(child, parent);
  }
  return (session) => find(keyOf(session.path));
}

/** Pi names a session file by its time and id, so the name is the same after the store was moved or copied. */
function keyOf(filePath: string): string {
  const name = filePath.slice(filePath.lastIndexOf("/") + 1);
  return isTranscriptName(name) && name !== "session.jsonl" ? name : filePath;
}
