/**
 * A session that was found, by its hit or as a recent one: what both have in common, for every surface that shows them to
 * people. Nothing here is made visible yet.
 */
import type { BrowsedSession, BrowseOutput, DiscoveryOutput, SearchHit } from "../model.ts";
import { localMinute, projectLabel } from "./labels.ts";

export interface Found {
  readonly path: string;
  /** The best matching message; null for a recent session and where ids do not last. */
  readonly messageId: string | null;
  /** The line of the best match; null for a recent session. */
  readonly lineNo: number | null;
  readonly name: string;
  readonly cwd: string | null;
  /** NaN when there is none. */
  readonly timeMs: number;
  /** Snippet with `«»` around what matched, or the first words. */
  readonly snippet: string;
  /** Short facts: `assistant`, `some of the words`; `12 messages`. */
  readonly facts: readonly string[];
}

export function rowsOf(output: DiscoveryOutput | BrowseOutput): readonly Found[] {
  return output.mode === "discovery" ? output.results.map(rowOfHit) : output.sessions.map(rowOfSession);
}

/** When and where it was, and what it is called. */
export function headOf({ timeMs, cwd, name }: Pick<Found, "timeMs" | "cwd" | "name">): string {
  const when = Number.isFinite(timeMs) ? localMinute(timeMs) : "";
  return [when, projectLabel(cwd), name].filter((part) => part !== "").join("  ");
}

export function isSameRow(a: Found | undefined, b: Found | undefined): boolean {
  return a !== undefined && b !== undefined && a.path === b.path && a.messageId === b.messageId;
}

function rowOfHit(hit: SearchHit): Found {
  const facts = [hit.role, ...(hit.parentPath === undefined ? [] : ["subagent"])];
  return {
    path: hit.path,
    messageId: hit.matchMessageId,
    lineNo: hit.lineNo,
    name: hit.name ?? "",
    cwd: hit.cwd,
    timeMs: Date.parse(hit.timestamp),
    snippet: hit.snippet,
    facts: hit.match === "some" ? [...facts, "some of the words"] : facts,
  };
}

function rowOfSession(session: BrowsedSession): Found {
  const { messageCount, subagents = 0 } = session;
  const counts = [`${messageCount} ${messageCount === 1 ? "message" : "messages"}`];
  if (subagents > 0) counts.push(`${subagents} ${subagents === 1 ? "subagent" : "subagents"}`);
  return {
    path: session.path,
    messageId: null,
    lineNo: null,
    name: session.name ?? "",
    cwd: session.cwd,
    timeMs: Date.parse(session.lastActivityAt ?? session.startedAt ?? ""),
    // Marks here would be the session's own.
    snippet: session.preview.replace(/[«»]/g, '"'),
    facts: counts,
  };
}
