/** What the search room adds to the worker's methods. */
import type { SyncResult } from "../index/sync.ts";
import { INDEX_METHODS, type MethodContext } from "../index/worker.ts";
import { type PrepareRequest, prepareInFiles, prepareInIndex } from "../mining/prepareStore.ts";
import type { PrepareOutput } from "../model.ts";
import {
  catchUp,
  type FindOutput,
  type FindRequest,
  findInFiles,
  findInIndex,
  type SearchableIndex,
} from "../search/find.ts";
import { messageOf } from "../session/json.ts";

/** A pause in typing. */
const REST_MS = 300;
let rest: NodeJS.Timeout | undefined;

/** Who asks at each key takes the last sync for a while; a pause makes the next one. */
function catchUpAtRest(request: FindRequest, searchable: SearchableIndex, context: MethodContext): void {
  clearTimeout(rest);
  rest = setTimeout(() => {
    catchUp(request, searchable)
      .then((sync) => goOnInBackground(request, sync, context))
      .catch(() => undefined); // what goes wrong here, the next question meets itself, and tells
  }, REST_MS).unref();
}

/** A pass that runs already begins anew: so only behind a sync, not at each key, or it would come to nothing. */
function goOnInBackground(
  { roots, excludePrefixes }: FindRequest,
  { backlogRemaining, unreadableFiles }: SyncResult,
  context: MethodContext,
): void {
  if (backlogRemaining > unreadableFiles) context.startBackground({ roots, excludePrefixes });
}

export const WORKER_METHODS = {
  ...INDEX_METHODS,
  /** Asks the index; what its budget did not reach is indexed in the background after the answer. */
  async find(request: FindRequest, context: MethodContext): Promise<FindOutput> {
    let index: Awaited<ReturnType<MethodContext["index"]>>;
    try {
      index = await context.index();
    } catch (error) {
      // Not ours, or no FTS5 here: the files still answer, and the answer says why it took them.
      return findInFiles(request, context.signal, messageOf(error));
    }
    const searchable = { index, sync: context.sync, rebuild: context.rebuild };
    const { output, sync } = await findInIndex(request, searchable, context.signal);
    if (request.maxSyncAgeMs !== undefined) catchUpAtRest(request, searchable, context);
    if (sync !== undefined) goOnInBackground(request, sync, context);
    return output;
  },
  /** For who wants no index. */
  async scan(request: FindRequest, context: MethodContext): Promise<FindOutput> {
    return findInFiles(request, context.signal);
  },
  /** An index that cannot be had is an error here: a sample must not look larger or newer than it is. */
  async prepare(request: PrepareRequest, context: MethodContext): Promise<PrepareOutput> {
    const index = await context.index();
    return prepareInIndex(request, { index, sync: context.sync }, context.signal);
  },
  async prepareByScan(request: PrepareRequest, context: MethodContext): Promise<PrepareOutput> {
    return prepareInFiles(request, context.signal);
  },
} as const;

export type WorkerMethods = typeof WORKER_METHODS;
