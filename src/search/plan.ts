/**
 * `session_search`: parameters to a checked query, told apart by mode. Pure; opens nothing. A parameter that does not
 * belong to the mode which the others ask for is a conflict, never ignored: the caller meant something by it.
 */
import path from "node:path";
import type {
  MiningScope,
  SessionSearchOperation,
  SessionSearchOutput,
  SessionSearchParams,
} from "../model.ts";
import { type CwdFilter, requireCwdFilter } from "../query/cwds.ts";
import { optionalChoice, optionalString, refuseParameter, requireParams } from "../query/params.ts";
import { requireTimeRange, type TimeRange } from "../query/timeRange.ts";
import { ParameterError } from "../session/parameterError.ts";
import type { ReadRequest, ScrollRequest } from "../transcript/request.ts";
import { clipQuery } from "./clip.ts";

export const OPERATIONS = ["prepare-pattern-miner"] as const satisfies readonly SessionSearchOperation[];
export const SCOPES = ["repository", "all"] as const satisfies readonly MiningScope[];

export const MAX_LIMIT = 10;
export const DEFAULT_LIMIT = 3;
/** Preparation samples as many sessions as it may. */
export const DEFAULT_PREPARE_LIMIT = 10;
export const MAX_WINDOW = 20;
export const DEFAULT_WINDOW = 5;

export type SearchMode = SessionSearchOutput["mode"];

/** Which sessions (browse) or messages (discovery) are looked at; everywhere and always by default. */
export interface SearchFilters {
  readonly cwdFilter: CwdFilter;
  readonly timeRange: TimeRange;
}

export interface DiscoveryQuery extends SearchFilters {
  readonly mode: "discovery";
  /** Trimmed, not blank, as `clipQuery` cuts it. */
  readonly query: string;
  readonly limit: number;
}

export interface BrowseQuery extends SearchFilters {
  readonly mode: "browse";
  readonly limit: number;
}

export interface ReadQuery extends ReadRequest {
  readonly mode: "read";
}

export interface ScrollQuery extends ScrollRequest {
  readonly mode: "scroll";
}

export interface PrepareQuery {
  readonly mode: "prepare-pattern-miner";
  readonly scope: MiningScope;
  /** Absolute, or relative to the running session's cwd; undefined stands for that cwd. */
  readonly projectPath: string | undefined;
  readonly limit: number;
}

export type SearchQuery = DiscoveryQuery | BrowseQuery | ReadQuery | ScrollQuery | PrepareQuery;

type Name = keyof SessionSearchParams;

/** Where each parameter belongs. */
const MODES_OF: Readonly<Record<Name, readonly SearchMode[]>> = {
  query: ["discovery"],
  sessionId: ["read", "scroll"],
  aroundMessageId: ["scroll"],
  branchTip: ["scroll"],
  window: ["scroll"],
  limit: ["discovery", "browse", "prepare-pattern-miner"],
  cwds: ["discovery", "browse"],
  cwdMatch: ["discovery", "browse"],
  startTimestamp: ["discovery", "browse"],
  endTimestamp: ["discovery", "browse"],
  operation: ["prepare-pattern-miner"],
  scope: ["prepare-pattern-miner"],
  projectPath: ["prepare-pattern-miner"],
};
const NAMES = Object.keys(MODES_OF) as readonly Name[];

/** The parameters that ask for a mode; none of them asks for browse. */
const ASKED_BY: Readonly<Record<SearchMode, readonly Name[]>> = {
  discovery: ["query"],
  browse: [],
  read: ["sessionId"],
  scroll: ["sessionId", "aroundMessageId"],
  "prepare-pattern-miner": ["operation"],
};

/**
 * @throws ParameterError naming the parameter, the fault and what is accepted; for a conflict, both parameters
 */
export function requireSearchQuery(params: unknown): SearchQuery {
  const given = requireParams(params, NAMES, "session_search");
  const query = optionalQuery(given["query"]);
  const isGiven = (name: Name) => (name === "query" ? query : given[name]) !== undefined;
  const mode = modeOf(isGiven);
  for (const name of NAMES) {
    if (isGiven(name) && !MODES_OF[name].includes(mode)) throw conflictOf(name, mode);
  }
  switch (mode) {
    case "discovery":
      return { mode, query: query ?? "", ...requireFilters(given), limit: limitOf(given, DEFAULT_LIMIT) };
    case "browse":
      return { mode, ...requireFilters(given), limit: limitOf(given, DEFAULT_LIMIT) };
    case "read":
      return { mode, sessionId: requireSessionPath(given["sessionId"]) };
    case "scroll":
      return {
        mode,
        sessionId: requireSessionPath(given["sessionId"]),
        aroundMessageId: requireEntryId("aroundMessageId", given["aroundMessageId"]),
        branchTip:
          given["branchTip"] === undefined ? undefined : requireEntryId("branchTip", given["branchTip"]),
        window: clampedCount("window", given["window"], MAX_WINDOW) ?? DEFAULT_WINDOW,
      };
    case "prepare-pattern-miner":
      return { mode, ...requireScope(given), limit: limitOf(given, DEFAULT_PREPARE_LIMIT) };
  }
}

