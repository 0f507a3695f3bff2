/**
 * The fresh process in which one side of one case runs. Reads its job from standard input, writes one line of JSON.
 * A job without a case is the empty process that peak memory is compared with.
 */
import { readFileSync } from "node:fs";
import type { BenchCase, Library, Meter } from "./case.ts";

export interface Job {
  /** Module of the case; absent for the empty process. */
  readonly caseModule?: string;
  readonly side: "ours" | "floor";
  readonly input: unknown;
  readonly libraryModule: string;
  readonly workerModule: string;
}

export interface ChildReport {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly longestHoldMs: number;
  readonly peakKiB: number;
  readonly figures: Readonly<Record<string, number>>;
}

const PROBE_MS = 1;
const job = JSON.parse(readFileSync(0, "utf8")) as Job;
const figures: Record<string, number> = {};
let marks = { wallMs: 0, cpuMs: 0, longestHoldMs: 0 };

/** A timer that is due every millisecond: how late it comes is how long the event loop was held. */
class HoldProbe {
  #last = performance.now();
  #longest = 0;
  readonly #timer = setInterval(() => this.#tick(), PROBE_MS);

  #tick(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#last - PROBE_MS);
    this.#last = now;
  }

  /** Waits for one more tick, so that the last stretch of work counts. */
  async stop(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 2 * PROBE_MS));
    clearInterval(this.#timer);
    return this.#longest;
  }
}

const meter: Meter = {
  async timed(work) {
    const probe = new HoldProbe();
    await new Promise((resolve) => setTimeout(resolve, 2 * PROBE_MS));
    const cpu = process.threadCpuUsage();
    const startMs = performance.now();
    const value = await work();
    const wallMs = performance.now() - startMs;
    const { user, system } = process.threadCpuUsage(cpu);
    marks = { wallMs, cpuMs: (user + system) / 1000, longestHoldMs: await probe.stop() };
    return value;
  },
  figure(name, value) {
    figures[name] = value;
  },
  loadLibrary: () => import(job.libraryModule) as Promise<Library>,
  workerUrl: new URL(job.workerModule),
};

/**
 * The process's own peak: Linux counts into `maxRSS` what the parent held when it started the child, so the kernel's
 * mark for this address space is read where there is one.
 */
function peakKiB(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  const mark = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  return mark?.[1] === undefined ? process.resourceUsage().maxRSS : Number(mark[1]);
}

if (job.caseModule === undefined) {
  await meter.timed(() => undefined);
} else {
  const { default: definition } = (await import(job.caseModule)) as { default: BenchCase };
  await definition[job.side]?.(job.input, meter);
}
const report: ChildReport = { ...marks, peakKiB: peakKiB(), figures };
console.log(JSON.stringify(report));
