/** Answers of the search, made up for tests of the palette. */
import type { BrowsedSession, SearchHit } from "../../../src/model.ts";

const NEWEST_MS = Date.parse("2026-11-30T20:00:00.000Z");

export function session(n: number, more: Partial<BrowsedSession> = {}): BrowsedSession {
  const at = new Date(NEWEST_MS - n * 60_000).toISOString();
  return {
    path: `/s/--srv-app--/${n}.jsonl`,
    cwd: "/srv/app",
    startedAt: at,
    lastActivityAt: at,
    messageCount: 3,
    preview: `first words of ${n}`,
    ...more,
  };
}

export function hit(n: number, more: Partial<SearchHit> = {}): SearchHit {
  const at = new Date(NEWEST_MS - n * 60_000).toISOString();
  return {
    path: `/s/--srv-app--/${n}.jsonl`,
    cwd: "/srv/app",
    startedAt: at,
    rank: n,
    matchMessageId: `0000000${n}`,
    lineNo: 3,
    role: "user",
    timestamp: at,
    snippet: `say the «word» number ${n}`,
    match: "all",
    ...more,
  };
}
