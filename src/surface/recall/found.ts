/** A row of the palette, from a hit or from a recent session. What both have in common, told apart only where shown. */
import type { BrowsedSession, BrowseOutput, DiscoveryOutput, SearchHit } from "../../model.ts";

export interface Found {
  readonly path: string;
  /** The best matching message; null for a recent session and where ids do not last. */
  readonly messageId: string | null;
  readonly name: string;
  readonly cwd: string | null;
  /** NaN when there is none. */
  readonly timeMs: number;
  /** Snippet with `«»` around what matched, or the first words. */
  readonly snippet: string;
  /** Short facts: `assistant`, `12 messages`. */
  readonly facts: readonly string[];
}

export function rowsOf(output: DiscoveryOutput | BrowseOutput): readonly Found[] {
  return output.mode === "discovery" ? output.results.map(rowOfHit) : output.sessions.map(rowOfSession);
}

export function isSameRow(a: Found | undefined, b: Found | undefined): boolean {
  return a !== undefined && b !== undefined && a.path === b.path && a.messageId === b.messageId;
}

function rowOfHit(hit: SearchHit): Found {
  const facts = [hit.role, ...(hit.parentPath === undefined ? [] : ["subagent"])];
  return {
    path: hit.path,
    messageId: hit.matchMessageId,
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
    name: session.name ?? "",
    cwd: session.cwd,
    timeMs: Date.parse(session.lastActivityAt ?? session.startedAt ?? ""),
    // Marks here would be the session's own.
    snippet: session.preview.replace(/[«»]/g, '"'),
    facts: counts,
  };
}
