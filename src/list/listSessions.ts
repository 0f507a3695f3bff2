/** `listSessions`: names the transcripts on disk. Reads headers only, never the conversation. */
import path from "node:path";
import type {
  ListSessionsOutput,
  ListSessionsParams,
  ListSessionsWarning,
  SessionMetadata,
  SessionSortField,
  StoreOptions,
} from "../model.ts";
import { isCwdKept } from "../query/cwds.ts";
import { isInRange } from "../query/timeRange.ts";
import { type AccessTest, accessTestOf } from "../session/access.ts";
import {
  HEADER_READ_BYTES,
  type ListedHeader,
  parseListedHeader,
  type SessionHeader,
} from "../session/header.ts";
import { messageOf } from "../session/json.ts";
import { Pace } from "../session/pace.ts";
import { readHead, requireRoots } from "../session/store.ts";
import { type Found, HIDDEN, type WalkRequest, walkSessions } from "../session/walk.ts";
import { type Cursor, formatCursor } from "./cursor.ts";
import { type ListQuery, requireListQuery } from "./plan.ts";

type Row = Found<SessionHeader>;

/**
 * Lists the sessions of a store, oldest first by default, with delegated subagent transcripts nested under the session
 * that launched them. A root that cannot be read and a file that is skipped are warnings.
 *
 * @throws ParameterError (a rejection) for a bad parameter, before any file is opened
 */
export async function listSessions(
  params: ListSessionsParams = {},
  options: StoreOptions,
): Promise<ListSessionsOutput> {
  const query = requireListQuery(params);
  const roots = requireRoots(options);
  const pace = new Pace(options.signal);
  const isAllowed = accessTestOf(options.allowedProjects);
  const found = await walkSessions({
    roots,
    includeOrphans: query.includeOrphans,
    visit: createHeaderReader(isAllowed),
    isBounded: isAllowed !== undefined,
    pace,
  });

  const isCurrent = currentSessionTest(query.includeCurrentSession ? undefined : options.currentSessionPath);
  const orphans = new Set(found.orphans);
  const rows = [...found.sessions, ...found.orphans].filter(
    (row) => !isCurrent(row.path) && isKept(row.value, query),
  );
  const order = query.sortDirection === "asc" ? 1 : -1;
  const sortValueOf = SORT_VALUES[query.sortBy];
  rows.sort((a, b) => order * (compare(sortValueOf(a), sortValueOf(b)) || compareByTime(a, b)));

  const { after, limit } = query;
  const place = (row: Row): Cursor => placeOf(row, query);
  const rest =
    after === undefined ? rows : rows.filter((row) => order * comparePlaces(place(row), after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const sessions = page.map((row) => toMetadata(row, isCurrent, orphans.has(row)));
  const warnings = sortWarnings(found.warnings);
  return last !== undefined && page.length < rest.length
    ? { sessions, warnings, nextCursor: formatCursor(place(last), query) }
    : { sessions, warnings };
}

/** Reads the header of one file after another into one buffer. A file that may not be seen costs no word. */
function createHeaderReader(isAllowed: AccessTest | undefined): WalkRequest<SessionHeader>["visit"] {
  const buffer = Buffer.allocUnsafe(HEADER_READ_BYTES);
  return (filePath, warn) => {
    const header = readHeader(filePath, buffer);
    if (isAllowed !== undefined && !isAllowed(header.ok ? header.value.cwd : header.cwd)) return HIDDEN;
    if (header.ok) return header.value;
    warn(filePath, header.reason);
    return undefined;
  };
}

function readHeader(filePath: string, buffer: Buffer): ListedHeader {
  try {
    return parseListedHeader(buffer, readHead(filePath, buffer));
  } catch (error) {
    return { ok: false, reason: `session file not readable: ${messageOf(error)}` };
  }
}

/** Compared after `path.resolve` alone, so that a copy at another path survives. */
function currentSessionTest(currentSessionPath: string | undefined): (rowPath: string) => boolean {
  if (!currentSessionPath) return () => false;
  const current = path.resolve(currentSessionPath);
  return (rowPath) => rowPath === current;
}

function isKept(header: SessionHeader, query: ListQuery): boolean {
  return isInRange(header.timestampMs, query.timeRange) && isCwdKept(header.cwd, query.cwdFilter);
}

const SORT_VALUES: Readonly<Record<SessionSortField, (row: Row) => string | number>> = {
  timestamp: (row) => row.value.timestampMs,
  cwd: (row) => row.value.cwd,
  path: (row) => row.path,
  id: (row) => row.value.id,
};

function placeOf(row: Row, { sortBy }: ListQuery): Cursor {
  return { sortValue: SORT_VALUES[sortBy](row), timestampMs: row.value.timestampMs, path: row.path };
}

function compareByTime(a: Row, b: Row): number {
  return compare(a.value.timestampMs, b.value.timestampMs) || compare(a.path, b.path);
}

function comparePlaces(a: Cursor, b: Cursor): number {
  return (
    compare(a.sortValue, b.sortValue) || compare(a.timestampMs, b.timestampMs) || compare(a.path, b.path)
  );
}

/** By code unit or number; never by locale. */
function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toMetadata(row: Row, isCurrent: (path: string) => boolean, isOrphan: boolean): SessionMetadata {
  const { id, timestamp, cwd, parentSessionPath } = row.value;
  const metadata: { -readonly [K in keyof SessionMetadata]: SessionMetadata[K] } = {
    id,
    path: row.path,
    timestamp,
    cwd,
    subagentSessions: [],
  };
  if (parentSessionPath !== undefined) metadata.parentSessionPath = parentSessionPath;
  if (isOrphan) metadata.orphaned = true;
  if (row.children.length > 0)
    metadata.subagentSessions = row.children
      .filter((child) => !isCurrent(child.path))
      .sort(compareByTime)
      .map((child) => toMetadata(child, isCurrent, false));
  return metadata;
}

function sortWarnings(warnings: readonly ListSessionsWarning[]): readonly ListSessionsWarning[] {
  const sorted = [...warnings].sort((a, b) => compare(a.path, b.path) || compare(a.reason, b.reason));
  return sorted.filter((warning, i) => {
    const previous = sorted[i - 1];
    return previous?.path !== warning.path || previous.reason !== warning.reason;
  });
}
