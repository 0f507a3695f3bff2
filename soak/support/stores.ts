/** Stores to do harm to, and the two questions that every harm ends with: is the index sound, is it complete? */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Random } from "../../bench/random.ts";
import type { IndexDatabase } from "../../src/index/database.ts";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { scan, whereAndWhat } from "../../test/index/changes.ts";
import { contentOf, contentOfColdIndex, fileOf, headerLine, messageLine } from "../../test/index/content.ts";

export interface Place {
  readonly root: string;
  readonly indexPath: string;
}

export function placeIn(directory: string): Place {
  const root = path.join(directory, "sessions");
  mkdirSync(root, { recursive: true });
  return { root, indexPath: path.join(directory, "config", "pi-retrospect", "index.db") };
}

const WORDS = ["deploy", "Größe", "ECONNREFUSED", "session_search", "配置", "go", "retry queue", "a.b(c)"];

/** Some projects with so many files, subagents among them; returns the paths. */
export function fill(root: string, random: Random, files: number, messages: number): readonly string[] {
  const paths: string[] = [];
  for (let i = 0; i < files; i++) {
    const launcher = paths.at(-1);
    const isSubagent = launcher !== undefined && random.chance(0.2);
    const directory = isSubagent
      ? path.join(launcher.slice(0, -".jsonl".length), `run-${i}`)
      : path.join(root, `--p${i % 4}--`);
    mkdirSync(directory, { recursive: true });
    const lines = Array.from({ length: messages }, (_, n) =>
      messageLine(`m${n}`, n % 2 ? "assistant" : "user", `file${i} line${n} ${text(random)}`),
    );
    const file = path.join(directory, isSubagent ? "session.jsonl" : `f${i}.jsonl`);
    writeFileSync(file, fileOf(headerLine({ id: `s${i}` }), ...lines));
    paths.push(file);
  }
  return paths;
}

export function text(random: Random, words = 40): string {
  return Array.from({ length: random.between(1, words) }, () => random.pick(WORDS)).join(" ");
}

/** The next open needs no hand, the database is sound, and it holds what a cold build and reading the files give. */
export async function requireRecovery({ root, indexPath }: Place, coldPath: string): Promise<void> {
  const index = await openIndex(indexPath);
  try {
    await requireComplete(index, root, coldPath);
  } finally {
    index.close();
  }
}

export async function requireComplete(index: IndexDatabase, root: string, coldPath: string): Promise<void> {
  const { warning, backlogRemaining } = await syncIndex(index, { roots: [root] });
  assert.deepEqual({ warning, backlogRemaining }, { warning: undefined, backlogRemaining: 0 });
  requireSound(index);
  const found = contentOf(index);
  assert.deepEqual(found, await contentOfColdIndex(root, coldPath), "the index differs from a cold build");
  assert.deepEqual(found.missingFromDictionary, []);
  assert.deepEqual(found.messages.map(whereAndWhat), await scan(root), "the index differs from a scan");
}

export function requireSound(index: IndexDatabase): void {
  assert.equal(index.get("PRAGMA integrity_check")?.["integrity_check"], "ok");
}
