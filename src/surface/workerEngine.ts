/** Searching inside Pi: one worker thread owns the index, so that the interface never waits for it. */
import { IndexClient } from "../index/client.ts";
import type { BackgroundEvent } from "../index/protocol.ts";
import type { SearchEngine } from "./search.ts";
import type { WorkerMethods } from "./workerMethods.ts";

export type SearchClient = IndexClient<WorkerMethods>;

export function createSearchClient(
  indexPath: string,
  onBackground: (event: BackgroundEvent) => void,
): SearchClient {
  // Built, the worker lies beside this code; from the sources, where Node runs TypeScript.
  const isBuilt = !import.meta.url.endsWith(".ts");
  const workerUrl = new URL(isBuilt ? "./worker.mjs" : "../worker.ts", import.meta.url);
  return new IndexClient<WorkerMethods>({ workerUrl, indexPath, onBackground });
}

export function workerEngine(client: SearchClient, isIndexed: boolean): SearchEngine {
  return {
    find: (request, signal) => client.call(isIndexed ? "find" : "scan", request, { signal }),
    prepare: (request, signal) => client.call(isIndexed ? "prepare" : "prepareByScan", request, { signal }),
  };
}
