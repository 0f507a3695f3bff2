/** Asking at each key: a sync of the last moments serves for the next questions, and a pause catches up. */
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { SyncRequest } from "../../src/index/sync.ts";
import type { MethodContext } from "../../src/index/worker.ts";
import { catchUp, type FindRequest, findInIndex } from "../../src/search/find.ts";
import { requireSearchQuery } from "../../src/search/plan.ts";
import { WORKER_METHODS } from "../../src/surface/workerMethods.ts";
import { fileOf, fixture, headerLine, messageLine, openFor, sync } from "../index/support.ts";

async function palette() {
  const { root, project, indexPath } = fixture();
  const file = path.join(project, "a.jsonl");
  writeFileSync(file, fileOf(headerLine(), messageLine("m0", "user", "first needle")));
  const index = await openFor(indexPath);
  let syncs = 0;
  const searchable = {
    index,
    rebuild: async () => undefined,
    sync: (request: SyncRequest) => {
      syncs++;
      return sync(index, root, request);
    },
  };
  const request = (query: string, maxSyncAgeMs: number | undefined): FindRequest => {
    const asked = requireSearchQuery({ query });
    if (asked.mode !== "discovery") throw new Error("not discovery");
    const rest = { roots: [root] as const, excludePrefixes: [], allowedProjects: undefined, budgetMs: 300 };
    return { ...rest, query: asked, currentSessionPath: undefined, maxSyncAgeMs };
  };
  const ask = async (query: string, maxSyncAgeMs?: number) => {
    const { output } = await findInIndex(request(query, maxSyncAgeMs), searchable);
    if (output.mode !== "discovery") throw new Error("not discovery");
    return output.results.filter(({ match }) => match === "all").map(({ matchMessageId }) => matchMessageId);
  };
  const say = (id: string, text: string) => appendFileSync(file, `${messageLine(id, "user", text)}\n`);
  return {
    searchable,
    request,
    ask,
    say,
    pause: () => catchUp(request("x", 60_000), searchable),
    syncs: () => syncs,
  };
}

test("a question that allows it takes the last sync, and the next one that does not makes its own", async () => {
  const { ask, say, syncs } = await palette();
  expect(await ask("needle", 60_000)).toEqual(["m0"]); // nothing is known yet
  say("m1", "second straw");
  expect(await ask("straw", 60_000)).toEqual([]);
  expect(syncs()).toBe(1);
  expect(await ask("straw", 0)).toEqual(["m1"]);
  say("m2", "third hay");
  expect(await ask("hay")).toEqual(["m2"]);
  expect(syncs()).toBe(3);
});

test("what was written before a pause is found by the next key", async () => {
  const { ask, say, pause, syncs } = await palette();
  await ask("needle", 60_000);
  say("m1", "second straw");
  await pause();
  expect(await ask("straw", 60_000)).toEqual(["m1"]);
  expect(syncs()).toBe(2);
});

test("a pass in the background is begun behind a sync, and keys let it go on", async () => {
  const { searchable, request } = await palette();
  let begun = 0;
  const context: MethodContext = {
    index: async () => searchable.index,
    signal: new AbortController().signal,
    sync: async (asked) => ({ ...(await searchable.sync(asked)), backlogRemaining: 7 }),
    rebuild: searchable.rebuild,
    startBackground: () => void begun++,
    stopBackground: async () => undefined,
    progress: () => undefined,
  };
  for (const query of ["n", "ne", "nee", "need"]) await WORKER_METHODS.find(request(query, 60_000), context);
  expect(begun).toBe(1);
  await WORKER_METHODS.find(request("needle", 0), context);
  expect(begun).toBe(2);
});
