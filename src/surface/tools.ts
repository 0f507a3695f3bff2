/** The tools as Pi registers them, on any store: a test builds the registered shape on a throwaway tree. */
import { LIST_SESSIONS, SESSION_ENTRIES } from "./declarations.ts";
import { listSessionsExecutor, sessionEntriesExecutor, type ToolStore } from "./execute.ts";

export function createListSessionsTool<Context = unknown>(store: ToolStore<Context>) {
  return { ...LIST_SESSIONS, execute: listSessionsExecutor(store) };
}

export function createSessionEntriesTool<Context = unknown>(store: ToolStore<Context>) {
  return { ...SESSION_ENTRIES, execute: sessionEntriesExecutor(store) };
}
