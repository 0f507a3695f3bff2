/**
 * The side of the worker: owns the index, answers calls. The methods come from whoever starts it, so that this room
 * need not know what a search is. Calls that come in during a sync are answered between two of its slices.
 */
import type { MessagePort } from "node:worker_threads";
import type { IndexDatabase } from "./database.ts";
import { carryError, type FromWorker, type ToWorker, type WorkerSettings } from "./protocol.ts";
import { type BackgroundRequest, IndexService } from "./service.ts";
import { type IndexStatus, indexStatus } from "./status.ts";
import type { SyncRequest, SyncResult } from "./sync.ts";

export interface MethodContext {
  /**
   * Opened at the first use. Queries are synchronous; read nothing across an `await`, for a sync may write in between.
   *
   * @throws IndexRefusedError when what stands there is not ours; Error when this runtime cannot hold the index
   */
  index(): Promise<IndexDatabase>;
  /** Aborted when the caller does not want the answer any more. */
  readonly signal: AbortSignal;
  /** Brings the index up to date within a budget; any background pass waits meanwhile. */
  sync(request: SyncRequest): Promise<SyncResult>;
  /** Throws the index away. */
  rebuild(): Promise<void>;
  /** Syncs on after the answer, until all is done. */
  startBackground(request: BackgroundRequest): void;
  stopBackground(): Promise<void>;
  /** Tells the caller something before the answer. */
  progress(event: unknown): void;
}

/** Params and result must be clonable. */
export type Methods = Readonly<Record<string, (params: never, context: MethodContext) => unknown>>;

/** What a sync can be asked across threads: all but functions and signals. */
export type RemoteSyncRequest = Omit<SyncRequest, "signal" | "onProgress">;

/** What every worker can do; a search room adds its own. `sync` reports `SyncProgress`. */
export const INDEX_METHODS = {
  async sync(request: RemoteSyncRequest, context: MethodContext): Promise<SyncResult> {
    return await context.sync({ ...request, signal: context.signal, onProgress: context.progress });
  },
  async status(request: RemoteSyncRequest, context: MethodContext): Promise<IndexStatus> {
    return await indexStatus(await context.index(), { ...request, signal: context.signal });
  },
  async rebuild(_: undefined, context: MethodContext): Promise<void> {
    await context.rebuild();
  },
  startBackground(request: BackgroundRequest, context: MethodContext): void {
    context.startBackground(request);
  },
  async stopBackground(_: undefined, context: MethodContext): Promise<void> {
    await context.stopBackground();
  },
} as const satisfies Methods;

/** Serves calls until told to close. */
export function serveIndex(port: MessagePort, { indexPath }: WorkerSettings, methods: Methods): void {
  const service = new IndexService(indexPath);
  const running = new Map<number, AbortController>();
  const send = (message: FromWorker<unknown>) => port.postMessage(message);

  const answer = async (id: number, method: string, params: never): Promise<void> => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (run === undefined) throw new Error(`the index worker knows no method ${method}`);
      const context: MethodContext = {
        index: async () => await service.index(),
        signal: abort.signal,
        sync: async (request) => await service.sync(request),
        rebuild: async () => await service.rebuild(),
        startBackground: (request) =>
          service.startBackground(request, {
            onProgress: (progress) => send({ kind: "background", event: { kind: "progress", progress } }),
            onDone: (result) => send({ kind: "background", event: { kind: "done", result } }),
          }),
        stopBackground: async () => await service.stopBackground(),
        progress: (progress) => send({ kind: "progress", id, progress }),
      };
      send({ kind: "result", id, result: await run(params, context) });
    } catch (error) {
      send({ kind: "error", id, error: carryError(error) });
    } finally {
      running.delete(id);
    }
  };

  port.on("message", (message: ToWorker<never>) => {
    switch (message.kind) {
      case "call":
        void answer(message.id, message.method, message.params);
        break;
      case "abort":
        running.get(message.id)?.abort();
        break;
      case "close":
        for (const abort of running.values()) abort.abort();
        void service.close().finally(() => port.close());
        break;
    }
  });
}
