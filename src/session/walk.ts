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

/**
 * What a file is worth: a session; refused, which `visit` has said in a warning; or hidden with all that was launched
 * from it, as if it did not exist.
 */
export type Visit<T> =
  | { readonly kind: "session"; readonly value: T }
  | { readonly kind: "refused" }
  | { readonly kind: "hidden" };

export interface WalkRequest<T> {
  readonly roots: readonly string[];
  /** Also visit transcripts whose launching session is missing or was refused. */
  readonly includeOrphans: boolean;
  readonly visit: (filePath: string, warn: Warn) => Visit<T>;
  /** True when the caller may not see everything: what no visible session vouches for is not warned about. */
  readonly isBounded: boolean;
  readonly pace: Pace;
}

export interface WalkResult<T> {
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
      const content = await this.#read(directory, "project", !this.#request.isBounded);
      if (content !== undefined) await this.#project(directory, content);
    }
  }

  async #project(directory: string, entries: readonly Dirent[]): Promise<void> {
    const orphanDirectories = new Set<string>();
    for (const entry of entries) if (entry.isDirectory()) orphanDirectories.add(entry.name);
    for (const entry of entries) {
      if (!entry.isFile() || !entry.name.endsWith(EXTENSION)) continue;
      const stem = stemOf(entry.name);
      const session = await this.#visit(join(directory, entry.name));
      if (session === "hidden") orphanDirectories.delete(stem);
      if (session === "hidden" || session === "refused") continue;
      this.sessions.push(session);
      if (orphanDirectories.delete(stem)) await this.#container(join(directory, stem), session.children);
    }
    if (!this.#request.includeOrphans) return;
    orphanDirectories.delete(ARTIFACTS_DIRECTORY);
    for (const name of orphanDirectories) await this.#container(join(directory, name), this.orphans);
  }

  /** Transcripts at any depth below `directory` join `siblings`, unless a deeper container claims them. */
  async #container(directory: string, siblings: Found<T>[]): Promise<void> {
    const isVouchedFor = !this.#request.isBounded || siblings !== this.orphans;
    const entries = await this.#read(directory, "container", isVouchedFor);
    if (entries === undefined) return;
    const ownerOf = new Map<string, Found<T>[] | "hidden">();
    for (const entry of entries) {
      if (!entry.isFile() || !isTranscriptName(entry.name)) continue;
      const session = await this.#visit(join(directory, entry.name));
      if (session === "hidden") ownerOf.set(stemOf(entry.name), "hidden");
      if (session === "hidden" || session === "refused") continue;
      siblings.push(session);
      ownerOf.set(stemOf(entry.name), session.children);
    }
    for (const entry of entries) {
      if (!entry.isDirectory()) continue;
      const owner = ownerOf.get(entry.name) ?? siblings;
      if (owner !== "hidden") await this.#container(join(directory, entry.name), owner);
    }
  }

  async #visit(filePath: string): Promise<Found<T> | "refused" | "hidden"> {
    const { pace } = this.#request;
    if (pace.isDue()) await pace.rest();
    if (this.#seen !== undefined) {
      const real = this.#root.real + filePath.slice(this.#root.spelling.length);
      if (this.#seen.has(real)) return "refused";
      this.#seen.add(real);
    }
    const visit = this.#request.visit(filePath, this.#warn);
    return visit.kind === "session" ? { path: filePath, value: visit.value, children: [] } : visit.kind;
  }

  async #read(
    directory: string,
    kind: "project" | "container",
    isVouchedFor: boolean,
  ): Promise<Dirent[] | undefined> {
    const { pace } = this.#request;
    if (pace.isDue()) await pace.rest(); // directories without a transcript take time as well
    try {
      return readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      if (isVouchedFor) this.#warn(directory, `${kind} directory not readable: ${messageOf(error)}`);
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
