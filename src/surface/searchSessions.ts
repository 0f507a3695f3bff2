/** `searchSessions`: the library's way to search, browse, read and scroll. */
import path from "node:path";
import type { SessionSearchOutput, SessionSearchParams } from "../model.ts";
import { ParameterError } from "../session/parameterError.ts";
import { inlineEngine } from "./inlineEngine.ts";
import { runSearch, type SearchStoreOptions } from "./search.ts";

export interface SearchOptions extends SearchStoreOptions {
  /**
   * Where the index is kept; it is made when it is not there. A relative path is resolved against the process's directory.
   * Without one the session files are read at each call, newest first, as far as the budget goes.
   */
  readonly indexPath?: string | undefined;
}

/**
 * Searches, browses, reads or scrolls, as the parameters ask. An index is brought up to date first, within the budget;
 * `backlogRemaining` says how many files are still to come.
 *
 * @throws ParameterError (a rejection) for bad or conflicting parameters, before any file is opened
 * @throws Error for a refused or missing path, an unknown anchor, and an answer whose metadata alone is too long
 */
export async function searchSessions(
  params: SessionSearchParams = {},
  options: SearchOptions,
): Promise<SessionSearchOutput> {
  const { indexPath } = options ?? {};
  if (indexPath !== undefined && (typeof indexPath !== "string" || indexPath === "")) {
    throw new ParameterError("options.indexPath must be the path of a file");
  }
  const engine = inlineEngine(indexPath === undefined ? undefined : path.resolve(indexPath));
  return runSearch(params, options, engine);
}
