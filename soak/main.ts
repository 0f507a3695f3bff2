/**
 * The faults that must be survived, for as long as wanted: `npm run soak -- [--case NAME] [--seed N] [--seconds N]
 * [--rounds N] [--short]`. Without `--seconds` each case does what docs/soak.md promises. Every finding names the command
 * that finds it again; then the exit status is 1.
 */
import { parseArgs } from "node:util";
import { CASES } from "./cases/index.ts";
import { type CaseReport, runCase } from "./run.ts";
import { Watchdog } from "./support/watchdog.ts";

const { values } = parseArgs({
  options: {
    case: { type: "string", multiple: true },
    seed: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string" },
    short: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
const known = new Map(CASES.map((soakCase) => [soakCase.name, soakCase]));
const wanted = values.case ?? [...known.keys()];
const seed = numberOf("seed") ?? Math.floor(Math.random() * 1_000_000);
const seconds = numberOf("seconds");
const rounds = numberOf("rounds");

if (values.list) {
  for (const { name, what } of CASES) console.log(`${name.padEnd(12)} ${what}`);
} else {
  const watchdog = new Watchdog();
  console.log(`seed ${seed}`);
  const reports: CaseReport[] = [];
  for (const name of wanted) {
    const soakCase = known.get(name);
    if (soakCase === undefined) throw new Error(`no case ${name}; known are ${[...known.keys()].join(", ")}`);
    const report = await runCase(soakCase, { seed, isShort: values.short, seconds, rounds, watchdog });
    reports.push(report);
    print(report);
  }
  await watchdog.stop();
  process.exitCode = reports.some(({ finding }) => finding !== undefined) ? 1 : 0;
}

function print({ name, rounds, seconds, figures, finding, obstacle }: CaseReport): void {
  const verdict = obstacle !== undefined ? "SKIPPED" : finding !== undefined ? "FOUND" : "ok";
  const shown = [...figures].map(([what, number]) => `${number.toLocaleString("en")} ${what}`).join(", ");
  console.log(`${verdict.padEnd(8)}${name.padEnd(12)} ${rounds} rounds, ${seconds.toFixed(1)} s: ${shown}`);
  if (obstacle !== undefined) console.log(`        ${obstacle}`);
  if (finding === undefined) return;
  console.log(
    `\n${finding.message}\n\nagain: npm run soak -- --case ${name} --seed ${finding.seed} --rounds 1\n`,
  );
}

function numberOf(name: "seed" | "seconds" | "rounds"): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name} must be a number`);
  return number;
}
