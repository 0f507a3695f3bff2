/**
 * Preparation as one request: brings the index up to date within the budget and takes its sessions, or reads the files
 * when no index is wanted. Under an allowlist nothing that is denied shows, in counts neither.
 */
import type { SyncWarning } from "../index/sync.ts";
import type { AllowedProjects, PrepareOutput, StoreOptions } from "../model.ts";
import type { SearchableIndex } from "../search/find.ts";
import type { PrepareQuery } from "../search/plan.ts";
import { readerOf } from "../search/reader.ts";
import { scanStore } from "../search/scan.ts";
import type { SessionFacts } from "../search/view.ts";
import { accessTestOf } from "../session/access.ts";
import { isReachable } from "../session/openSession.ts";
import { isReadableDirectory } from "../session/store.ts";
import { type FreshSessions, prepare } from "./prepare.ts";
import type { RegisteredSkill } from "./skillRegistry.ts";

/** Time that one preparation may spend on bringing the index up to date or on reading files, in milliseconds. */
export const DEFAULT_PREPARE_BUDGET_MS = 5_000;

/** Can be cloned, so that a worker can be asked. */
export interface PrepareRequest {
  readonly query: PrepareQuery;
  /** As `requireRoots` gives them. */
  readonly roots: readonly [string, ...string[]];
  readonly excludePrefixes: readonly string[];
  readonly allowedProjects: AllowedProjects | undefined;
  readonly currentSessionPath: string | undefined;
  /** Default `DEFAULT_PREPARE_BUDGET_MS`. */
  readonly budgetMs?: number | undefined;
  /** Absolute: the running session's working directory. */
  readonly cwd: string;
  /** Of Pi's effective command registry, see `registeredSkills`; none where there is no Pi. */
  readonly skills: readonly RegisteredSkill[];
}

/** @throws as `prepare` does; a sync that fails as a whole is an error */
export async function prepareInIndex(
  request: PrepareRequest,
  { index, sync }: Pick<SearchableIndex, "index" | "sync">,
  signal?: AbortSignal,
): Promise<PrepareOutput> {
  const { roots, excludePrefixes, budgetMs = DEFAULT_PREPARE_BUDGET_MS } = request;
  return prepareWith(request, signal, async (store) => {
    const { backlogPaths, walkComplete, warning } = await sync({ roots, excludePrefixes, budgetMs, signal });
    requireSynced(warning, store);
    const sessions = readerOf(index).readSessions(roots, (found) => found);
    return freshOf(sessions, backlogPaths, walkComplete, store);
  });
}

/** Reads the files, newest first, as far as the budget goes. */
export async function prepareInFiles(request: PrepareRequest, signal?: AbortSignal): Promise<PrepareOutput> {
  const { roots, excludePrefixes, budgetMs = DEFAULT_PREPARE_BUDGET_MS } = request;
  return prepareWith(request, signal, async (store) => {
    const isAllowed = accessTestOf(store.allowedProjects) ?? (() => true);
    const scan = await scanStore({ roots, excludePrefixes, budgetMs, isAllowed, signal });
    return freshOf(scan.view.sessions, scan.unreachedPaths, scan.isComplete, store);
  });
}

function prepareWith(
  request: PrepareRequest,
  signal: AbortSignal | undefined,
  freshSessions: (store: StoreOptions) => Promise<FreshSessions>,
): Promise<PrepareOutput> {
  const { query, roots, allowedProjects, currentSessionPath, cwd, skills } = request;
  const [sessionsRoot, ...additionalRoots] = roots;
  const store = { sessionsRoot, additionalRoots, allowedProjects, currentSessionPath, signal };
  return prepare(query, { store, cwd, skills, freshSessions: () => freshSessions(store) });
}

function freshOf(
  sessions: readonly SessionFacts[],
  backlogPaths: readonly string[],
  walkComplete: boolean,
  store: StoreOptions,
): FreshSessions {
  const backlogRemaining = backlogPaths.filter((path) => isReachable(path, store)).length;
  return { sessions, backlogRemaining, walkComplete: walkComplete || isIncompletenessHidden(store) };
}

function requireSynced(warning: SyncWarning | undefined, { allowedProjects }: StoreOptions): void {
  if (warning?.kind !== "sync-failed") return;
  const isBounded = accessTestOf(allowedProjects) !== undefined; // the reason may name what must not show
  throw new Error(`the index could not be brought up to date${isBounded ? "" : `: ${warning.error}`}`);
}

/** An unreadable root concerns everybody; an unreadable project may be one that must not show. */
function isIncompletenessHidden({
  allowedProjects,
  sessionsRoot,
  additionalRoots = [],
}: StoreOptions): boolean {
  return (
    accessTestOf(allowedProjects) !== undefined &&
    [sessionsRoot, ...additionalRoots].every(isReadableDirectory)
  );
}
