/**
 * Which sessions and messages a call may look at. What is left out here is left out of every count and statistic, so
 * that it influences nothing.
 */
import path from "node:path";
import { type CwdFilter, isCwdKept } from "../query/cwds.ts";
import { isInRange, type TimeRange } from "../query/timeRange.ts";
import { hasUnknownLauncher } from "./launcher.ts";
import { MessageSet } from "./messageSet.ts";
import type { SearchView, SessionFacts } from "./view.ts";

/** Who asks. */
export interface Viewer {
  /** Judges a header's cwd, null when it has none. Absent: everything may be seen. */
  readonly isAllowed?: ((cwd: string | null) => boolean) | undefined;
  /** True when not everything may be seen: then a transcript whose launcher is not known may not be seen either. */
  readonly isBounded?: boolean;
  /** The running session's file, which is left out. */
  readonly currentSessionPath?: string | undefined;
}

export interface Filters {
  readonly cwdFilter: CwdFilter;
  /** Bounds the time of a message in discovery, the last activity of a session in browse. */
  readonly timeRange: TimeRange;
}

/**
 * By position of the session: whether it may be seen. A transcript below a session that may not be seen may not be
 * seen either.
 */
export function visibleSessions(
  sessions: readonly SessionFacts[],
  { isAllowed, isBounded = false }: Viewer,
): readonly boolean[] {
  if (isAllowed === undefined) return allVisible(sessions);
  const judged = new Map<string | null, boolean>();
  const own = sessions.map((session) => {
    const { cwd } = session;
    const isVisible = judged.get(cwd) ?? isAllowed(cwd);
    judged.set(cwd, isVisible);
    return isVisible && (!isBounded || isLauncherKnown(session));
  });
  if (own.every((isVisible) => isVisible)) return own;
  const byPath = new Map(sessions.map((session, i) => [session.path, i]));
  const launcherOf = (session: number) => byPath.get(sessions[session]?.launchedByPath ?? "");
  return own.map((_, session) => {
    // A launcher lies in a directory above, so this ends.
    for (let at: number | undefined = session; at !== undefined; at = launcherOf(at)) {
      if (own[at] !== true) return false;
    }
    return true;
  });
}

/** The same for every question, so kept as long as the sessions. */
const knownAllVisible = new WeakMap<readonly SessionFacts[], readonly boolean[]>();

function allVisible(sessions: readonly SessionFacts[]): readonly boolean[] {
  const known = knownAllVisible.get(sessions) ?? sessions.map(() => true);
  knownAllVisible.set(sessions, known);
  return known;
}

/** True for a visible session that the filters keep and that is not the running one. */
export function sessionTest(
  { cwdFilter }: Filters,
  { currentSessionPath }: Viewer,
): (session: SessionFacts) => boolean {
  const current = currentSessionPath ? path.resolve(currentSessionPath) : undefined;
  return (session) =>
    session.path !== current &&
    (cwdFilter.directories === undefined || (session.cwd !== null && isCwdKept(session.cwd, cwdFilter)));
}

/** The last answer for who may see everything: somebody who asks again, or goes on typing, asks with the same filters. */
const knownEligible = new WeakMap<SearchView, { readonly key: string; readonly eligible: MessageSet }>();

/** Not to be changed: it may be given again. */
export function eligibleMessages(
  view: SearchView,
  filters: Filters,
  viewer: Viewer,
  visible: readonly boolean[],
): MessageSet {
  if (viewer.isAllowed !== undefined) return findEligible(view, filters, viewer, visible);
  const { cwdFilter, timeRange } = filters;
  const key = JSON.stringify([cwdFilter, timeRange, viewer.currentSessionPath]);
  const known = knownEligible.get(view);
  if (known?.key === key) return known.eligible;
  const eligible = findEligible(view, filters, viewer, visible);
  knownEligible.set(view, { key, eligible });
  return eligible;
}

function findEligible(
  { sessions, messages }: SearchView,
  filters: Filters,
  viewer: Viewer,
  visible: readonly boolean[],
): MessageSet {
  const isKept = sessionTest(filters, viewer);
  const isAlways = filters.timeRange.startMs === -Infinity && filters.timeRange.endMs === Infinity;
  const eligible = new MessageSet(messages.count);
  for (const [i, session] of sessions.entries()) {
    if (visible[i] !== true || !isKept(session)) continue;
    for (let at = session.first; at < session.end; at++) {
      if (isAlways || isInRange(messages.timestampMs[at] ?? 0, filters.timeRange)) eligible.add(at);
    }
  }
  return eligible;
}

/** False for a transcript that was launched from a session of which nothing is known, hence not whose it is. */
function isLauncherKnown({ path, isSubagent, launchedByPath }: SessionFacts): boolean {
  return !isSubagent || (launchedByPath !== undefined && !hasUnknownLauncher(path, launchedByPath));
}
