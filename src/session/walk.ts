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
  readonly visit: (filePath: string, warn: Warn, directory: VisitedDirectory) => T | undefined;
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
/** Files between two looks at the clock: reading a header takes some 15 µs. */
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
  #visits = 0;
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
    const place = this.#placeOf(directory, false);
    const orphanDirectories = new Set<string>();
    for (const entry of entries) if (entry.isDirectory()) orphanDirectories.add(entry.name);
    for (const entry of entries) {
      if (!entry.name.endsWith(EXTENSION) || !entry.isFile()) continue;
      if (this.#isRestDue()) await this.#request.pace.rest();
      const session = this.#visit(join(directory, entry.name), place);
      if (session === undefined) continue;
      this.sessions.push(session);
      const stem = stemOf(entry.name);
      if (orphanDirectories.delete(stem)) await this.#container(join(directory, stem), session.children);
    }
    if (!this.#request.includeOrphans) return;
    orphanDirectories.delete(ARTIFACTS_DIRECTORY);
    for (const name of orphanDirectories) await this.#container(join(directory, name), this.orphans);
  }

  /** Transcripts at any depth below `directory` join `siblings`, unless a deeper container claims them. */
  async #container(directory: string, siblings: Found<T>[]): Promise<void> {
    const entries = this.#read(directory, "container");
    if (entries === undefined) return;
    const place = this.#placeOf(directory, true);
    const ownerOf = new Map<string, Found<T>[]>();
    for (const entry of entries) {
      if (!entry.isFile() || !isTranscriptName(entry.name)) continue;
      if (this.#isRestDue()) await this.#request.pace.rest();
      const session = this.#visit(join(directory, entry.name), place);
      if (session === undefined) continue;
      siblings.push(session);
      ownerOf.set(stemOf(entry.name), session.children);
    }
    for (const entry of entries) {
      if (!entry.isDirectory()) continue;
      await this.#container(join(directory, entry.name), ownerOf.get(entry.name) ?? siblings);
    }
  }

  #placeOf(directory: string, isContainer: boolean): VisitedDirectory {
    return { root: this.#root.spelling, path: join(directory, ""), isContainer };
  }

  #isRestDue(): boolean {
    return ++this.#visits % FILES_PER_CLOCK === 0 && this.#request.pace.isDue();
  }

  /** Not asynchronous: ten thousand awaited calls would cost as much as the walk. */
  #visit(filePath: string, place: VisitedDirectory): Found<T> | undefined {
    if (this.#seen !== undefined) {
      const real = this.#root.real + filePath.slice(this.#root.spelling.length);
      if (this.#seen.has(real)) return undefined;
      this.#seen.add(real);
    }
    const value = this.#request.visit(filePath, this.#warn, place);
    return value === undefined ? undefined : { path: filePath, value, children: [] };
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
