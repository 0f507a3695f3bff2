/**
 * Discovery and browse as one request: brings the index up to date within the budget and asks it, or reads the files
 * when there is no index to ask. Under an allowlist nothing that is denied shows, in counts and warnings neither.
 */
import type { IndexDatabase } from "../index/database.ts";
import { IndexRefusedError } from "../index/files.ts";
import { isDamage, isSqliteError } from "../index/sqlite.ts";
import { NOTHING_DONE, type SyncRequest, type SyncResult } from "../index/sync.ts";
import type { AllowedProjects, BrowseOutput, DiscoveryOutput, ForPeople, SyncWarning } from "../model.ts";
import { accessTestOf } from "../session/access.ts";
import { messageOf } from "../session/json.ts";
import { stateOf, withoutUnreachable } from "./bounded.ts";
import { browse } from "./browse.ts";
import { discover } from "./discovery.ts";
import { forPeople } from "./forPeople.ts";
import type { BrowseQuery, DiscoveryQuery } from "./plan.ts";
import { readerOf } from "./reader.ts";
import { scanStore } from "./scan.ts";
import type { SearchView, SessionFacts } from "./view.ts";
import type { Viewer } from "./viewer.ts";

/** Can be cloned, so that a worker can be asked. */
export interface FindRequest {
  readonly query: DiscoveryQuery | BrowseQuery;
  /** As `requireRoots` gives them. */
  readonly roots: readonly [string, ...string[]];
  readonly excludePrefixes: readonly string[];
  readonly allowedProjects: AllowedProjects | undefined;
  readonly currentSessionPath: string | undefined;
  /** Time for syncing or scanning, in milliseconds. */
  readonly budgetMs: number;
  /** Also what only people are shown. Default false. */
  readonly forPeople?: boolean | undefined;
  /** How old the last sync may be, in milliseconds, to be taken for this one. Default 0: none is. */
  readonly maxSyncAgeMs?: number | undefined;
}

export type FindOutput = (DiscoveryOutput & { readonly forPeople?: ForPeople }) | BrowseOutput;

/** What of an index a search needs; a worker's context and a service are such. */
export interface SearchableIndex {
  readonly index: IndexDatabase;
  sync(request: SyncRequest): Promise<SyncResult>;
  /** Throws the index away and opens an empty one. */
  rebuild(): Promise<void>;
}

/**
 * A database that turns out to be damaged while it is asked is rebuilt and asked again; when that does not help, or it
 * cannot be read for another reason, the files answer.
 *
 * @returns with `sync` undefined when none was made: the last one was recent enough
 * @throws the signal's reason when aborted
 */
export async function findInIndex(
  request: FindRequest,
  searchable: SearchableIndex,
  signal?: AbortSignal,
): Promise<{ readonly output: FindOutput; readonly sync: SyncResult | undefined }> {
  const recent = recentSyncOf(searchable.index, request);
  let own: SyncResult | undefined;
  let synced: SyncResult;
  try {
    own = recent === undefined ? await sync(request, searchable, signal) : undefined;
    synced = own ?? recent ?? NOTHING_DONE;
  } catch (error) {
    if (!(error instanceof IndexRefusedError)) throw error;
    // Something that is not ours has taken the index's place since it was opened: the files still answer.
    return { output: await findInFiles(request, signal, messageOf(error)), sync: undefined };
  }
  if (searchable.index.isStandIn) {
    return { output: await findInFiles(request, signal, searchable.index.failure), sync: own };
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return { output: withoutUnreachable(ask(request, searchable.index, synced), request), sync: own };
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      if (!isDamage(error) || attempt > 1 || !searchable.index.isWritable) {
        return { output: await findInFiles(request, signal, messageOf(error)), sync: own };
      }
      await searchable.rebuild();
      own = await sync(request, searchable, signal);
      synced = own;
    }
  }
}

