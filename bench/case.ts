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
  /** The product; loading it counts as memory, and as time only inside `timed`. */
  loadLibrary(): Promise<Library>;
  /** The module of the thread that owns an index, built like the cases. */
  readonly workerUrl: URL;
}

export interface Bar {
  /** What is held against the bar, as the table names it. */
  readonly label: string;
  /**
   * The median over the pairs of ours / floor (`ratio`), of ours - floor (`excess`), or of ours alone (`limit`, and
   * `least`, which is missed when the value is smaller). `shown` is no bar.
   */
  readonly kind: "ratio" | "excess" | "limit" | "least" | "shown";
  readonly of: (sample: Sample) => number;
  readonly unit: string;
  readonly bound: number;
  /** True when processor time says the same as `of`, so that its ratio is worth showing. Default false. */
  readonly isTime?: boolean;
}

export interface BenchCase<Input = unknown> {
  readonly name: string;
  /** One line: what ours does and what the floor does. */
  readonly about: string;
  readonly bars: readonly Bar[];
  /** Pairs, unless the command line asks for another number. Default 5. */
  readonly runs?: number;
  /** True for a case that takes minutes: it runs only when it is named, or with `--all`. */
  readonly isLong?: boolean;
  /** Why the case cannot run here; the table then says so. */
  skip?(): string | undefined;
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

export const wallTime = (bound: number): Bar => ({
  label: "time",
  kind: "ratio",
  of: (sample) => sample.wallMs,
  unit: "ms",
  bound,
  isTime: true,
});

export const longestHold = (bound: number): Bar => ({
  label: "longest event-loop hold",
  kind: "limit",
  of: (sample) => sample.longestHoldMs,
  unit: "ms",
  bound,
});

export const peakMemory = (bound: number): Bar => ({
  label: "peak memory above an empty process",
  kind: "limit",
  of: (sample) => sample.peakMiB,
  unit: "MiB",
  bound,
});

/** A bar on what the sides reported under `figure`. */
export const figureBar = (
  figure: string,
  kind: Bar["kind"],
  bound: number,
  unit: string,
  label = figure,
): Bar => ({
  label,
  kind,
  of: (sample) => sample.figures[figure] ?? Number.NaN,
  unit,
  bound,
});

/** Something worth knowing that no bar is set for. */
export const shown = (figure: string, unit: string, label = figure): Bar =>
  figureBar(figure, "shown", Number.NaN, unit, label);
