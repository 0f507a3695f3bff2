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
export interface Found<T extends object> {
  readonly path: string;
  readonly value: T;
  readonly children: Found<T>[];
}

export const HIDDEN = Symbol("hidden");

export interface WalkRequest<T extends object> {
  readonly roots: readonly string[];
  /** Also visit transcripts whose launching session is missing or was refused. */
  readonly includeOrphans: boolean;
  /**
   * Judges one file: its value; undefined when it is refused, which must be said in a warning; `HIDDEN` when it is to
   * look, with all that was launched from it, as if it did not exist.
   */
  readonly visit: (filePath: string, warn: Warn) => T | undefined | typeof HIDDEN;
  /** True when not everything may be seen: nothing is warned about that no accepted session vouches for. */
  readonly isBounded?: boolean;
  readonly pace: Pace;
}

export interface WalkResult<T extends object> {
  readonly sessions: readonly Found<T>[];
  /** The outermost orphans; empty unless asked for. */
  readonly orphans: readonly Found<T>[];
  readonly warnings: readonly ListSessionsWarning[];
}

export type Warn = (path: string, reason: string) => void;

const PROJECT_DIRECTORY = /^--.*--$/s;
/** How Pi names a session file: `<ISO time with dashes>_<id>.jsonl`. */
const SESSION_FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_.+\.jsonl$/s;
const SUBAGENT_FILE = "session.jsonl";
/** Copies that a subagent extension leaves beside the sessions: neither sessions nor children. */
const ARTIFACTS_DIRECTORY = "subagent-artifacts";
const EXTENSION = ".jsonl";
/** Stands in a name for bytes that are no text; it may also be a part of the name itself. */
const REPLACEMENT = "\ufffd";

export function isProjectDirectoryName(name: string): boolean {
  return name.length >= 4 && PROJECT_DIRECTORY.test(name);
}

export function isTranscriptName(name: string): boolean {
  return name === SUBAGENT_FILE || SESSION_FILE.test(name);
}

export async function walkSessions<T extends object>(request: WalkRequest<T>): Promise<WalkResult<T>> {
  const walk = new Walk(request);
  // A root inside another comes after it, so that a transcript stays with the session that launched it.
  const roots = request.roots.map((root) => ({ root, real: realPathOf(root) }));
  roots.sort((a, b) => a.real.length - b.real.length);
  for (const { root, real } of roots) await walk.root(root, real);
  return walk;
}

class Walk<T extends object> implements WalkResult<T> {
  readonly sessions: Found<T>[] = [];
  readonly orphans: Found<T>[] = [];
  readonly warnings: ListSessionsWarning[] = [];
  readonly #request: WalkRequest<T>;
  /** Real paths of visited files; kept only when roots could overlap. No link below a root is followed. */
  readonly #seen: Set<string> | undefined;
  #root = { spelling: "", real: "" };
  readonly #warn: Warn = (at, reason) => this.warnings.push({ path: at, reason });

  constructor(request: WalkRequest<T>) {
    this.#request = request;
    this.#seen = request.roots.length > 1 ? new Set() : undefined;
  }

  async root(root: string, real: string): Promise<void> {
    const entries = await this.#read(root, "sessions root");
    if (entries === undefined) return;
    this.#root = { spelling: root, real };
    const projects = entries.filter((entry) => entry.isDirectory() && isProjectDirectoryName(entry.name));
    if (projects.length === 0 && entries.some((entry) => entry.isFile() && SESSION_FILE.test(entry.name))) {
      await this.#project(root, entries);
      return;
    }
    for (const project of projects) {
      const directory = join(root, project.name);
      const content = await this.#read(directory, "project directory");
      if (content !== undefined) await this.#project(directory, content);
    }
  }

  async #project(directory: string, entries: readonly Dirent[]): Promise<void> {
    const { pace } = this.#request;
    const orphanDirectories = new Set<string>();
    for (const entry of entries) if (entry.isDirectory()) orphanDirectories.add(entry.name);
    for (const entry of entries) {
      if (!entry.isFile() || !entry.name.endsWith(EXTENSION)) continue;
      if (pace.isDue()) await pace.rest();
      const stem = stemOf(entry.name);
      const session = this.#visit(join(directory, entry.name));
      if (session === HIDDEN) orphanDirectories.delete(stem);
      if (session === HIDDEN || session === undefined) continue;
      this.sessions.push(session);
      if (orphanDirectories.delete(stem)) await this.#container(join(directory, stem), session.children);
    }
    if (!this.#request.includeOrphans) return;
    orphanDirectories.delete(ARTIFACTS_DIRECTORY);
    for (const name of orphanDirectories) await this.#container(join(directory, name), this.orphans);
  }

