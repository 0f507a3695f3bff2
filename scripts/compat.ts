/**
 * Does the package work on every release of Pi that it promises, and under Bun? Installs each into `.compat/` once, packs
 * the package as npm would publish it, installs that, and runs what users run. Ends with status 1 when anything fails.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pack } from "../test/support/pack.ts";
import { pinnedNode } from "../test/support/pi-run.ts";
import { BUN_VERSION, installBun, installPi, NEWEST, RELEASES } from "./compat/install.ts";
import { checkPi, PI_COLUMNS } from "./compat/pi-checks.ts";
import { hasFailed, type Row, tableOf } from "./compat/report.ts";
import { checkRuntime, RUNTIME_COLUMNS } from "./compat/runtime-checks.ts";

const repository = path.resolve(import.meta.dirname, "..");
const cache = path.join(repository, ".compat");
const samples = path.join(repository, "samples", "recorded", "sessions");
mkdirSync(cache, { recursive: true });
const { tarball } = pack(repository, cache);
const [only] = process.argv.slice(2); // one release, or "bun"
const isWanted = (what: string) => only === undefined || only === what;
const say = (text: string) => console.error(text);

const pi: Row[] = [];
for (const release of RELEASES.filter(({ version }) => isWanted(version))) {
  say(`Pi ${release.version} …`);
  const piPackage = installPi(cache, release);
  pi.push({ title: `Pi ${release.version}`, checks: await checkPi({ piPackage, tarball, samples }) });
}
const runtimes: Row[] = [];
if (isWanted("bun")) {
  say(`Bun ${BUN_VERSION} …`);
  const bun = installBun(cache);
  const piPackage = installPi(cache, NEWEST);
  const checks = await checkPi({ piPackage, runtime: bun, tarball, samples });
  pi.push({ title: `Pi ${NEWEST.version} under Bun ${BUN_VERSION}`, checks });
  for (const [title, runtime] of [
    [`Node ${process.versions.node}`, pinnedNode()],
    [`Bun ${BUN_VERSION}`, bun],
  ] as const) {
    runtimes.push({ title, checks: await checkRuntime(runtime, tarball, samples) });
  }
}
console.log(tableOf(pi, PI_COLUMNS));
if (runtimes.length > 0) console.log(`\n${tableOf(runtimes, RUNTIME_COLUMNS)}`);
if (pi.length === 0)
  throw new Error(`nothing to run; known are bun and ${RELEASES.map(({ version }) => version).join(", ")}`);
process.exitCode = hasFailed([...pi, ...runtimes]) ? 1 : 0;
