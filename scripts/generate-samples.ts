/**
 * Writes samples/generated/ anew: session files for every rule of the contract, and manifest.json, which says
 * what the contract expects of each. Deterministic: fixed ids and times, the same bytes at each run. It
 * deletes what was there before. It shares no code with src/, because it is the oracle for the tests of src/.
 *
 * Run: node scripts/generate-samples.ts [directory]   (Node 22.19 or newer; default samples/generated)
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { addBranches } from "./generate/entries-branches.ts";
import { addGlued } from "./generate/entries-glued.ts";
import { addHostile } from "./generate/entries-hostile.ts";
import { addLines } from "./generate/entries-lines.ts";
import { addTexts } from "./generate/entries-text.ts";
import { addHeaders } from "./generate/headers.ts";
import { manifestOf, manifestText } from "./generate/manifest.ts";
import { addNesting } from "./generate/nesting.ts";
import { addOrphans } from "./generate/orphans.ts";
import { README } from "./generate/readme.ts";
import { SampleSet } from "./generate/sample-set.ts";
import { addTimes } from "./generate/times.ts";
import { addTree } from "./generate/tree.ts";

function collect(): SampleSet {
  const set = new SampleSet();
  addTree(set);
  addNesting(set);
  addOrphans(set);
  addHeaders(set);
  addTimes(set);
  addLines(set);
  addHostile(set);
  addBranches(set);
  addTexts(set);
  addGlued(set);
  set.file("README.md", README);
  set.file(".gitattributes", "# Bytes are the point of these files: no conversion of line ends.\n* -text\n");
  set.file("manifest.json", manifestText(manifestOf(set)));
  return set;
}

function write(set: SampleSet, directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  for (const [path, bytes] of set.files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  }
  for (const [path, target] of set.links) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    symlinkSync(target, join(directory, path));
  }
}

const defaultDirectory = fileURLToPath(new URL("../samples/generated", import.meta.url));
const directory = resolve(process.argv[2] ?? defaultDirectory);
const samples = collect();
write(samples, directory);
const size = [...samples.files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
process.stdout.write(
  `${samples.files.size} files, ${samples.links.size} links, ${size} bytes in ${directory}\n`,
);
