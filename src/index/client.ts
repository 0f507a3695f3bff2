/**
 * The side of the interface: calls the worker that owns the index. The worker starts with the first call, keeps no
 * process alive while nobody waits for an answer, prints nothing, and is started again should it die.
 */
import { Worker } from "node:worker_threads";
import { abortErrorOf, throwIfAborted } from "../session/pace.ts";
import { type BackgroundEvent, type FromWorker, restoreError, type ToWorker } from "./protocol.ts";
import type { Methods } from "./worker.ts";

export interface ClientOptions {
  /** The module that calls `serveIndex`. */
  readonly workerUrl: URL;
  readonly indexPath: string;
  readonly onBackground?: ((event: BackgroundEvent) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: unknown) => void) | undefined;
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
}

/** Young objects of a sync die soon: with little room for them the worker stays small. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 8 } as const;
const CLOSE_PATIENCE_MS = 1000;
const MAX_STDERR_CHARS = 2000;

export class IndexClient<M extends Methods> {
  readonly #options: ClientOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** @throws what the method throws; the signal's reason when aborted */
  async call<K extends keyof M & string>(
    method: K,
    params: Parameters<M[K]>[0],
    { signal, onProgress }: CallOptions = {},
  ): Promise<Awaited<ReturnType<M[K]>>> {
    throwIfAborted(signal);
    if (this.#isClosed) throw new Error("the index is closed");
    const worker = this.#start();
    const id = this.#nextId++;
    const abort = () => {
      this.#post({ kind: "abort", id });
      if (signal !== undefined) this.#take(id)?.reject(abortErrorOf(signal));
    };
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await new Promise<Awaited<ReturnType<M[K]>>>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject, onProgress });
        worker.ref();
        this.#post({ kind: "call", id, method, params });
      });
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#take(id); // also after params that cannot be cloned
    }
  }

  /** Ends the worker; calls that wait are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    worker.ref();
    this.#post({ kind: "close" });
    const timer = setTimeout(() => void worker.terminate(), CLOSE_PATIENCE_MS);
    await ended;
    clearTimeout(timer);
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const { workerUrl, indexPath, onBackground } = this.#options;
    const worker = new Worker(workerUrl, {
      workerData: { indexPath },
      // The host's flags are its own: some of them a worker refuses.
      execArgv: [],
      // Nothing may reach the terminal. Not read until the end: a stream that is read keeps the process alive.
      stderr: true,
      stdout: true,
      resourceLimits: WORKER_LIMITS,
    });
    worker.on("message", (message: FromWorker<never>) => {
      if (message.kind === "background") onBackground?.(message.event);
      else this.#answer(message);
    });
    worker.on("error", (error) => this.#end(worker, error));
    worker.on("exit", (code) => {
      const lastWords = String(worker.stderr.read() ?? "").slice(-MAX_STDERR_CHARS);
      this.#end(worker, new Error(`the index worker ended (code ${code}) ${lastWords}`.trimEnd()));
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #answer(message: Exclude<FromWorker<never>, { kind: "background" }>): void {
    switch (message.kind) {
      case "progress":
        this.#pending.get(message.id)?.onProgress?.(message.progress);
        break;
      case "result":
        this.#take(message.id)?.resolve(message.result);
        break;
      case "error":
        this.#take(message.id)?.reject(restoreError(message.error));
        break;
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0 && !this.#isClosed) this.#worker?.unref();
    return pending;
  }

  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }

  #post(message: ToWorker<unknown>): void {
    this.#worker?.postMessage(message);
  }
}
