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

const USAGE = `usage: npm run bench -- [--case NAME]… [--runs N] [--scale N] [--json FILE]
  --case NAME   only this case (may be repeated): ${CASES.map(({ name }) => name).join(", ")}
  --runs N      pairs per case, default 5
  --scale N     size of the stores as a multiple of the standard one, default 1
  --json FILE   also write the table and every sample as JSON`;

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
        runs: { type: "string", default: "5" },
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
const cases = values.case === undefined ? CASES : CASES.filter(({ name }) => values.case?.includes(name));
const runs = Math.ceil(positive("runs", values.runs));
const scale = positive("scale", values.scale);

const cacheDirectory = path.resolve(import.meta.dirname, "..", ".bench");
mkdirSync(cacheDirectory, { recursive: true });
const stores = new Stores(cacheDirectory, scale);
const children = await Children.build(
  cacheDirectory,
  cases.map(({ name }) => name),
);
const machine = `Node ${process.versions.node}, ${os.platform()} ${os.arch()}, ${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? "?"}`;
console.log(`ours is ${children.product.name}; ${machine}; scale ${scale}, ${runs} pairs per case\n`);

const rows: Row[] = [];
const samples: Record<string, readonly Pair[]> = {};
for (const definition of cases) {
  console.error(`${definition.name}: ${definition.about}`);
  const pairs = await measure(definition, children, stores, runs);
  samples[definition.name] = pairs;
  rows.push(...definition.bars.map((bar) => rowOf(definition.name, bar, pairs)));
}
console.log(formatTable(rows));
const note = busyNote(samples);
if (note !== undefined) console.log(`\n${note}`);
if (values.json !== undefined) {
  const report = { ours: children.product.name, machine, scale, runs, rows, samples };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
process.exitCode = rows.every((row) => row.pass) ? 0 : 1;
