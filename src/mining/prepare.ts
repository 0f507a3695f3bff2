/**
 * `prepare-pattern-miner`: recent sessions with their words, and what automation the repository already has, within the
 * bound of an answer. Every chosen session keeps its citation, whatever its size and even when it cannot be read.
 */
import path from "node:path";
import type { PreparedSession, PrepareOutput, RepositoryInventory, StoreOptions } from "../model.ts";
import type { PrepareQuery } from "../search/plan.ts";
import type { SessionFacts } from "../search/view.ts";
import { accessTestOf } from "../session/access.ts";
import { jsonLengthOf, MAX_RESULT_CHARS } from "../session/bound.ts";
import { cutWithEllipsis, MAX_REPEATED_CHARS, shortenMiddle } from "../session/cut.ts";
import { messageOf } from "../session/json.ts";
import { isReachable } from "../session/openSession.ts";
import { throwIfAborted } from "../session/pace.ts";
import { ParameterError } from "../session/parameterError.ts";
import { recentDistinctSessions } from "./candidates.ts";
import { fitInventory, MAX_INVENTORY_CHARS } from "./fitInventory.ts";
import { type Collections, readInventory } from "./inventory.ts";
import { demandOf, packMessages } from "./pack.ts";
import { findRoot, membershipOf } from "./repository.ts";
import { fairShares } from "./share.ts";
import type { RegisteredSkill } from "./skillRegistry.ts";
import { readTexts, type SessionTexts } from "./texts.ts";

const MAX_NAME_CHARS = 200;
/** No working directory, path or time that means something is longer. */
const MAX_FACT_CHARS = 1_000;
const MAX_ERROR_CHARS = 300;

/** What is known of the store after one pass to bring it up to date. */
export interface FreshSessions {
  /** In any order; those that may not be seen may be among them. */
  readonly sessions: readonly SessionFacts[];
  readonly walkComplete: boolean;
  /** Files that are not up to date, of those that may be seen. */
  readonly backlogRemaining: number;
}

export interface PrepareDeps {
  /** Roots, allowlist, current session and signal. */
  readonly store: StoreOptions;
  /** Absolute: the running session's working directory. */
  readonly cwd: string;
  /** Of Pi's effective command registry; none where there is no Pi. */
  readonly skills: readonly RegisteredSkill[];
  /** Runs one sync pass and lists the sessions; throws when syncing fails as a whole. */
  readonly freshSessions: () => Promise<FreshSessions>;
}

/**
 * @throws ParameterError for repository scope outside of Git, before anything else is looked at
 * @throws Error for repository scope with an unavailable inventory, a failed sync, and metadata beyond the bound
 */
export async function prepare(query: PrepareQuery, deps: PrepareDeps): Promise<PrepareOutput> {
  const { store } = deps;
  const project = await findProject(query, deps);
  const { sessions, walkComplete, backlogRemaining } = await deps.freshSessions();
  throwIfAborted(store.signal);
  const isAllowed = accessTestOf(store.allowedProjects);
  const isMember =
    query.scope === "all" || project.root === undefined ? () => true : membershipOf(project.root);
  const chosen = recentDistinctSessions(sessions, {
    // What is known may be older than the files, so within bounds these are asked once more.
    isInScope: (session) => isMember(session.cwd) && isReachable(session.path, store),
    viewer: {
      isAllowed: isAllowed ?? (() => true),
      isBounded: isAllowed !== undefined,
      currentSessionPath: store.currentSessionPath,
    },
    limit: query.limit,
  });
  const read: ReadSession[] = [];
  for (const facts of chosen) read.push(await readSession(facts, store));
  const frame: Omit<PrepareOutput, "sessions" | "inventory" | "contentTruncated"> = {
    mode: "prepare-pattern-miner",
    scope: query.scope,
    ...(project.root === undefined ? {} : { projectRoot: project.root }),
    sync: { walkComplete, backlogRemaining, complete: walkComplete && backlogRemaining === 0 },
  };
  return fitOutput(frame, project.inventory, read);
}

// --- the repository ---

interface Project {
  readonly root?: string;
  readonly inventory: Collections | Exclude<RepositoryInventory, { readonly available: true }>;
}

