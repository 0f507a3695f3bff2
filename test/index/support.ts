/** A throwaway store and index for a test. What an index holds: `content.ts`. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach } from "vitest";
import type { IndexDatabase } from "../../src/index/database.ts";
import { openIndex } from "../../src/index/open.ts";
import { type SyncRequest, type SyncResult, syncIndex } from "../../src/index/sync.ts";
import { type Content, contentOfColdIndex } from "./content.ts";

export { type Content, contentOf, fileOf, headerLine, messageLine } from "./content.ts";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

export function onCleanup(cleanup: () => void): void {
  cleanups.push(cleanup);
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "retrospect-index-"));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface Fixture {
  readonly root: string;
  readonly project: string;
  readonly indexPath: string;
}

export function fixture(): Fixture {
  const base = temporaryDirectory();
  const root = path.join(base, "sessions");
  const project = path.join(root, "--home-user-app--");
  mkdirSync(project, { recursive: true });
  return { root, project, indexPath: path.join(base, "config", "pi-retrospect", "index.db") };
}

/** Closed after the test. */
export async function openFor(indexPath: string): Promise<IndexDatabase> {
  const index = await openIndex(indexPath);
  cleanups.push(() => index.close());
  return index;
}

export async function sync(
  index: IndexDatabase,
  root: string,
  more: Partial<SyncRequest> = {},
): Promise<SyncResult> {
  return await syncIndex(index, { roots: [root], ...more });
}

/** What an index has that is built from nothing. */
export async function coldContentOf(root: string, more: Partial<SyncRequest> = {}): Promise<Content> {
  return await contentOfColdIndex(root, path.join(temporaryDirectory(), "cold.db"), more);
}
