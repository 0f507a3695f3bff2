/** What a benchmark case is. One file in `cases/` exports one; `cases/index.ts` names them all. */
import type { Stores } from "./stores.ts";

/** The product as the child process loads it. */
export type Library = typeof import("../src/index.ts");

/** What one fresh process measured. */
export interface Sample {
  /** Wall time, and processor time of the main thread, inside `timed`. */
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The longest that the event loop was held during `timed`. */
  readonly longestHoldMs: number;
  /** Peak resident memory of the process above that of an empty one, in MiB. */
  readonly peakMiB: number;
  /** What the side reported of itself. `rows`, where both sides report it, must be equal. */
  readonly figures: Readonly<Record<string, number>>;
}

/** What a side is given to measure itself with. */
export interface Meter {
  /** Marks what is measured. Called once; whatever stands before or after it is set-up. */
  timed<T>(work: () => T | Promise<T>): Promise<T>;
  figure(name: string, value: number): void;
  /** The product; loading it counts as memory, not as time. */
  loadLibrary(): Promise<Library>;
}

export interface Bar {
  /** What is held against the bar, as the table names it. */
  readonly label: string;
  /** The median over the pairs of ours / floor (`ratio`), of ours - floor (`excess`), or of ours alone (`limit`). */
  readonly kind: "ratio" | "excess" | "limit";
  readonly of: (sample: Sample) => number;
  readonly unit: string;
  /** Missed when the value is greater. */
  readonly max: number;
}

export interface BenchCase<Input = unknown> {
  readonly name: string;
  /** One line: what ours does and what the floor does. */
  readonly about: string;
  readonly bars: readonly Bar[];
  /** Builds or finds what both sides work on. The value travels to the children as JSON. */
  prepare(stores: Stores): Input | Promise<Input>;
  ours(input: Input, meter: Meter): void | Promise<void>;
  /** A bare loop in the same run. Absent where the bar needs none. */
  floor?(input: Input, meter: Meter): void | Promise<void>;
}

/** Lets a case's file state its input's type once. */
export function defineCase<Input>(definition: BenchCase<Input>): BenchCase<Input> {
  return definition;
}

export const wallTime = (max: number): Bar => ({
  label: "time",
  kind: "ratio",
  of: (sample) => sample.wallMs,
  unit: "ms",
  max,
});

export const longestHold = (max: number): Bar => ({
  label: "longest event-loop hold",
  kind: "limit",
  of: (sample) => sample.longestHoldMs,
  unit: "ms",
  max,
});

export const peakMemory = (max: number): Bar => ({
  label: "peak memory above an empty process",
  kind: "limit",
  of: (sample) => sample.peakMiB,
  unit: "MiB",
  max,
});
