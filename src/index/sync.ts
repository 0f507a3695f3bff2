/**
 * Brings the index up to date within a budget, and says how far it came. A failure of the index is an answer, not an
 * exception: a search goes on with what is there. Only an abort and a refused file are thrown.
 */
import { messageOf } from "../session/json.ts";
import { throwIfAborted } from "../session/pace.ts";
import type { IndexDatabase } from "./database.ts";
import { inodeOf } from "./files.ts";
import { type PassRequest, SyncPass } from "./pass.ts";
import { isDamage, isReadOnly } from "./sqlite.ts";

export const DEFAULT_EXCLUDE_PREFIXES: readonly string[] = ["--tmp-", "--private-tmp-"];
const MAX_ERROR_CHARS = 300;

export interface SyncProgress {
  readonly filesLeft: number;
  readonly bytesLeft: number;
  readonly bytesDone: number;
}

export interface SyncRequest {
  /** As `requireRoots` gives them. */
  readonly roots: readonly string[];
  /** Project directories whose names begin so are left out. Default `DEFAULT_EXCLUDE_PREFIXES`. */
  readonly excludePrefixes?: readonly string[] | undefined;
  /** When to stop, in milliseconds from now. Default never. The survey of the store is always finished. */
  readonly budgetMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Tests lower it, so that small files take several steps. */
  readonly batchTextChars?: number | undefined;
  /** Called after each write. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
}

export type SyncWarning =
  | { readonly kind: "incomplete-walk" }
  | { readonly kind: "sync-failed"; readonly error: string };

export interface SyncResult {
  readonly walkComplete: boolean;
  /** Files that are not up to date, those that cannot be read included. */
  readonly backlogRemaining: number;
  readonly warning?: SyncWarning;
  /** Their paths, newest first, so that an allowlist can count its own. */
  readonly backlogPaths: readonly string[];
  /** How many of them cannot be read. */
  readonly unreadableFiles: number;
  readonly excludedProjects: readonly string[];
  readonly bytesRead: number;
}

/** Of a sync that could not begin, or was not asked for. */
export const NOTHING_DONE: SyncResult = {
  walkComplete: false,
  backlogRemaining: 0,
  backlogPaths: [],
  unreadableFiles: 0,
  excludedProjects: [],
  bytesRead: 0,
};

/**
 * @throws the signal's reason when aborted; what was written before stays
 * @throws IndexRefusedError when something that is not ours has taken the index's place
 */
export async function syncIndex(index: IndexDatabase, request: SyncRequest): Promise<SyncResult> {
  const deadlineMs = performance.now() + (request.budgetMs ?? Number.POSITIVE_INFINITY);
  await ensureCurrent(index);
  let pass: SyncPass | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      pass = await SyncPass.start(index, passRequestOf(request));
      if (index.isWritable) await run(pass, deadlineMs, request);
      return resultOf(pass, index.isWritable ? undefined : (index.failure ?? "the index is read-only"));
    } catch (error) {
      throwIfAborted(request.signal);
      if (isDamage(error) && attempt === 1) {
        await index.replaceDamaged();
        continue;
      }
      if (isReadOnly(error) && attempt === 1) {
        await index.reopen();
        continue;
      }
      return resultOf(pass, messageOf(error));
    }
  }
}

/** The index may have been moved, replaced by another process, or become writable since it was opened. */
export async function ensureCurrent(index: IndexDatabase): Promise<void> {
  const isMoved = index.inode !== undefined && inodeOf(index.path) !== index.inode;
  if (isMoved || !index.isWritable) await index.reopen();
}

export function passRequestOf(request: SyncRequest): PassRequest {
  const prefixes = request.excludePrefixes ?? DEFAULT_EXCLUDE_PREFIXES;
  const isProjectSkipped = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  const { roots, signal, batchTextChars } = request;
  return { roots, isProjectSkipped, signal, batchTextChars };
}

/** Steps until all is done or the time is up; takes at least one. */
async function run(pass: SyncPass, deadlineMs: number, { onProgress }: SyncRequest): Promise<void> {
  try {
    while (!pass.isDone) {
      await pass.step(deadlineMs);
      onProgress?.(progressOf(pass));
      if (performance.now() >= deadlineMs) break;
    }
    if (pass.isDone && deadlineMs === Number.POSITIVE_INFINITY) await pass.tidyUp();
  } finally {
    pass.pause();
  }
}

export function progressOf(pass: SyncPass): SyncProgress {
  const { backlog, bytesDone } = pass;
  const bytesLeft = backlog.reduce((sum, task) => sum + task.facts.sizeBytes, 0);
  return { filesLeft: backlog.length, bytesLeft, bytesDone };
}

/** @param failure why the pass failed as a whole */
export function resultOf(pass: SyncPass | undefined, failure: string | undefined): SyncResult {
  const backlogPaths = (pass?.backlog ?? []).map((task) => task.directory.path + task.name);
  const walkComplete = pass?.survey.isComplete ?? false;
  const warning: SyncWarning | undefined =
    failure !== undefined
      ? { kind: "sync-failed", error: failure.slice(0, MAX_ERROR_CHARS) }
      : walkComplete
        ? undefined
        : { kind: "incomplete-walk" };
  return {
    walkComplete,
    backlogRemaining: backlogPaths.length,
    ...(warning === undefined ? {} : { warning }),
    backlogPaths,
    unreadableFiles: pass?.unreadableCount ?? 0,
    excludedProjects: pass?.survey.excludedProjects ?? [],
    bytesRead: pass?.bytesDone ?? 0,
  };
}