  /** Transcripts at any depth below `directory` join `siblings`, unless a deeper container claims them. */
  async #container(directory: string, siblings: Found<T>[]): Promise<void> {
    const entries = await this.#read(directory, "container directory", siblings !== this.orphans);
    if (entries === undefined) return;
    const { pace } = this.#request;
    const ownerOf = new Map<string, Found<T>[] | typeof HIDDEN>();
    for (const entry of entries) {
      if (!entry.isFile() || !isTranscriptName(entry.name)) continue;
      if (pace.isDue()) await pace.rest();
      const session = this.#visit(join(directory, entry.name));
      if (session === HIDDEN) ownerOf.set(stemOf(entry.name), HIDDEN);
      if (session === HIDDEN || session === undefined) continue;
      siblings.push(session);
      ownerOf.set(stemOf(entry.name), session.children);
    }
    for (const entry of entries) {
      if (!entry.isDirectory()) continue;
      const owner = ownerOf.get(entry.name) ?? siblings;
      if (owner !== HIDDEN) await this.#container(join(directory, entry.name), owner);
    }
  }

  #visit(filePath: string): Found<T> | undefined | typeof HIDDEN {
    if (this.#seen !== undefined) {
      const real = join(this.#root.real, path.relative(this.#root.spelling, filePath));
      if (this.#seen.has(real)) return undefined;
      this.#seen.add(real);
    }
    const value = this.#request.visit(filePath, this.#warn);
    return value === undefined || value === HIDDEN ? value : { path: filePath, value, children: [] };
  }

  /** `isVouchedFor` says that an accepted session owns the directory. */
  async #read(
    directory: string,
    kind: DirectoryKind,
    isVouchedFor = kind === "sessions root",
  ): Promise<readonly Dirent[] | undefined> {
    const { pace, isBounded = false } = this.#request;
    const warn: Warn = isVouchedFor || !isBounded ? this.#warn : () => undefined;
    if (pace.isDue()) await pace.rest(); // directories without a transcript take time as well
    try {
      const entries = readdirSync(directory, { withFileTypes: true });
      return entries.some(({ name }) => name.includes(REPLACEMENT))
        ? this.#readable(directory, kind, isBounded && kind === "sessions root" ? () => undefined : warn)
        : entries;
    } catch (error) {
      warn(directory, `${kind} not readable: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** The entries whose names are text. A name in other bytes cannot be spelled as a path: it is warned about. */
  #readable(directory: string, kind: DirectoryKind, warn: Warn): readonly Dirent[] {
    const names = new Set<string>();
    for (const entry of readdirSync(directory, { encoding: "buffer", withFileTypes: true })) {
      const name = entry.name.toString();
      if (Buffer.from(name).equals(entry.name)) names.add(name);
      else if (this.#isLookedAt(entry, name, kind)) {
        warn(directory, `name is not UTF-8 and is passed over: ${entry.name.toString("latin1")}`);
      }
    }
    const seen = new Set<string>();
    return readdirSync(directory, { withFileTypes: true }).filter(({ name }) => {
      const isFirst = !seen.has(name);
      seen.add(name);
      return isFirst && names.has(name);
    });
  }

  /** What discovery leaves out whatever its name costs no warning. */
  #isLookedAt(entry: Dirent<Buffer>, name: string, kind: DirectoryKind): boolean {
    switch (kind) {
      case "sessions root":
        return entry.isDirectory() ? isProjectDirectoryName(name) : entry.isFile() && SESSION_FILE.test(name);
      case "project directory":
        return entry.isDirectory()
          ? this.#request.includeOrphans
          : entry.isFile() && name.endsWith(EXTENSION);
      case "container directory":
        return entry.isDirectory() || (entry.isFile() && isTranscriptName(name));
    }
  }
}

type DirectoryKind = "sessions root" | "project directory" | "container directory";

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
