/**
 * What the files of a realistic store are, before one is written: sizes, projects, times, subagents, forks, torn tails
 * and where the known items go. Pure.
 */
import { Random } from "../random.ts";
import { ITEM_KINDS, makePlant, type Plant } from "./items.ts";
import { identifier, type Vocabulary } from "./vocabulary.ts";

export interface StoreRequest {
  readonly seed: string | number;
  /** Size of the store; its number of files follows from it. */
  readonly bytes: number;
  readonly itemsPerKind: number;
}

export interface FilePlan {
  /** Relative to the store's root. */
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly startMs: number;
  readonly bytes: number;
  /** Path of the session this one was forked from, written before it. */
  readonly forkOf?: string;
  readonly plants: Plant[];
  readonly decoys: Plant[];
  readonly hasLongestLine: boolean;
  readonly hasTornTail: boolean;
}

/** Quantiles of file sizes, measured on real stores at the median and the 90th percentile; between them log-linear. */
const SIZE_QUANTILES: readonly (readonly [share: number, bytes: number])[] = [
  [0, 2_500],
  [0.5, 26_000],
  [0.8, 72_000],
  [0.9, 600_000],
  [0.99, 1_100_000],
  [1, 3_000_000],
];
const MEAN_FILE_BYTES = 139_000;
const SUBAGENT_SHARE = 0.28;
const FORK_SHARE = 0.04;
const TORN_SHARE = 0.01;
const FIRST_START_MS = Date.UTC(2025, 0, 6, 8);
const DAY_MS = 86_400_000;
const HOME = "/home/ada/projects";

export function planStore(request: StoreRequest, vocabulary: Vocabulary): readonly FilePlan[] {
  const random = new Random(request.seed, "plan");
  const count = Math.max(12, Math.round(request.bytes / MEAN_FILE_BYTES));
  const sizes = random.shuffle(Array.from({ length: count }, (_, i) => sizeAt((i + 0.5) / count)));
  const largest = Math.max(...sizes);
  const projects = projectNames(random, Math.ceil(count / 45));
  const topLevel: FilePlan[] = [];
  const files = sizes.map((bytes, i): FilePlan => {
    const owner = i > 4 && random.chance(SUBAGENT_SHARE) ? random.pick(topLevel) : undefined;
    const startMs =
      owner === undefined ? FIRST_START_MS + random.between(0, 500 * DAY_MS) : owner.startMs + 60_000;
    const id = random.uuid();
    const cwd = owner?.cwd ?? `${HOME}/${projects[Math.floor(projects.length * random.next() ** 2)]}`;
    const origin =
      owner === undefined && i > 20 && random.chance(FORK_SHARE) ? random.pick(topLevel) : undefined;
    const file: FilePlan = {
      path:
        owner === undefined
          ? `${slugOf(origin?.cwd ?? cwd)}/${fileName(startMs, id)}`
          : `${owner.path.slice(0, -".jsonl".length)}/${subagentPath(random, startMs, id)}`,
      id,
      cwd: origin?.cwd ?? cwd,
      startMs: origin === undefined ? startMs : origin.startMs + 3_600_000,
      bytes,
      ...(origin === undefined ? {} : { forkOf: origin.path }),
      plants: [],
      decoys: [],
      hasLongestLine: bytes === largest && bytes > 1_200_000,
      hasTornTail: random.chance(TORN_SHARE),
    };
    if (owner === undefined) topLevel.push(file);
    return file;
  });
  plantItems(random, files, vocabulary, request.itemsPerKind);
  return files;
}

function plantItems(
  random: Random,
  files: readonly FilePlan[],
  vocabulary: Vocabulary,
  perKind: number,
): void {
  const roomy = files.filter((file) => file.bytes > 8_000);
  for (const kind of ITEM_KINDS) {
    for (let i = 0; i < perKind; i++) {
      const plant = makePlant(kind, random, vocabulary);
      random.pick(roomy).plants.push(plant);
      if (plant.hasDecoy) random.pick(roomy).decoys.push(plant);
    }
  }
}

function sizeAt(share: number): number {
  const next = SIZE_QUANTILES.findIndex(([at]) => at > share);
  const [fromShare, fromBytes] = SIZE_QUANTILES[next - 1] ?? [0, 2_500];
  const [toShare, toBytes] = SIZE_QUANTILES[next] ?? [1, 3_000_000];
  return Math.round(fromBytes * (toBytes / fromBytes) ** ((share - fromShare) / (toShare - fromShare)));
}

function projectNames(random: Random, count: number): readonly string[] {
  const names = new Set<string>();
  while (names.size < count) {
    const name = identifier(random).toLowerCase().replaceAll("_", "-");
    names.add(name);
    if (random.chance(0.2)) names.add(`${name}-fix`);
  }
  return [...names];
}

/** How Pi names the directory of a project. */
export function slugOf(cwd: string): string {
  return `--${cwd.slice(1).replaceAll(/[/\\:]/g, "-")}--`;
}

/** How Pi names a session file. */
export function fileName(startMs: number, id: string): string {
  return `${new Date(startMs).toISOString().replaceAll(/[:.]/g, "-")}_${id}.jsonl`;
}

function subagentPath(random: Random, startMs: number, id: string): string {
  const run = random.hex(8);
  if (random.chance(0.5)) return `${run}/run-${random.between(0, 3)}/session.jsonl`;
  return `${run}/async-${random.hex(6)}/${fileName(startMs, id)}`;
}
