import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { IndexDatabase } from "../../src/index/database.ts";
import { openIndex } from "../../src/index/open.ts";
import { type SyncRequest, syncIndex } from "../../src/index/sync.ts";
import { type PrepareRequest, prepareInFiles, prepareInIndex } from "../../src/mining/prepareStore.ts";
import { makeDirectory } from "./repositories.ts";
import { SessionStore } from "./sessions.ts";

const cwd = makeDirectory();
const indexes: IndexDatabase[] = [];
afterAll(() => {
  for (const index of indexes) index.close();
});

function requestFor(store: SessionStore, more: Partial<PrepareRequest> = {}): PrepareRequest {
  return {
    query: { mode: "prepare-pattern-miner", scope: "all", projectPath: undefined, limit: 10 },
    roots: [store.root],
    excludePrefixes: [],
    allowedProjects: undefined,
    currentSessionPath: undefined,
    cwd,
    skills: [],
    ...more,
  };
}

async function inIndex(
  request: PrepareRequest,
  sync?: (request: SyncRequest) => ReturnType<typeof syncIndex>,
) {
  const index = await openIndex(path.join(makeDirectory(), "index.db"));
  indexes.push(index);
  return prepareInIndex(request, { index, sync: sync ?? ((sync) => syncIndex(index, sync)) });
}

function storeWithSomeOfEverything(): SessionStore {
  const store = new SessionStore();
  const origin = store.add({ cwd: "/p/app", lines: ["one", "two"] });
  store.add({ cwd: "/p/app", lines: ["one", "two", "three"], parentSession: origin });
  store.add({ cwd: "/p/secret", lines: ["hidden"] });
  const launcher = store.add({ cwd: "/p/app-worktree" });
  const container = path.relative(path.dirname(launcher), launcher).replace(/\.jsonl$/, "");
  store.add({ cwd: "/p/app", name: `${container}/a/run-0/session.jsonl` });
  return store;
}

describe("preparation with an index and without", () => {
  it("gives the same answer", async () => {
    const store = storeWithSomeOfEverything();
    const answer = await inIndex(requestFor(store));
    expect(answer.sessions.map((session) => session.cwd)).toEqual(["/p/app-worktree", "/p/secret", "/p/app"]);
    expect(answer.sync).toEqual({ walkComplete: true, backlogRemaining: 0, complete: true });
    expect(await prepareInFiles(requestFor(store))).toEqual(answer);
  });

  it("shows nothing outside the allowed projects: no session, no count, no unreadable project", async () => {
    const store = storeWithSomeOfEverything();
    const request = requestFor(store, { allowedProjects: [["app"]] });
    const answer = await inIndex(request);
    expect(answer.sessions.map((session) => session.cwd)).toEqual(["/p/app-worktree", "/p/app"]);
    expect(await prepareInFiles(request)).toEqual(answer);
    const backlogPaths = (await prepareInFiles(requestFor(store))).sessions.map((session) => session.path);
    const partial = await inIndex(request, async () => ({
      walkComplete: false,
      backlogRemaining: backlogPaths.length,
      backlogPaths,
      warning: { kind: "incomplete-walk" },
      unreadableFiles: 0,
      excludedProjects: [],
      bytesRead: 0,
    }));
    expect(partial.sync).toEqual({ walkComplete: true, backlogRemaining: 2, complete: false });
  });

  it("leaves out what was excluded, and says what was not reached", async () => {
    const store = new SessionStore();
    store.add();
    mkdirSync(path.join(store.root, "--tmp-x--"));
    writeFileSync(
      path.join(store.root, "--tmp-x--", "a.jsonl"),
      '{"type":"session","id":"a","cwd":"/tmp/x"}\n',
    );
    const request = requestFor(store, { excludePrefixes: ["--tmp-"] });
    expect((await inIndex(request)).sessions).toHaveLength(1);
    expect((await prepareInFiles(request)).sessions).toHaveLength(1);
    const hasty = await prepareInFiles({ ...request, budgetMs: -1 });
    expect(hasty).toMatchObject({ sync: { backlogRemaining: 1, complete: false }, sessions: [] });
  });

  it("is an error when syncing fails as a whole, whose reason a bound keeps back", async () => {
    const store = new SessionStore();
    const failed = async () => ({
      walkComplete: true,
      backlogRemaining: 0,
      backlogPaths: [],
      warning: { kind: "sync-failed" as const, error: "disk full" },
      unreadableFiles: 0,
      excludedProjects: [],
      bytesRead: 0,
    });
    await expect(inIndex(requestFor(store), failed)).rejects.toThrow("up to date: disk full");
    const bounded = requestFor(store, { allowedProjects: [["app"]] });
    await expect(inIndex(bounded, failed)).rejects.toThrow(/up to date$/);
  });

  it("does not show a session that the allowlist denies since it was indexed", async () => {
    const store = new SessionStore();
    const file = store.add({ cwd: "/p/app" });
    const request = requestFor(store, { allowedProjects: [["app"]] });
    const index = await openIndex(path.join(makeDirectory(), "index.db"));
    indexes.push(index);
    await syncIndex(index, { roots: [store.root] });
    rmSync(file);
    writeFileSync(file, '{"type":"session","version":3,"id":"a","cwd":"/p/other"}\n');
    const stale = { walkComplete: true, backlogRemaining: 0, backlogPaths: [], unreadableFiles: 0 };
    const sync = async () => ({ ...stale, excludedProjects: [], bytesRead: 0 });
    expect((await prepareInIndex(request, { index, sync })).sessions).toEqual([]);
  });
});
