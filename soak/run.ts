/** Runs the rounds of a case and tells what was found, with the seed that finds it again. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf } from "../src/session/json.ts";
import { resetChanges } from "../test/index/changes.ts";
import type { SoakCase } from "./case.ts";
import type { Watchdog } from "./support/watchdog.ts";

export interface Finding {
  /** Of the round; with it as the first seed, the first round finds it again. */
  readonly seed: number;
  readonly message: string;
}

export interface CaseReport {
  readonly name: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly figures: ReadonlyMap<string, number>;
  readonly finding?: Finding;
  /** Why it was not run. */
  readonly obstacle?: string;
}

export interface SoakRequest {
  /** Of the first round; each further round has the next number. */
  readonly seed: number;
  readonly isShort: boolean;
  /** Runs until so many seconds are over instead of a number of rounds. */
  readonly seconds?: number | undefined;
  readonly rounds?: number | undefined;
  readonly watchdog?: Watchdog | undefined;
}

/** Assertions may show whole stores. */
const MAX_FINDING_CHARS = 6000;

/** Stops at the first finding: what comes after it would be found by the same fault. */
export async function runCase(soakCase: SoakCase, request: SoakRequest): Promise<CaseReport> {
  const { name } = soakCase;
  const figures = new Map<string, number>();
  const obstacle = soakCase.obstacle?.();
  if (obstacle !== undefined) return { name, rounds: 0, seconds: 0, figures, obstacle };
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1000;
  const maxRounds = request.rounds ?? (request.isShort ? soakCase.shortRounds : soakCase.longRounds);
  const isOver = (done: number) =>
    request.seconds === undefined || request.rounds !== undefined
      ? done >= maxRounds
      : seconds() >= request.seconds;
  let rounds = 0;
  let finding: Finding | undefined;
  while (finding === undefined && !isOver(rounds)) {
    const seed = request.seed + rounds++;
    request.watchdog?.expect(`${name}, seed ${seed}`);
    finding = await runRound(soakCase, seed, request.isShort, figures);
  }
  return { name, rounds, seconds: seconds(), figures, ...(finding === undefined ? {} : { finding }) };
}

/** With what caused it: fast-check names the counterexample, and what was wrong with it only as the cause. */
function tellOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${tellOf(error.cause)}\n${own}`;
}

async function runRound(
  soakCase: SoakCase,
  seed: number,
  isShort: boolean,
  figures: Map<string, number>,
): Promise<Finding | undefined> {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "pi-retrospect-soak-")));
  resetChanges();
  const count = (what: string, by = 1) => void figures.set(what, (figures.get(what) ?? 0) + by);
  const atMost = (what: string, value: number) =>
    void figures.set(what, Math.max(figures.get(what) ?? 0, Math.round(value)));
  try {
    await soakCase.run({ seed, isShort, directory, count, atMost });
    return undefined;
  } catch (error) {
    return { seed, message: tellOf(error).slice(0, MAX_FINDING_CHARS) };
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
