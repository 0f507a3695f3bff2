/**
 * A session that was found, by its hit or as a recent one: what both have in common, for every surface that shows them to
 * people. Nothing here is made visible yet.
 */
import type { BrowsedSession, BrowseOutput, DiscoveryOutput, ForPeople, SearchHit } from "../model.ts";
import { localMinute, projectLabel } from "./labels.ts";

export interface Found {
  readonly path: string;
  /** The best matching message; null for a recent session and where ids do not last. */
  readonly messageId: string | null;
  /** The line of the best match; null for a recent session. */
  readonly lineNo: number | null;
  /** For a hit without a name, the first words. */
  readonly name: string;
  readonly cwd: string | null;
  /** NaN when there is none. */
  readonly timeMs: number;
  /** Snippet with `«»` around what matched, or the first words. */
  readonly snippet: string;
  /** Short facts: `assistant`, `some of the words`; `12 messages`. */
  readonly facts: readonly string[];
}

/** Sessions that are named so come first: a name is what a person remembers. */
export function rowsOf(
  output: (DiscoveryOutput & { readonly forPeople?: ForPeople }) | BrowseOutput,
): readonly Found[] {
  if (output.mode === "browse") return output.sessions.map(rowOfSession);
  const { named = [], firstWords = {} } = output.forPeople ?? {};
  const hits = output.results.map((hit) => rowOfHit(hit, firstWords[hit.path] ?? ""));
  const isNamed = new Set(named.map(({ path }) => path));
  return [
    ...named.map((session) => hits.find(({ path }) => path === session.path) ?? rowOfNamed(session)),
    ...hits.filter(({ path }) => !isNamed.has(path)),
  ];
}

/** When and where it was, and what it is called. */
export function headOf({ timeMs, cwd, name }: Pick<Found, "timeMs" | "cwd" | "name">): string {
  const when = Number.isFinite(timeMs) ? localMinute(timeMs) : "";
  return [when, projectLabel(cwd), name].filter((part) => part !== "").join("  ");
}

export function isSameRow(a: Found | undefined, b: Found | undefined): boolean {
  return a !== undefined && b !== undefined && a.path === b.path && a.messageId === b.messageId;
}

function rowOfNamed({ path, name, cwd, lastActivityAt }: ForPeople["named"][number]): Found {
  const timeMs = Date.parse(lastActivityAt ?? "");
  return { path, messageId: null, lineNo: null, name, cwd, timeMs, snippet: "", facts: ["by its name"] };
}

function rowOfHit(hit: SearchHit, firstWords: string): Found {
  const facts = [hit.role, ...(hit.parentPath === undefined ? [] : ["subagent"])];
  return {
    path: hit.path,
    messageId: hit.matchMessageId,
    lineNo: hit.lineNo,
    name: hit.name ?? firstWords,
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
