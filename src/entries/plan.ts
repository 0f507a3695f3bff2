/** `session_entries`: parameters to a checked query. Pure; opens nothing. */
import path from "node:path";
import type { SessionEntriesParams } from "../model.ts";
import {
  optionalBoolean,
  optionalChoice,
  optionalCount,
  optionalString,
  optionalStrings,
  refuseParameter,
  requireParams,
} from "../query/params.ts";
import { requireTimeRange, type TimeRange } from "../query/timeRange.ts";
import { describe } from "../session/header.ts";
import { ParameterError } from "../session/parameterError.ts";

export const RAW_CHOICES = ["full", "none"] as const;

const NAMES = [
  "sessionPath",
  "startLineNo",
  "endLineNo",
  "ids",
  "parentIds",
  "types",
  "messageRoles",
  "search",
  "startTimestamp",
  "endTimestamp",
  "limit",
  "branch",
  "raw",
  "maxBytes",
] as const satisfies readonly (keyof SessionEntriesParams)[];

export interface EntriesQuery {
  readonly sessionPath: string;
  readonly startLineNo: number;
  readonly endLineNo: number;
  readonly ids: ReadonlySet<string> | undefined;
  readonly parentIds: ReadonlySet<string> | undefined;
  readonly types: ReadonlySet<string> | undefined;
  readonly messageRoles: ReadonlySet<string> | undefined;
  /** Already lower-cased unless case counts. */
  readonly search: { readonly terms: readonly string[]; readonly caseSensitive: boolean } | undefined;
  readonly timeRange: TimeRange;
  readonly limit: number;
  readonly branch: string | undefined;
  readonly withRaw: boolean;
  readonly maxBytes: number;
}

export function requireEntriesQuery(params: unknown): EntriesQuery {
  const given = requireParams(params, NAMES, "session_entries");
  const startLineNo = optionalCount("startLineNo", given["startLineNo"]) ?? 1;
  const endLineNo = optionalCount("endLineNo", given["endLineNo"]) ?? Number.POSITIVE_INFINITY;
  if (endLineNo < startLineNo) {
    throw new ParameterError(
      `endLineNo ${endLineNo} lies before startLineNo ${startLineNo}; expected a range that ends at or after its start`,
    );
  }
  return {
    sessionPath: requireAbsolutePath(given["sessionPath"]),
    startLineNo,
    endLineNo,
    ids: optionalSet("ids", given["ids"]),
    parentIds: optionalSet("parentIds", given["parentIds"]),
    types: optionalSet("types", given["types"]),
    messageRoles: optionalSet("messageRoles", given["messageRoles"]),
    search: optionalSearch(given["search"]),
    timeRange: requireTimeRange(given["startTimestamp"], given["endTimestamp"]),
    limit: optionalCount("limit", given["limit"]) ?? Number.POSITIVE_INFINITY,
    branch: optionalBranch(given["branch"]),
    withRaw: optionalChoice("raw", given["raw"], RAW_CHOICES) !== "none",
    maxBytes: optionalCount("maxBytes", given["maxBytes"]) ?? Number.POSITIVE_INFINITY,
  };
}

function requireAbsolutePath(value: unknown): string {
  const accepted = "the absolute path of a session file inside a sessions root";
  if (typeof value !== "string" || !path.isAbsolute(value) || value.includes("\0")) {
    return refuseParameter("sessionPath", value, accepted);
  }
  return value;
}

function optionalSet(name: string, value: unknown): ReadonlySet<string> | undefined {
  const strings = optionalStrings(name, value);
  return strings === undefined ? undefined : new Set(strings);
}

function optionalBranch(value: unknown): string | undefined {
  const branch = optionalString("branch", value);
  return branch === "" ? refuseParameter("branch", value, '"active" or the id of an entry') : branch;
}

function optionalSearch(value: unknown): EntriesQuery["search"] {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuseParameter("search", value, "an object with terms and, optionally, caseSensitive");
  }
  const given = requireParams(value, ["terms", "caseSensitive"], "search");
  const { terms } = given;
  if (!Array.isArray(terms) || terms.length === 0) {
    return refuseParameter("search.terms", terms, "a non-empty array of non-empty strings");
  }
  const bad = terms.findIndex((term) => typeof term !== "string" || term === "");
  if (bad !== -1) {
    throw new ParameterError(`search.terms must hold non-empty strings only, got ${describe(terms[bad])}`);
  }
  const caseSensitive = optionalBoolean("search.caseSensitive", given["caseSensitive"]) ?? false;
  return { terms: caseSensitive ? terms : terms.map((term: string) => term.toLowerCase()), caseSensitive };
}