function modeOf(isGiven: (name: Name) => boolean): SearchMode {
  if (isGiven("operation")) return "prepare-pattern-miner";
  if (isGiven("sessionId")) return isGiven("aroundMessageId") ? "scroll" : "read";
  return isGiven("query") ? "discovery" : "browse";
}

function conflictOf(name: Name, mode: SearchMode): ParameterError {
  const modes = MODES_OF[name];
  const [only, another] = modes;
  const needed = another === undefined && only !== undefined ? ASKED_BY[only] : [];
  const others = needed.filter((other) => other !== name);
  const belongs = `${name} belongs to mode ${modes.join(" or ")}${others.length > 0 ? `, which needs ${others.join(" and ")}` : ""}`;
  const asking = ASKED_BY[mode].join(" and ");
  if (asking === "") return new ParameterError(`${name} conflicts with mode ${mode}: ${belongs}`);
  const asks = mode === "read" ? "sessionId without aroundMessageId" : asking;
  return new ParameterError(`${name} conflicts with ${asking}: ${asks} means mode ${mode}; ${belongs}`);
}

/** Blank means absent. */
function optionalQuery(value: unknown): string | undefined {
  const query = clipQuery(optionalString("query", value) ?? "");
  return query === "" ? undefined : query;
}

function requireFilters(given: Readonly<Record<string, unknown>>): SearchFilters {
  return {
    cwdFilter: requireCwdFilter(given["cwds"], given["cwdMatch"]),
    timeRange: requireTimeRange(given["startTimestamp"], given["endTimestamp"]),
  };
}

function requireScope(given: Readonly<Record<string, unknown>>): Pick<PrepareQuery, "scope" | "projectPath"> {
  optionalChoice("operation", given["operation"], OPERATIONS);
  const scope = optionalChoice("scope", given["scope"], SCOPES);
  if (scope === undefined) {
    throw new ParameterError('operation needs scope: expected "repository" or "all", got nothing');
  }
  const projectPath = optionalString("projectPath", given["projectPath"]);
  if (projectPath === "" || projectPath?.includes("\0")) {
    refuseParameter("projectPath", projectPath, "the path of a repository or of a directory in one");
  }
  if (scope === "all" && projectPath !== undefined) {
    throw new ParameterError(
      'projectPath conflicts with scope "all": it selects the project of scope "repository"',
    );
  }
  return { scope, projectPath };
}

function requireSessionPath(value: unknown): string {
  const isPath = typeof value === "string" && path.isAbsolute(value) && value.endsWith(".jsonl");
  if (!isPath || value.includes("\0")) {
    return refuseParameter(
      "sessionId",
      value,
      "the absolute path of a .jsonl session file, as a result's path",
    );
  }
  return value;
}

function requireEntryId(name: string, value: unknown): string {
  return typeof value === "string" && value !== ""
    ? value
    : refuseParameter(name, value, "the id of an entry of that session");
}

function limitOf(given: Readonly<Record<string, unknown>>, defaultLimit: number): number {
  return clampedCount("limit", given["limit"], MAX_LIMIT) ?? defaultLimit;
}

/**
 * A whole number below 1 or above `max` becomes the nearest one accepted, ±Infinity included. A fraction or NaN is a
 * mistake like a value of another type: no number of sessions or messages was meant by it.
 */
function clampedCount(name: string, value: unknown, max: number): number | undefined {
  if (value === undefined) return undefined;
  const isWhole =
    typeof value === "number" && (Number.isInteger(value) || Math.abs(value) === Number.POSITIVE_INFINITY);
  if (!isWhole) {
    const shown = typeof value === "number" ? String(value) : value; // JSON has no NaN to show
    return refuseParameter(name, shown, `a whole number (clamped to 1…${max})`);
  }
  return Math.min(Math.max(value, 1), max);
}
