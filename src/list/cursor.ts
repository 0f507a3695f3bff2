/**
 * Cursors: the place of a row in an order, as text. A cursor holds the row's sort value, instant and path, so that it
 * stays right when sessions come and go between calls, and digests of itself and of the selection it belongs to.
 */
import { createHash } from "node:crypto";
import { parseJson } from "../session/json.ts";
import { ParameterError } from "../session/parameterError.ts";
import type { ListSelection } from "./plan.ts";

/** What `sortBy` compares first, then the header's instant, then the path. */
export interface Cursor {
  readonly sortValue: string | number;
  readonly timestampMs: number;
  readonly path: string;
}

export function formatCursor(place: Cursor, selection: ListSelection): string {
  const body = JSON.stringify([place.sortValue, place.timestampMs, place.path]);
  return Buffer.from(`${selectionDigest(selection)}${digest(body)}${body}`).toString("base64url");
}

export function requireCursor(cursor: string, selection: ListSelection): Cursor {
  const decoded = Buffer.from(cursor, "base64url");
  const text = decoded.toString();
  const body = text.slice(2 * DIGEST_CHARS);
  const isIntact =
    decoded.toString("base64url") === cursor && digest(body) === text.slice(DIGEST_CHARS, 2 * DIGEST_CHARS);
  const parsed = isIntact ? parseJson(body) : undefined;
  if (parsed === undefined || !parsed.ok || !isPlace(parsed.value)) {
    throw new ParameterError("cursor is damaged; expected a nextCursor as an earlier call returned it");
  }
  if (text.slice(0, DIGEST_CHARS) !== selectionDigest(selection)) {
    throw new ParameterError(
      "cursor comes from a call with other filters or another order; expected the same ones",
    );
  }
  const [sortValue, timestampMs, path] = parsed.value;
  return { sortValue, timestampMs, path };
}

const DIGEST_CHARS = 16;

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARS);
}

function selectionDigest(selection: ListSelection): string {
  const { cwdFilter, timeRange, includeCurrentSession, includeOrphans, sortBy, sortDirection } = selection;
  const directories = cwdFilter.directories === undefined ? null : [...new Set(cwdFilter.directories)].sort();
  const match = directories === null ? null : cwdFilter.match;
  const { startMs, endMs } = timeRange;
  return digest(
    JSON.stringify([
      directories,
      match,
      startMs,
      endMs,
      includeCurrentSession,
      includeOrphans,
      sortBy,
      sortDirection,
    ]),
  );
}

function isPlace(value: unknown): value is readonly [string | number, number, string] {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [sortValue, timestampMs, path] = value;
  const isSortValue = typeof sortValue === "string" || typeof sortValue === "number";
  return isSortValue && typeof timestampMs === "number" && typeof path === "string";
}
