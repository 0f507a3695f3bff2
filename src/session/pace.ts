/**
 * Synchronous reading in slices. Synchronous calls read ten times faster than awaited ones, so the readers use
 * them and rest here: the event loop is never held much longer than one slice, and aborts are seen at each rest.
 */

const SLICE_MS = 12;
/** Shared by all operations: many small ones in a row use up a slice as one large one does. */
let sliceStartMs = performance.now();

/** The signal's reason when it is an Error, else an Error that says the operation was aborted. */
export function abortErrorOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error("The operation was aborted");
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortErrorOf(signal);
}

export class Pace {
  readonly #signal: AbortSignal | undefined;
  readonly #sliceMs: number;

  /** @param sliceMs how long the event loop may be held; default 12 */
  constructor(signal: AbortSignal | undefined, sliceMs = SLICE_MS) {
    throwIfAborted(signal);
    this.#signal = signal;
    this.#sliceMs = sliceMs;
  }

  /** True when the slice is used up and the caller should `await rest()`. */
  isDue(): boolean {
    return performance.now() - sliceStartMs > this.#sliceMs;
  }

  throwIfAborted(): void {
    throwIfAborted(this.#signal);
  }

  /** Lets the event loop turn once; rejects when the operation was aborted meanwhile. */
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.throwIfAborted();
    sliceStartMs = performance.now();
  }
}
