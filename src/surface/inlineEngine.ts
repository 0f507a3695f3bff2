/**
 * Searching in the caller's own thread: the library and the command line. An index stays open for a while after its last
 * use, because opening it and reading its words costs more than most questions.
 */
import { IndexService } from "../index/service.ts";
import type { SyncProgress } from "../index/sync.ts";
import { prepareInFiles, prepareInIndex } from "../mining/prepareStore.ts";
import { type FindOutput, type FindRequest, findInFiles, findInIndex } from "../search/find.ts";
import { messageOf } from "../session/json.ts";
import type { SearchEngine } from "./search.ts";

const IDLE_CLOSE_MS = 5_000;

interface OpenService {
  readonly service: IndexService;
  idle: NodeJS.Timeout | undefined;
  uses: number;
}

const open = new Map<string, OpenService>();

/** Asks the index at this path; without a path, the files. */
export function inlineEngine(
  indexPath: string | undefined,
  onProgress?: (progress: SyncProgress) => void,
): SearchEngine {
  if (indexPath === undefined) {
    return {
      find: (request, signal) => findInFiles(request, signal),
      prepare: (request, signal) => prepareInFiles(request, signal),
    };
  }
  return {
    prepare: (request, signal) =>
      withService(indexPath, async (service) => {
        const index = await service.index();
        return prepareInIndex(
          request,
          { index, sync: (sync) => service.sync({ ...sync, onProgress }) },
          signal,
        );
      }),
    find: (request, signal) =>
      withService(indexPath, (service) => find(service, request, signal, onProgress)),
  };
}

/** Runs `use` on the one service of an index in this process. */
export async function withService<T>(
  indexPath: string,
  use: (service: IndexService) => Promise<T>,
): Promise<T> {
  const held = open.get(indexPath) ?? { service: new IndexService(indexPath), idle: undefined, uses: 0 };
  open.set(indexPath, held);
  clearTimeout(held.idle);
  held.uses++;
  try {
    return await use(held.service);
  } finally {
    held.uses--;
    if (held.uses === 0) {
      held.idle = setTimeout(() => {
        open.delete(indexPath);
        held.service.close().catch(() => undefined); // nobody waits: what the index lacks, the next sync brings
      }, IDLE_CLOSE_MS).unref();
    }
  }
}

async function find(
  service: IndexService,
  request: FindRequest,
  signal: AbortSignal | undefined,
  onProgress: ((progress: SyncProgress) => void) | undefined,
): Promise<FindOutput> {
  let index: Awaited<ReturnType<IndexService["index"]>>;
  try {
    index = await service.index();
  } catch (error) {
    // Not ours, or no FTS5 here: the files still answer, and the answer says why it took them.
    return findInFiles(request, signal, messageOf(error));
  }
  const { output } = await findInIndex(
    request,
    { index, sync: (sync) => service.sync({ ...sync, onProgress }), rebuild: () => service.rebuild() },
    signal,
  );
  return output;
}
