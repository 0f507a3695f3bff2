/**
 * Finds the session files under the roots and nests subagent transcripts by their containers. Knows names and
 * directories only: `visit` decides what a file is worth. Symlinks inside a root are not followed.
 */
import { type Dirent, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import type { ListSessionsWarning } from "../model.ts";
import { messageOf } from "./json.ts";
import type { Pace } from "./pace.ts";

/** A session file that `visit` accepted, with the accepted transcripts launched from it. */
export interface Found<T> {
  readonly path: string;
  readonly value: T;
  readonly children: Found<T>[];
}

export interface WalkRequest<T> {
  readonly roots: readonly string[];
  /** Also visit transcripts whose launching session is missing or was refused. */
  readonly includeOrphans: boolean;
  /** Judges one file. Refusing must say why, as a warning. */
  readonly visit: (filePath: string, warn: Warn, directory: VisitedDirectory, name: string) => T | undefined;
  /** True for the name of a project directory that is passed over, with all that is in it. Default none. */
  readonly isProjectSkipped?: (name: string) => boolean;
  readonly pace: Pace;
}

/** Where a visited file lies. One object per directory, so that it serves as a key. */
export interface VisitedDirectory {
  /** In the caller's spelling. */
  readonly root: string;
  /** Ends in a separator: with a name it is the file's path. */
  readonly path: string;
  /** True below a session's container. */
  readonly isContainer: boolean;
}

export interface WalkResult<T> {
  readonly sessions: readonly Found<T>[];
  /** The outermost orphans; empty unless asked for. */
  readonly orphans: readonly Found<T>[];
  readonly warnings: readonly ListSessionsWarning[];
  /** Paths of the project directories that were passed over. */
  readonly skippedProjects: readonly string[];
}

export type Warn = (path: string, reason: string) => void;

const PROJECT_DIRECTORY = /^--.*--$/s;
/** How Pi names a session file: `<ISO time with dashes>_<id>.jsonl`. */
const SESSION_FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_.+\.jsonl$/s;
const SUBAGENT_FILE = "session.jsonl";
/** Copies that a subagent extension leaves beside the sessions: neither sessions nor children. */
const ARTIFACTS_DIRECTORY = "subagent-artifacts";
const EXTENSION = ".jsonl";
/** Files between two looks at the clock, a power of two: reading a header takes some 15 µs. */
const FILES_PER_CLOCK = 16;

export function isProjectDirectoryName(name: string): boolean {
  return name.length >= 4 && PROJECT_DIRECTORY.test(name);
}

export function isTranscriptName(name: string): boolean {
  return name === SUBAGENT_FILE || SESSION_FILE.test(name);
}

export async function walkSessions<T>(request: WalkRequest<T>): Promise<WalkResult<T>> {
  const walk = new Walk(request);
  for (const root of request.roots) await walk.root(root);
  return walk;
}

class Walk<T> implements WalkResult<T> {
  readonly sessions: Found<T>[] = [];
  readonly orphans: Found<T>[] = [];
  readonly warnings: ListSessionsWarning[] = [];
  readonly skippedProjects: string[] = [];
  readonly #request: WalkRequest<T>;
  /** Real paths of visited files; kept only when roots could overlap. No link below a root is followed. */
  readonly #seen: Set<string> | undefined;
  #root = { spelling: "", real: "" };
  readonly #warn: Warn = (at, reason) => this.warnings.push({ path: at, reason });

  constructor(request: WalkRequest<T>) {
    this.#request = request;
    this.#seen = request.roots.length > 1 ? new Set() : undefined;
  }

  async root(root: string): Promise<void> {
    let entries: Dirent[];
    try {
      entries = readdirSync(root, { withFileTypes: true });
    } catch (error) {
      this.#warn(root, `sessions root not readable: ${messageOf(error)}`);
      return;
    }
    this.#root = { spelling: root, real: realPathOf(root) };
    const projects = entries.filter((entry) => entry.isDirectory() && isProjectDirectoryName(entry.name));
    if (projects.length === 0 && entries.some((entry) => entry.isFile() && SESSION_FILE.test(entry.name))) {
      await this.#project(root, entries);
      return;
    }
    for (const project of projects) {
      const directory = join(root, project.name);
      if (this.#request.isProjectSkipped?.(project.name)) {
        this.skippedProjects.push(directory);
        continue;
      }
      const content = this.#read(directory, "project");
      if (content !== undefined) await this.#project(directory, content);
    }
  }

  async #project(directory: string, entries: readonly Dirent[]): Promise<void> {
    const found = await this.#visitAll(entries, isSessionName, this.#placeOf(directory, false));
    for (const session of found) this.sessions.push(session);
    const subdirectories = entries.filter((entry) => entry.isDirectory());
    const ownerOf = subdirectories.length > 0 ? byStem(found) : undefined;
    for (const { name } of subdirectories) {
      const owner = ownerOf?.get(name);
      const isOrphanage = this.#request.includeOrphans && name !== ARTIFACTS_DIRECTORY;
      if (owner === undefined && !isOrphanage) continue;
      await this.#container(join(directory, name), owner?.children ?? this.orphans);
    }
  }

  /** Transcripts at any depth below `directory` join `siblings`, unless a deeper container claims them. */
  async #container(directory: string, siblings: Found<T>[]): Promise<void> {
    const entries = this.#read(directory, "container");
    if (entries === undefined) return;
    const found = await this.#visitAll(entries, isTranscriptName, this.#placeOf(directory, true));
    for (const session of found) siblings.push(session);
    const ownerOf = byStem(found);
    for (const entry of entries) {
      if (!entry.isDirectory()) continue;
      await this.#container(join(directory, entry.name), ownerOf.get(entry.name)?.children ?? siblings);
    }
  }

  #placeOf(directory: string, isContainer: boolean): VisitedDirectory {
    return { root: this.#root.spelling, path: join(directory, ""), isContainer };
  }

  async #visitAll(
    entries: readonly Dirent[],
    isWanted: (name: string) => boolean,
    place: VisitedDirectory,
  ): Promise<readonly Found<T>[]> {
    const found: Found<T>[] = [];
    let at = 0;
    while (at < entries.length) {
      at = this.#visitUntilRest(entries, at, isWanted, place, found);
      if (at < entries.length) await this.#request.pace.rest();
    }
    return found;
  }

  /**
   * The first entry not looked at yet. Not asynchronous: such loops are not compiled well enough, and with ten
   * thousand files that costs a third of the walk.
   */
  #visitUntilRest(
    entries: readonly Dirent[],
    from: number,
    isWanted: (name: string) => boolean,
    place: VisitedDirectory,
    found: Found<T>[],
  ): number {
    const { visit, pace } = this.#request;
    const warn = this.#warn;
    for (let at = from; at < entries.length; at++) {
      const entry = entries[at];
      if (entry === undefined || !isWanted(entry.name) || !entry.isFile()) continue;
      const filePath = place.path + entry.name;
      if (this.#seen !== undefined && this.#isSeen(filePath, this.#seen)) continue;
      const value = visit(filePath, warn, place, entry.name);
      if (value !== undefined) found.push({ path: filePath, value, children: [] });
      if ((at & (FILES_PER_CLOCK - 1)) === 0 && pace.isDue()) return at + 1;
    }
    return entries.length;
  }

  /** True when another root has led to this file already. */
  #isSeen(filePath: string, seen: Set<string>): boolean {
    const real = this.#root.real + filePath.slice(this.#root.spelling.length);
    if (seen.has(real)) return true;
    seen.add(real);
    return false;
  }

  #read(directory: string, kind: "project" | "container"): Dirent[] | undefined {
    try {
      return readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      this.#warn(directory, `${kind} directory not readable: ${messageOf(error)}`);
      return undefined;
    }
  }
}

function join(directory: string, name: string): string {
  return directory.endsWith(path.sep) ? directory + name : directory + path.sep + name;
}

function byStem<T>(found: readonly Found<T>[]): ReadonlyMap<string, Found<T>> {
  return new Map(found.map((session) => [stemOf(path.basename(session.path)), session]));
}

function isSessionName(name: string): boolean {
  return name.endsWith(EXTENSION);
}

function stemOf(fileName: string): string {
  return fileName.slice(0, -EXTENSION.length);
}

function realPathOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root; // gone since it was read; its spelling still tells files apart
  }
}
