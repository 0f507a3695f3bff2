/** What the extension does inside a running Pi. Loaded when a session starts or a tool is called, not with the extension. */
import path from "node:path";
import type { BackgroundEvent } from "../index/protocol.ts";
import { type RegisteredCommand, registeredSkills } from "../mining/skillRegistry.ts";
import type { SessionSearchParams, StoreOptions } from "../model.ts";
import { isStrictlyInside, requireRoots } from "../session/store.ts";
import { agentDirOf, indexPathOf, sessionsRootOf } from "./agentDir.ts";
import {
  listSessionsExecutor,
  type SearchPlace,
  sessionEntriesExecutor,
  sessionSearchExecutor,
} from "./execute.ts";
import { leftOutNote } from "./leftOut.ts";
import { indexStatusText } from "./recall/indexStatus.ts";
import { type AnswerForPeople, runSearch } from "./search.ts";
import { indexSettingsOf, requireAllowedProjects } from "./settings.ts";
import { createSearchClient, type SearchClient, workerEngine } from "./workerEngine.ts";

/** The part of Pi's extension context that tells about the running session. An SDK host may pass none of it. */
export interface HostContext {
  readonly cwd?: string;
  readonly hasUI?: boolean;
  readonly ui?: { setStatus(key: string, text: string | undefined): void };
  readonly sessionManager?: {
    getSessionDir(): string;
    getSessionFile(): string | undefined;
  };
}

/** After a session has started, so that the start itself is not slowed down. */
const BACKGROUND_DELAY_MS = 1_000;
const STATUS_KEY = "pi-retrospect";
const PALETTE_SYNC_AGE_MS = 5_000;

/** The default root and, when it lies outside, the running session's directory. Asked at each call, never cached. */
export function hostStoreOf(agentDir: string, context: HostContext | undefined): StoreOptions {
  const sessionsRoot = path.resolve(sessionsRootOf(agentDir));
  const directory = context?.sessionManager?.getSessionDir();
  const isElsewhere =
    directory && path.resolve(directory) !== sessionsRoot && !isStrictlyInside(directory, sessionsRoot);
  return {
    sessionsRoot,
    additionalRoots: isElsewhere ? [directory] : [],
    currentSessionPath: context?.sessionManager?.getSessionFile(),
  };
}

export class Host {
  /** Pi's `getSettings`: asked at each call, because a user may change a bound at any time. */
  readonly #settings: () => unknown;
  /** Pi's `getCommands`: asked at each call, because skills come and go with `/reload`. */
  readonly #commands: () => readonly RegisteredCommand[];
  #client: SearchClient | undefined;
  #delay: NodeJS.Timeout | undefined;
  #context: HostContext | undefined;

  constructor(settings: () => unknown, commands: () => readonly RegisteredCommand[]) {
    this.#settings = settings;
    this.#commands = commands;
  }

  readonly listSessions = listSessionsExecutor((context: HostContext | undefined) => this.#store(context));
  readonly sessionEntries = sessionEntriesExecutor((context: HostContext | undefined) =>
    this.#store(context),
  );
  readonly sessionSearch = sessionSearchExecutor((context: HostContext | undefined) => this.#place(context));

  /** For the palette, which asks at each key: a sync of the last moments serves for the next ones. */
  async recall(
    params: SessionSearchParams,
    signal: AbortSignal,
    context: HostContext,
  ): Promise<AnswerForPeople> {
    const { store, engine } = this.#place(context);
    const options = { ...store, signal, maxSyncAgeMs: PALETTE_SYNC_AGE_MS, forPeople: true };
    return runSearch(params, options, engine);
  }

  /** Which projects are not searched, as a sentence. */
  leftOut(context: HostContext): string | undefined {
    try {
      return leftOutNote(this.#store(context), indexSettingsOf(this.#settings).excludePrefixes);
    } catch {
      return undefined; // settings that cannot be used: the search tells
    }
  }

  /** Brings the index up to date in the background, a moment after the session has started. */
  start(context: HostContext): void {
    this.#context = context;
    const { enabled, background, excludePrefixes } = indexSettingsOf(this.#settings);
    clearTimeout(this.#delay);
    if (!enabled || !background) return;
    const roots = requireRoots(hostStoreOf(agentDirOf(process.env), context));
    this.#delay = setTimeout(() => {
      // A failure here is told by the next search, as a warning of its answer.
      this.#searchClient()
        .call("startBackground", { roots, excludePrefixes })
        .catch(() => this.#showStatus(undefined));
    }, BACKGROUND_DELAY_MS).unref();
  }

  /** Ends the worker. A later call starts it again. */
  async stop(): Promise<void> {
    clearTimeout(this.#delay);
    const client = this.#client;
    this.#client = undefined;
    this.#showStatus(undefined);
    this.#context = undefined;
    await client?.close();
  }

  #place(context: HostContext | undefined): SearchPlace {
    const { enabled, excludePrefixes } = indexSettingsOf(this.#settings);
    const skills = () => registeredSkills(this.#commands());
    const store = { ...this.#store(context), excludePrefixes, cwd: context?.cwd, skills };
    return { store, engine: workerEngine(this.#searchClient(), enabled) };
  }

  #store(context: HostContext | undefined): StoreOptions {
    const agentDir = agentDirOf(process.env);
    const allowedProjects = requireAllowedProjects(agentDir, this.#settings);
    return { ...hostStoreOf(agentDir, context), allowedProjects };
  }

  #searchClient(): SearchClient {
    const onBackground = (event: BackgroundEvent) => this.#showStatus(event);
    this.#client ??= createSearchClient(indexPathOf(agentDirOf(process.env)), onBackground);
    return this.#client;
  }

  #showStatus(event: BackgroundEvent | undefined): void {
    if (this.#context?.hasUI !== true) return;
    this.#context.ui?.setStatus(
      STATUS_KEY,
      event?.kind === "progress" ? indexStatusText(event.progress) : undefined,
    );
  }
}
