/** The tools as Pi registers them, on any store: a test builds the registered shape on a throwaway tree. */
import { LIST_SESSIONS, SESSION_ENTRIES, SESSION_SEARCH } from "./declarations.ts";
import {
  listSessionsExecutor,
  sessionEntriesExecutor,
  sessionSearchExecutor,
  type ToolStore,
} from "./execute.ts";
import { inlineEngine } from "./inlineEngine.ts";
import type { SearchOptions } from "./searchSessions.ts";

export function createListSessionsTool<Context = unknown>(store: ToolStore<Context>) {
  return { ...LIST_SESSIONS, execute: listSessionsExecutor(store) };
}

export function createSessionEntriesTool<Context = unknown>(store: ToolStore<Context>) {
  return { ...SESSION_ENTRIES, execute: sessionEntriesExecutor(store) };
}

/** Searches in the caller's own thread; inside Pi the extension asks its worker instead. */
export function createSessionSearchTool<Context = unknown>(
  store: SearchOptions | ((context: Context | undefined) => SearchOptions),
) {
  const place = (context: Context | undefined) => {
    const { indexPath, ...options } = typeof store === "function" ? store(context) : store;
    return { store: options, engine: inlineEngine(indexPath) };
  };
  return { ...SESSION_SEARCH, execute: sessionSearchExecutor(place) };
}
