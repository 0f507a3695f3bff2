/**
 * The realistic store: session files with the measured shape of real ones, written from a seed, and the known items
 * hidden in them. Also single sessions of a given size and number of entries.
 */
import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { Random } from "./random.ts";
import { Bulk } from "./store/bulk.ts";
import { ItemLedger, type KnownItem } from "./store/items.ts";
import { LineFile } from "./store/lineFile.ts";
import { type FilePlan, fileName, planStore, type StoreRequest, slugOf } from "./store/plan.ts";
import { Prose } from "./store/prose.ts";
import { SessionWriter } from "./store/session.ts";
import type { Material, SessionPlan, Tally } from "./store/sessionPlan.ts";
import { createSystemMessage } from "./store/tools.ts";
import { Vocabulary } from "./store/vocabulary.ts";

export type { ItemKind, KnownItem } from "./store/items.ts";
export type { StoreRequest } from "./store/plan.ts";

/** Raised whenever the same seed gives other bytes, so that cached stores are built anew. */
export const GENERATOR_VERSION = 1;

export interface StoreStats {
  readonly files: number;
  readonly bytes: number;
  readonly lines: number;
  readonly medianFileBytes: number;
  readonly p90FileBytes: number;
  readonly longestLineBytes: number;
  readonly visibleMessages: number;
  /** Shares of the store's bytes. */
  readonly visibleShare: number;
  readonly outputShare: number;
  readonly argumentShare: number;
  readonly thinkingShare: number;
}

export interface RealisticStore {
  readonly items: readonly KnownItem[];
  readonly stats: StoreStats;
}

/** Writes the store below `root`, which must be empty. Item paths are relative to `root`. */
export function writeRealisticStore(root: string, request: StoreRequest): RealisticStore {
  const vocabulary = new Vocabulary(request.seed);
  const material = materialOf(request.seed, vocabulary);
  const files = planStore(request, vocabulary);
  const ledger = new ItemLedger(files.flatMap((file) => file.plants));
  const tally: Tally = { visible: 0, messages: 0, output: 0, arguments: 0, thinking: 0 };
  const sizes: number[] = [];
  let lines = 0;
  let longestLineBytes = 0;
  for (const file of files) {
    const target = path.join(root, file.path);
    mkdirSync(path.dirname(target), { recursive: true });
    const output = new LineFile(target);
    const plan = sessionPlanOf(root, file, request.seed);
    const endMs = new SessionWriter(plan, material, output, tally, (text) =>
      ledger.see(text, file.path),
    ).write();
    output.close();
    utimesSync(target, endMs / 1000, endMs / 1000);
    sizes.push(output.bytes);
    lines += output.lines;
    longestLineBytes = Math.max(longestLineBytes, output.longestLine);
  }
  const items = files.flatMap((file) =>
    file.plants.map((plant) => ledger.itemOf(plant, file.path)).filter((item) => item !== undefined),
  );
  sizes.sort((a, b) => a - b);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const stats: StoreStats = {
    files: files.length,
    bytes,
    lines,
    medianFileBytes: sizes[Math.floor(sizes.length / 2)] ?? 0,
    p90FileBytes: sizes[Math.floor(sizes.length * 0.9)] ?? 0,
    longestLineBytes,
    visibleMessages: tally.messages,
    visibleShare: tally.visible / bytes,
    outputShare: tally.output / bytes,
    argumentShare: tally.arguments / bytes,
    thinkingShare: tally.thinking / bytes,
  };
  return { items, stats };
}

export interface SingleSessionRequest {
  readonly seed: string | number;
  readonly bytes: number;
  readonly maxEntries?: number;
  readonly maxResultChars?: number;
}

/** Writes one long session into a store of its own; returns its path relative to `root`. */
export function writeSingleSession(root: string, request: SingleSessionRequest): string {
  const material = materialOf(request.seed, new Vocabulary(request.seed));
  const random = new Random(request.seed, "single");
  const cwd = "/home/ada/projects/harbor";
  const id = random.uuid();
  const startMs = Date.UTC(2026, 1, 2, 9);
  const relative = path.join(slugOf(cwd), fileName(startMs, id));
  mkdirSync(path.join(root, slugOf(cwd)), { recursive: true });
  const file = new LineFile(path.join(root, relative));
  const { bytes, maxEntries, maxResultChars } = request;
  const plan: SessionPlan = {
    id,
    cwd,
    startMs,
    seed: `${request.seed}/single`,
    bytes,
    ...(maxEntries === undefined ? {} : { maxEntries }),
    ...(maxResultChars === undefined ? {} : { maxResultChars }),
    plants: [],
    decoys: [],
    hasLongestLine: bytes > 4_000_000,
    hasTornTail: false,
  };
  const tally: Tally = { visible: 0, messages: 0, output: 0, arguments: 0, thinking: 0 };
  new SessionWriter(plan, material, file, tally, () => undefined).write();
  file.close();
  return relative;
}

function materialOf(seed: string | number, vocabulary: Vocabulary): Material {
  const prose = new Prose(vocabulary);
  return { prose, bulk: new Bulk(seed, prose), systemMessage: createSystemMessage(seed, prose) };
}

function sessionPlanOf(root: string, file: FilePlan, seed: string | number): SessionPlan {
  const { id, cwd, startMs, bytes, plants, decoys, hasLongestLine, hasTornTail, forkOf } = file;
  const plan = {
    id,
    cwd,
    startMs,
    bytes,
    plants,
    decoys,
    hasLongestLine,
    hasTornTail,
    seed: `${seed}/${file.path}`,
  };
  if (forkOf === undefined) return plan;
  const parentSession = path.join(root, forkOf);
  return { ...plan, fork: { parentSession, lines: copiedLines(parentSession, bytes * 0.7) } };
}

/** The first entries of the origin, as many as fit; a torn tail is never among them. */
function copiedLines(origin: string, maxBytes: number): readonly string[] {
  const [, ...lines] = readFileSync(origin, "utf8").split("\n").slice(0, -1);
  const limit = Math.ceil(lines.length * 0.7);
  const copied: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, limit)) {
    bytes += Buffer.byteLength(line);
    if (bytes > maxBytes) break;
    copied.push(line);
  }
  return copied;
}
