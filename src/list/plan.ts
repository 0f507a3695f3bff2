/** `list_sessions`: parameters to a checked query. Pure; opens nothing. */
import type { ListSessionsParams, SessionSortField, SortDirection } from "../model.ts";
import { type CwdFilter, requireCwdFilter } from "../query/cwds.ts";
import {
  optionalBoolean,
  optionalChoice,
  optionalCount,
  optionalString,
  requireParams,
} from "../query/params.ts";
import { requireTimeRange, type TimeRange } from "../query/timeRange.ts";
import { type Cursor, requireCursor } from "./cursor.ts";

export const SORT_FIELDS = ["timestamp", "cwd", "path", "id"] as const satisfies readonly SessionSortField[];
export const SORT_DIRECTIONS = ["asc", "desc"] as const satisfies readonly SortDirection[];

const NAMES = [
  "cwds",
  "cwdMatch",
  "startTimestamp",
  "endTimestamp",
  "includeCurrentSession",
  "sortBy",
  "sortDirection",
  "limit",
  "cursor",
  "includeOrphans",
] as const satisfies readonly (keyof ListSessionsParams)[];

/** What selects and orders rows; a cursor is only valid for the selection it came from. */
export interface ListSelection {
  readonly cwdFilter: CwdFilter;
  readonly timeRange: TimeRange;
  readonly includeCurrentSession: boolean;
  readonly includeOrphans: boolean;
  readonly sortBy: SessionSortField;
  readonly sortDirection: SortDirection;
}

export interface ListQuery extends ListSelection {
  readonly limit: number | undefined;
  readonly after: Cursor | undefined;
}

export function requireListQuery(params: unknown): ListQuery {
  const given = requireParams(params, NAMES, "list_sessions");
  const selection: ListSelection = {
    cwdFilter: requireCwdFilter(given["cwds"], given["cwdMatch"]),
    timeRange: requireTimeRange(given["startTimestamp"], given["endTimestamp"]),
    includeCurrentSession: optionalBoolean("includeCurrentSession", given["includeCurrentSession"]) ?? false,
    includeOrphans: optionalBoolean("includeOrphans", given["includeOrphans"]) ?? false,
    sortBy: optionalChoice("sortBy", given["sortBy"], SORT_FIELDS) ?? "timestamp",
    sortDirection: optionalChoice("sortDirection", given["sortDirection"], SORT_DIRECTIONS) ?? "asc",
  };
  const limit = optionalCount("limit", given["limit"]);
  const cursor = optionalString("cursor", given["cursor"]);
  return { ...selection, limit, after: cursor === undefined ? undefined : requireCursor(cursor, selection) };
}
