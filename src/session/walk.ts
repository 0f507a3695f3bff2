/**
 * Finds the session files under the roots and nests subagent transcripts by their containers. Knows names and
 * directories only: `visit` decides what a file is worth. Symlinks inside a root are
 * not followed. One class past the usual length, because every step needs the root and the warnings.
 */
import { type Dirent, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import type { ListSessionsWarning } from "../model.ts";
import { messageOf } from "./json.ts";
import {
  isPiSessionName,
  isProjectDirectoryName,
  isSessionName,
  isTranscriptName,
  join,
  stemOf,
} from "./names.ts";
import type { Pace } from "./pace.ts";

/** A session file that `visit` accepted, with the accepted transcripts launched from it. */
export interface Found<T extends object> {
  readonly path: string;
  readonly value: T;
  readonly children: Found<T>[];
}

export const HIDDEN = Symbol("hidden");

/**
 * Judges one file: its value; undefined when it is refused, which must be said in a warning; `HIDDEN` when it is to
 * look, with all that was launched from it, as if it did not exist.
 */
export type Visit<T extends object> = (
  filePath: string,
  warn: Warn,
  directory: VisitedDirectory,
  name: string,
) => T | undefined | typeof HIDDEN;

export interface WalkRequest<T extends object> {
  readonly roots: readonly string[];
  /** Also visit transcripts whose launching session is missing or was refused. */
  readonly includeOrphans: boolean;
  readonly visit: Visit<T>;
  /** True when not everything may be seen: nothing is warned about that no accepted session vouches for. */
  readonly isBounded?: boolean;
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

export interface WalkResult<T extends object> {
  readonly sessions: readonly Found<T>[];
  /** The outermost orphans; empty unless asked for. */
  readonly orphans: readonly Found<T>[];
  readonly warnings: readonly ListSessionsWarning[];
  /** Paths of the project directories that were passed over. */
  readonly skippedProjects: readonly string[];
}

export type Warn = (path: string, reason: string) => void;

/** Copies that a subagent extension leaves beside the sessions: neither sessions nor children. */
const ARTIFACTS_DIRECTORY = "subagent-artifacts";
/** Files between two looks at the clock, a power of two: reading a header takes some 15 µs. */
const FILES_PER_CLOCK = 16;

export async function walkSessions<T extends object>(request: WalkRequest<T>): Promise<WalkResult<T>> {
  const walk = new Walk(request);
  // A root inside another comes after it, so that a transcript stays with the session that launched it.
  const roots = request.roots.map((root) => ({ root, real: realPathOf(root) }));
  roots.sort((a, b) => a.real.length - b.real.length);
  for (const { root, real } of roots) await walk.root(root, real);
  return walk;
}

/** What the files of one directory were found to be. */
interface Visited<T extends object> {
  readonly found: Found<T>[];
  /** Stems of hidden files: what lies in their containers is hidden too. */
  readonly hiddenStems: Set<string>;
}

class Walk<T extends object> implements WalkResult<T> {
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

  async root(root: string, real: string): Promise<void> {
    const entries = await this.#read(root, "sessions root", true);
    if (entries === undefined) return;
    this.#root = { spelling: root, real };
    const projects = entries.filter((entry) => isProjectDirectoryName(entry.name) && entry.isDirectory());
    if (projects.length === 0 && entries.some((entry) => isPiSessionName(entry.name) && entry.isFile())) {
      await this.#project(root, entries);
      return;
    }
    for (const project of projects) {
      const directory = join(root, project.name);
      if (this.#request.isProjectSkipped?.(project.name)) {
        this.skippedProjects.push(directory);
        continue;
      }
      const content = await this.#read(directory, "project directory", false);
      if (content !== undefined) await this.#project(directory, content);
    }
  }

  async #project(directory: string, entries: readonly Dirent[]): Promise<void> {
    const { found, hiddenStems } = await this.#visitAll(entries, isSessionName, directory, false);
    for (const session of found) this.sessions.push(session);
    const subdirectories = entries.filter((entry) => entry.isDirectory());
    const ownerOf = subdirectories.length > 0 ? byStem(found) : undefined;
    for (const { name } of subdirectories) {
      const owner = ownerOf?.get(name);
      const isOrphanage =
        this.#request.includeOrphans && name !== ARTIFACTS_DIRECTORY && !hiddenStems.has(name);
      if (owner === undefined && !isOrphanage) continue;
      await this.#container(join(directory, name), owner?.children ?? this.orphans);
    }
  }

  /** Transcripts at any depth below `directory` join `siblings`, unless a deeper container claims them. */
  async #container(directory: string, siblings: Found<T>[]): Promise<void> {
    const entries = await this.#read(directory, "container directory", siblings !== this.orphans);
    if (entries === undefined) return;
    const { found, hiddenStems } = await this.#visitAll(entries, isTranscriptName, directory, true);
    for (const session of found) siblings.push(session);
    const ownerOf = byStem(found);
    for (const entry of entries) {
      if (!entry.isDirectory() || hiddenStems.has(entry.name)) continue;
      await this.#container(join(directory, entry.name), ownerOf.get(entry.name)?.children ?? siblings);
    }
  }

  async #visitAll(
    entries: readonly Dirent[],
    isWanted: (name: string) => boolean,
    directory: string,
    isContainer: boolean,
  ): Promise<Visited<T>> {
    const visited: Visited<T> = { found: [], hiddenStems: new Set() };
    const place = { root: this.#root.spelling, path: join(directory, ""), isContainer };
    let at = 0;
    while (at < entries.length) {
      at = this.#visitUntilRest(entries, at, isWanted, place, visited);
      if (at < entries.length) await this.#request.pace.rest();
    }
    return visited;
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
    { found, hiddenStems }: Visited<T>,
  ): number {
    const { visit, pace } = this.#request;
    const warn = this.#warn;
    for (let at = from; at < entries.length; at++) {
      const entry = entries[at];
      if (entry === undefined || !isWanted(entry.name) || !entry.isFile()) continue;
      const filePath = place.path + entry.name;
      if (this.#seen !== undefined && this.#isSeen(filePath, this.#seen)) continue;
      const value = visit(filePath, warn, place, entry.name);
      if (value === HIDDEN) hiddenStems.add(stemOf(entry.name));
      else if (value !== undefined) found.push({ path: filePath, value, children: [] });
      if ((at & (FILES_PER_CLOCK - 1)) === 0 && pace.isDue()) return at + 1;
    }
    return entries.length;
  }

  /** True when another root has led to this file already. */
  #isSeen(filePath: string, seen: Set<string>): boolean {
    const real = join(this.#root.real, path.relative(this.#root.spelling, filePath));
    if (seen.has(real)) return true;
    seen.add(real);
    return false;
  }

  /** `isVouchedFor`: the root itself, or the container of an accepted session. */
  async #read(
    directory: string,
    kind: DirectoryKind,
    isVouchedFor: boolean,
  ): Promise<readonly Dirent[] | undefined> {
    const { pace, isBounded = false } = this.#request;
    if (pace.isDue()) await pace.rest(); // directories without a transcript take time as well
    const isSilent = isBounded && !isVouchedFor;
    try {
      const entries = readdirSync(directory, { withFileTypes: true });
      if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return entries;
      return this.#readable(directory, kind, isSilent || (isBounded && kind === "sessions root"));
    } catch (error) {
      if (!isSilent) this.#warn(directory, `${kind} not readable: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** The entries whose names are text. A name in other bytes cannot be spelled as a path: it is warned about. */
  #readable(directory: string, kind: DirectoryKind, isSilent: boolean): readonly Dirent[] {
    const names = new Set<string>();
    for (const entry of readdirSync(directory, { encoding: "buffer", withFileTypes: true })) {
      const name = entry.name.toString();
      if (Buffer.from(name).equals(entry.name)) names.add(name);
      else if (!isSilent && this.#isLookedAt(entry, name, kind)) {
        this.#warn(directory, `name is not UTF-8 and is passed over: ${entry.name.toString("latin1")}`);
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
        return entry.isDirectory() ? isProjectDirectoryName(name) : entry.isFile() && isPiSessionName(name);
      case "project directory":
        return entry.isDirectory() ? this.#request.includeOrphans : entry.isFile() && isSessionName(name);
      case "container directory":
        return entry.isDirectory() || (entry.isFile() && isTranscriptName(name));
    }
  }
}

type DirectoryKind = "sessions root" | "project directory" | "container directory";

/** Stands in a name for bytes that are no text; it may also be a part of the name itself. */
const REPLACEMENT = "\ufffd";

function byStem<T extends object>(found: readonly Found<T>[]): ReadonlyMap<string, Found<T>> {
  return new Map(found.map((session) => [stemOf(path.basename(session.path)), session]));
}

function realPathOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root; // gone since it was read; its spelling still tells files apart
  }
}