/** Brings the index, and what searches keep of it in memory, up to date for the next question. */
export async function catchUp(request: FindRequest, searchable: SearchableIndex): Promise<SyncResult> {
  const result = await sync(request, searchable, undefined);
  readerOf(searchable.index).read(request.roots, () => undefined);
  return result;
}

async function sync(
  request: FindRequest,
  searchable: SearchableIndex,
  signal: AbortSignal | undefined,
): Promise<SyncResult> {
  const { roots, excludePrefixes, budgetMs } = request;
  const result = await searchable.sync({ roots, excludePrefixes, budgetMs, signal });
  lastSyncs.set(searchable.index, { scope: scopeOf(request), endedMs: performance.now(), result });
  return result;
}

interface LastSync {
  /** Which roots it covered, and what it left out. */
  readonly scope: string;
  readonly endedMs: number;
  readonly result: SyncResult;
}
const lastSyncs = new WeakMap<IndexDatabase, LastSync>();

/** A sync that is recent enough for the request: whoever searches at each key asks for no new one. */
function recentSyncOf(index: IndexDatabase, request: FindRequest): SyncResult | undefined {
  const last = lastSyncs.get(index);
  const { maxSyncAgeMs = 0 } = request;
  if (last === undefined || last.scope !== scopeOf(request)) return undefined;
  return performance.now() - last.endedMs < maxSyncAgeMs ? last.result : undefined;
}

function scopeOf({ roots, excludePrefixes }: FindRequest): string {
  return JSON.stringify([roots, excludePrefixes]);
}

function ask(request: FindRequest, index: IndexDatabase, synced: SyncResult): FindOutput {
  const { query, roots } = request;
  const viewer = viewerOf(request);
  const state = stateOf(request, synced.backlogPaths, synced.warning);
  const reader = readerOf(index);
  if (query.mode === "discovery") {
    return reader.read(roots, (view) => ({
      ...discovered(view, query, viewer, request, (session) => view.previewOf(session)),
      ...state,
    }));
  }
  return reader.readSessions(roots, (sessions, detailsOf) => ({
    mode: query.mode,
    sessions: browse(sessions, query, viewer, detailsOf),
    ...state,
  }));
}

/**
 * Reads the files, newest first, as far as the budget goes.
 *
 * @param failure why there is no index to ask, when that is not what the user wanted
 */
export async function findInFiles(
  request: FindRequest,
  signal?: AbortSignal,
  failure?: string,
): Promise<FindOutput> {
  const { query, roots, excludePrefixes, budgetMs } = request;
  const viewer = viewerOf(request);
  const scan = await scanStore({
    roots,
    excludePrefixes,
    budgetMs,
    isAllowed: viewer.isAllowed ?? (() => true),
    signal,
  });
  const incomplete: SyncWarning | undefined = scan.isComplete ? undefined : { kind: "incomplete-walk" };
  const warning: SyncWarning | undefined =
    failure === undefined ? incomplete : { kind: "sync-failed", error: failure };
  const state = stateOf(request, scan.unreachedPaths, warning);
  const output: FindOutput =
    query.mode === "discovery"
      ? {
          ...discovered(scan.view, query, viewer, request, (session) => scan.detailsOf(session).preview),
          ...state,
        }
      : { mode: query.mode, sessions: browse(scan.view.sessions, query, viewer, scan.detailsOf), ...state };
  return withoutUnreachable(output, request);
}

function discovered(
  view: SearchView,
  query: DiscoveryQuery,
  viewer: Viewer,
  request: FindRequest,
  previewIn: (session: SessionFacts) => string,
): DiscoveryOutput & { readonly forPeople?: ForPeople } {
  const found = discover(view, query, viewer);
  const output = { mode: query.mode, query: query.query, ...found };
  if (request.forPeople !== true) return output;
  return { ...output, forPeople: forPeople(view.sessions, query, viewer, found.results, previewIn) };
}

function viewerOf({ allowedProjects, currentSessionPath }: FindRequest): Viewer {
  const isAllowed = accessTestOf(allowedProjects);
  return { isAllowed, isBounded: isAllowed !== undefined, currentSessionPath };
}
