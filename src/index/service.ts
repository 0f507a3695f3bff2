/**
 * One index, its syncs in turn. A sync that someone waits for goes before the background pass, which stops at its next
 * rest and starts again afterwards; so an answer never waits for the store to be read.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { IndexDatabase } from "./database.ts";
import { openIndex, rebuildIndex } from "./open.ts";
import { NOTHING_DONE, type SyncProgress, type SyncRequest, type SyncResult, syncIndex } from "./sync.ts";

/** What a background pass covers. */
export type BackgroundRequest = Pick<SyncRequest, "roots" | "excludePrefixes">;

export interface BackgroundEvents {
  readonly onProgress?: (progress: SyncProgress) => void;
  /** The pass is over, or was ended by a failure that the result names. */
  readonly onDone?: (result: SyncResult) => void;
}

/** A third of what a sync writes at once when nothing else matters: questions come in between. */
const BACKGROUND_BATCH_CHARS = 800_000;

export class IndexService {
  readonly #indexPath: string;
  #opening: Promise<IndexDatabase> | undefined;
  #isClosed = false;
  /** The end of the sync that runs or is waited for last. */
  #lastSync: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #background: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  #interruption = new AbortController();

  constructor(indexPath: string) {
    this.#indexPath = indexPath;
  }

  /** Opened at the first use. */
  async index(): Promise<IndexDatabase> {
    if (this.#isClosed) throw new Error("the index is closed");
    this.#opening ??= openIndex(this.#indexPath);
    try {
      const index = await this.#opening;
      if (index.isOpen) return index;
      this.#opening = openIndex(this.#indexPath); // it could not be opened anew the last time
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined; // what stood in the way may be gone at the next try
      throw error;
    }
  }

  /** As `syncIndex`; the budget counts from now, waiting for another sync included. */
  async sync(request: SyncRequest): Promise<SyncResult> {
    const startMs = performance.now();
    this.#waiting++;
    this.#interruption.abort();
    try {
      return await this.#inTurn(async () => {
        const { budgetMs } = request;
        const left = budgetMs === undefined ? undefined : budgetMs - (performance.now() - startMs);
        return await syncIndex(await this.index(), { ...request, budgetMs: left });
      });
    } finally {
      this.#waiting--;
    }
  }

  async rebuild(): Promise<void> {
    this.#interruption.abort();
    await this.#inTurn(async () => await rebuildIndex(await this.index()));
  }

  /** Syncs without a budget until all is done. A pass that runs already is replaced. */
  startBackground(request: BackgroundRequest, events: BackgroundEvents = {}): void {
    this.#background?.stop.abort();
    const stop = new AbortController();
    const ended = this.#runBackground(request, events, stop.signal);
    this.#background = { stop, ended };
  }

  async stopBackground(): Promise<void> {
    this.#background?.stop.abort();
    await this.#background?.ended;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.stopBackground();
    await this.#lastSync;
    const index = await this.#opening?.catch(() => undefined);
    index?.close();
  }

  async #runBackground(
    request: BackgroundRequest,
    { onProgress, onDone }: BackgroundEvents,
    stop: AbortSignal,
  ): Promise<void> {
    await immediate(); // who starts it answers a question first
    while (!stop.aborted && !this.#isClosed) {
      if (this.#waiting > 0) {
        await this.#lastSync;
        continue;
      }
      this.#interruption = new AbortController();
      const signal = AbortSignal.any([stop, this.#interruption.signal]);
      try {
        const result = await this.#inTurn(
          async () =>
            await syncIndex(await this.index(), {
              ...request,
              signal,
              onProgress,
              batchTextChars: BACKGROUND_BATCH_CHARS,
            }),
        );
        (await this.index()).emptyLongLog();
        onDone?.(result);
        return;
      } catch (error) {
        if (!signal.aborted) {
          const failure = { kind: "sync-failed", error: String(error) } as const;
          onDone?.({ ...NOTHING_DONE, warning: failure });
          return;
        }
      }
    }
  }

  /** One after the other: two passes on one connection would mix their transactions. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastSync.then(work);
    this.#lastSync = result.catch(() => undefined);
    return result;
  }
}
