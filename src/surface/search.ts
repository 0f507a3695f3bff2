/**
 * `session_search` in all its modes. Who finds (this thread or a worker, by index or by files) is the engine's business;
 * here parameters become a query, and what comes back is bounded.
 */
import type { PrepareRequest } from "../mining/prepareStore.ts";
import type { RegisteredSkill } from "../mining/skillRegistry.ts";
import type {
  ForPeople,
  PrepareOutput,
  SessionSearchOutput,
  SessionSearchParams,
  StoreOptions,
} from "../model.ts";
import type { FindOutput, FindRequest } from "../search/find.ts";
import { requireSearchQuery, type SearchQuery } from "../search/plan.ts";
import { requireRoots } from "../session/store.ts";
import { readTranscript } from "../transcript/readTranscript.ts";
import { scrollTranscript } from "../transcript/scrollTranscript.ts";
import { boundError, boundOutput } from "./bound.ts";
import { DEFAULT_INDEX_SETTINGS } from "./settings.ts";

/** Time that one call may spend on bringing the index up to date, in milliseconds. */
export const DEFAULT_SYNC_BUDGET_MS = 300;

export interface SearchStoreOptions extends StoreOptions {
  /** Project directories of a default root whose names begin so are not searched. Default: temporary directories. */
  readonly excludePrefixes?: readonly string[] | undefined;
  /** Milliseconds for syncing or scanning, per call. Default 300. */
  readonly syncBudgetMs?: number | undefined;
  /** Absolute: the running session's working directory. Default: the process's. */
  readonly cwd?: string | undefined;
  /** Asks for the skills of Pi's effective command registry, when they are needed. Default: none. */
  readonly skills?: (() => readonly RegisteredSkill[]) | undefined;
}

/** What the palette and the command line ask besides. */
export interface RunOptions extends SearchStoreOptions {
  /** Also give what only people are shown. Default false. */
  readonly forPeople?: boolean | undefined;
  /** Take the last sync for this one when it is not older, in milliseconds. Default 0. */
  readonly maxSyncAgeMs?: number | undefined;
}

/** An answer, with what only people are shown when that was asked for. */
export type AnswerForPeople = SessionSearchOutput & { readonly forPeople?: ForPeople };

export interface SearchEngine {
  find(request: FindRequest, signal: AbortSignal | undefined): Promise<FindOutput>;
  prepare(request: PrepareRequest, signal: AbortSignal | undefined): Promise<PrepareOutput>;
}

/** @throws ParameterError and Error with bounded messages; the signal's reason when aborted */
export async function runSearch(
  params: SessionSearchParams,
  options: RunOptions,
  engine: SearchEngine,
): Promise<AnswerForPeople> {
  try {
    const query = requireSearchQuery(params);
    return await answer(query, options, engine);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw boundError(error, params);
  }
}

async function answer(
  query: SearchQuery,
  options: RunOptions,
  engine: SearchEngine,
): Promise<AnswerForPeople> {
  switch (query.mode) {
    case "read":
      return boundOutput(await readTranscript(query, options));
    case "scroll":
      return boundOutput(await scrollTranscript(query, options));
    case "discovery":
    case "browse": {
      const request: FindRequest = {
        ...placeOf(options),
        query,
        budgetMs: options.syncBudgetMs ?? DEFAULT_SYNC_BUDGET_MS,
        maxSyncAgeMs: options.maxSyncAgeMs,
        forPeople: options.forPeople,
      };
      return boundOutput(await engine.find(request, options.signal));
    }
    case "prepare-pattern-miner": {
      const request: PrepareRequest = {
        ...placeOf(options),
        query,
        budgetMs: options.syncBudgetMs,
        cwd: options.cwd ?? process.cwd(),
        skills: options.skills?.() ?? [],
      };
      return engine.prepare(request, options.signal); // bounds itself
    }
  }
}

/** Where both kinds of request look, and for whom. */
function placeOf(options: RunOptions) {
  return {
    roots: requireRoots(options),
    excludePrefixes: options.excludePrefixes ?? DEFAULT_INDEX_SETTINGS.excludePrefixes,
    allowedProjects: options.allowedProjects,
    currentSessionPath: options.currentSessionPath,
  };
}
