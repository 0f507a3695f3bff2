/**
 * `npm run bench`: runs every case, ours and the floor in turn in fresh processes, prints one table and exits 1 when a
 * bar is missed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { BenchCase } from "./case.ts";
import { CASES } from "./cases/index.ts";
import { Children } from "./children.ts";
import { busyNote, formatTable, type Pair, type Row, requireAgreement, rowOf } from "./judge.ts";
import { Stores } from "./stores.ts";

const USAGE = `usage: npm run bench -- [--case NAME]… [--all] [--runs N] [--scale N] [--json FILE]
  --case NAME   only this case (may be repeated): ${CASES.map(({ name }) => name).join(", ")}
  --all         also the cases that take minutes
  --runs N      pairs per case, default 5, of long cases fewer
  --scale N     size of the stores as a multiple of the standard one, default 1
  --json FILE   also write the table and every sample as JSON`;

const DEFAULT_RUNS = 5;

function fail(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  return value > 0 && Number.isFinite(value)
    ? value
    : fail(`--${name} must be a number above 0, got ${text}`);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        case: { type: "string", multiple: true },
        all: { type: "boolean" },
        runs: { type: "string" },
        scale: { type: "string", default: "1" },
        json: { type: "string" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** The pairs of one case. One unmeasured pair warms the page cache; who goes first alternates. */
async function measure(definition: BenchCase, children: Children, stores: Stores, runs: number) {
  const input: unknown = await definition.prepare(stores);
  const pairs: Pair[] = [];
  for (let run = -1; run < runs; run++) {
    const ours = () => children.run(definition.name, "ours", input);
    const floor = () =>
      definition.floor === undefined ? undefined : children.run(definition.name, "floor", input);
    const pair: Pair = run % 2 === 0 ? { ours: ours(), floor: floor() } : { floor: floor(), ours: ours() };
    requireAgreement(definition, pair);
    if (run >= 0) pairs.push(pair);
  }
  return pairs;
}

const values = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = values.case?.find((name) => !CASES.some((definition) => definition.name === name));
if (unknown !== undefined) fail(`no case is named ${unknown}`);
const cases = CASES.filter(({ name, isLong }) =>
  values.case === undefined ? !isLong || values.all : values.case.includes(name),
);
const askedRuns = values.runs === undefined ? undefined : Math.ceil(positive("runs", values.runs));
const scale = positive("scale", values.scale);

const cacheDirectory = path.resolve(import.meta.dirname, "..", ".bench");
mkdirSync(cacheDirectory, { recursive: true });
const stores = new Stores(cacheDirectory, scale);
const children = await Children.build(
  cacheDirectory,
  cases.map(({ name }) => name),
);
const machine = `Node ${process.versions.node}, ${os.platform()} ${os.arch()}, ${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? "?"}`;
console.log(`ours is ${children.product.name}; ${machine}; scale ${scale}\n`);

const rows: Row[] = [];
const samples: Record<string, readonly Pair[]> = {};
const skipped: string[] = [];
for (const definition of cases) {
  const obstacle = definition.skip?.();
  if (obstacle !== undefined) {
    skipped.push(`SKIPPED ${definition.name}: ${obstacle}`);
    continue;
  }
  console.error(`${definition.name}: ${definition.about}`);
  const runs = askedRuns ?? definition.runs ?? DEFAULT_RUNS;
  const pairs = await measure(definition, children, stores, runs);
  samples[definition.name] = pairs;
  rows.push(...definition.bars.map((bar) => rowOf(definition.name, bar, pairs)));
}
console.log(formatTable(rows));
for (const line of skipped) console.log(`\n${line}`);
const note = busyNote(samples);
if (note !== undefined) console.log(`\n${note}`);
if (values.json !== undefined) {
  const report = { ours: children.product.name, machine, scale, skipped, rows, samples };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
process.exitCode = rows.every((row) => row.pass !== false) ? 0 : 1;
