/** The three tools as a codemode script sees them, on any store and without Pi; each call's arguments are checked. */
import { argumentProblem, isToolName, type ToolName } from "../../scripts/check-skills.ts";
import { listSessions, readSessionEntries, searchSessions } from "../../src/index.ts";
import { prepareInFiles } from "../../src/mining/prepareStore.ts";
import type { SessionSearchParams, StoreOptions } from "../../src/model.ts";
import { requireSearchQuery } from "../../src/search/plan.ts";
import { requireRoots } from "../../src/session/store.ts";

export interface ScriptRun {
  readonly value: unknown;
  /** How many `tools.name(` the script has, and how many of them were reached. */
  readonly callSites: number;
  readonly reached: number;
}

/** Runs the script as codemode does: the body of an async function whose `return` is its value. */
export async function runScript(code: string, store: StoreOptions, cwd: string): Promise<ScriptRun> {
  const reached = new Set<number>();
  let callSites = 0;
  const counted = code.replace(/\btools\.(\w+)\(/g, (_, name: string) => `call(${callSites++}, "${name}", `);
  const call = async (site: number, name: string, args: object) => {
    reached.add(site);
    if (!isToolName(name)) throw new Error(`no such tool: ${name}`);
    const problem = argumentProblem(name, args);
    if (problem !== undefined) throw new Error(`${name}: ${problem}`);
    return useTool(name, args, store, cwd);
  };
  const body = new Function("call", `return (async () => {\n${counted}\n})()`);
  const value: unknown = await body(call);
  return { value: JSON.parse(JSON.stringify(value)), callSites, reached: reached.size };
}

async function useTool(name: ToolName, args: object, store: StoreOptions, cwd: string): Promise<unknown> {
  switch (name) {
    case "list_sessions":
      return listSessions(args, store);
    case "session_entries":
      return readSessionEntries({ sessionPath: "", ...args }, store);
    case "session_search":
      return search(args, store, cwd);
  }
}

async function search(args: SessionSearchParams, store: StoreOptions, cwd: string): Promise<unknown> {
  const query = requireSearchQuery(args);
  if (query.mode !== "prepare-pattern-miner") return searchSessions(args, store);
  const { allowedProjects, currentSessionPath } = store;
  const roots = requireRoots(store);
  return prepareInFiles({
    query,
    roots,
    excludePrefixes: [],
    allowedProjects,
    currentSessionPath,
    cwd,
    skills: [],
  });
}