async function findProject({ scope, projectPath }: PrepareQuery, deps: PrepareDeps): Promise<Project> {
  const { store, cwd, skills } = deps;
  const directory = path.resolve(cwd, projectPath ?? "");
  const found = await findRoot(directory, store.signal);
  const isAllowed = accessTestOf(store.allowedProjects);
  // Named by its root or by the directory in it that is worked in. Any other repository looks as if there were none.
  const isSeen = found.ok && (isAllowed === undefined || isAllowed(found.root) || isAllowed(directory));
  if (!found.ok || !isSeen) {
    if (scope === "all") return { inventory: { available: false, reason: "not-a-git-repository" } };
    const named = projectPath === undefined ? "the working directory" : "projectPath";
    const shown = shortenMiddle(directory, MAX_REPEATED_CHARS);
    const why = found.ok || isAllowed !== undefined ? "" : ` (${found.reason})`;
    throw new ParameterError(
      `${named} must lie in the work tree of a Git repository for scope "repository", got ${shown}${why}; scope "all" needs none`,
    );
  }
  const { root } = found;
  try {
    return { root, inventory: await readInventory(root, skills, store.signal) };
  } catch (error) {
    throwIfAborted(store.signal);
    if (scope === "all") return { root, inventory: { available: false, reason: "inventory-failed" } };
    throw new Error(`the inventory of the repository is not available: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

// --- the sessions ---

interface ReadSession {
  /** Everything but the messages. */
  readonly citation: Omit<PreparedSession, "messages">;
  readonly texts: SessionTexts;
}

async function readSession(facts: SessionFacts, store: StoreOptions): Promise<ReadSession> {
  const { path: sessionPath, cwd, startedAt, name, parentSessionPath } = facts;
  const citation = {
    path: sessionPath,
    cwd: cwd === null ? null : shortenMiddle(cwd, MAX_FACT_CHARS),
    startedAt: startedAt === null ? null : shortenMiddle(startedAt, MAX_FACT_CHARS),
    ...(name === undefined ? {} : { name: cutWithEllipsis(name, MAX_NAME_CHARS) }),
    ...(parentSessionPath === undefined
      ? {}
      : { parentSessionPath: shortenMiddle(parentSessionPath, MAX_FACT_CHARS) }),
  };
  try {
    return { citation, texts: await readTexts(sessionPath, store, MAX_RESULT_CHARS) };
  } catch (error) {
    throwIfAborted(store.signal);
    const reason = shortenMiddle(messageOf(error), MAX_ERROR_CHARS);
    return { citation: { ...citation, error: reason }, texts: { messages: [], total: 0 } };
  }
}

// --- the bound ---

function fitOutput(
  frame: Omit<PrepareOutput, "sessions" | "inventory" | "contentTruncated">,
  inventory: Project["inventory"],
  read: readonly ReadSession[],
): PrepareOutput {
  const marks = { messages: [], truncated: true, contentTruncated: true } as const;
  const citations = read.map(({ citation }) => ({ ...citation, ...marks }));
  const bare = jsonLengthOf({ ...frame, sessions: citations, inventory: {}, contentTruncated: true });
  const fitted =
    "available" in inventory
      ? inventory
      : fitInventory(inventory, Math.min(MAX_INVENTORY_CHARS, MAX_RESULT_CHARS - bare));
  const room = MAX_RESULT_CHARS - bare - jsonLengthOf(fitted);
  const demands = read.map(({ texts }) => demandOf(texts));
  const shares = fairShares(demands, room);
  const sessions = read.map(({ citation, texts }, i): PreparedSession => {
    const { messages, truncated, contentTruncated } = packMessages(texts, shares[i] ?? 0);
    return {
      ...citation,
      messages,
      ...(truncated ? { truncated } : {}),
      ...(contentTruncated ? { contentTruncated } : {}),
    };
  });
  const isShortened = sessions.some(({ contentTruncated }) => contentTruncated);
  const output: PrepareOutput = {
    ...frame,
    sessions,
    inventory: fitted,
    ...(isShortened ? { contentTruncated: true } : {}),
  };
  if (jsonLengthOf(output) <= MAX_RESULT_CHARS) return output;
  throw new Error(
    `the sessions do not fit into ${MAX_RESULT_CHARS} characters even without any text; ask for less (limit)`,
  );
}
