/**
 * The way to a session file: roots, confinement, and the only places where one is opened, always read-only. A path
 * is opened only when its real path lies strictly inside the real path of a root, and only as a regular file.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import path from "node:path";
import type { StoreOptions } from "../model.ts";
import { MAX_REPEATED_CHARS, shortenMiddle } from "./cut.ts";
import { messageOf } from "./json.ts";
import { ParameterError } from "./parameterError.ts";

/**
 * A link or a pipe that took the file's place since the directory was read is not followed and not waited for.
 * Windows has neither flag.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface OpenFile {
  readonly fd: number;
  /** Size when it was opened, in bytes; what is appended later is not read. */
  readonly size: number;
}

/** The roots of a call as absolute paths, each once, in the caller's spelling and order. */
export function requireRoots(options: StoreOptions): readonly [string, ...string[]] {
  if (typeof options !== "object" || options === null) {
    throw new ParameterError("options must be an object with the property sessionsRoot");
  }
  const resolve = (root: unknown, name: string): string => {
    if (typeof root !== "string" || root === "" || root.includes("\0")) {
      throw new ParameterError(`options.${name} must be the path of a session directory`);
    }
    return path.resolve(root);
  };
  const additional = options.additionalRoots ?? [];
  if (!Array.isArray(additional))
    throw new ParameterError("options.additionalRoots must be an array of paths");
  const first = resolve(options.sessionsRoot, "sessionsRoot");
  const others = Array.from(additional, (root: unknown) => resolve(root, "additionalRoots"));
  const { currentSessionPath } = options;
  if (currentSessionPath !== undefined && typeof currentSessionPath !== "string") {
    throw new ParameterError("options.currentSessionPath must be a path");
  }
  return [first, ...new Set(others.filter((root) => root !== first))];
}

/**
 * Reads the first bytes of the file, as many as `buffer` holds, and returns how many there were. What is no regular file
 * cannot be read at a position: a pipe, a socket and a terminal refuse it, and so does a directory.
 */
export function readHead(filePath: string, buffer: Buffer): number {
  const fd = openSync(filePath, OPEN_FLAGS);
  try {
    return readSync(fd, buffer, 0, buffer.length, 0);
  } finally {
    closeSync(fd);
  }
}

/** Runs `use` on the file and closes it. Throws when it cannot be opened or is no regular file. */
export function withRegularFile<T>(filePath: string, use: (file: OpenFile) => T): T {
  const file = openRegularFile(filePath);
  try {
    return use(file);
  } finally {
    closeSync(file.fd);
  }
}

/** The caller closes the descriptor. */
export function openRegularFile(filePath: string): OpenFile {
  const fd = openSync(filePath, OPEN_FLAGS);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error(`not a regular file: ${filePath}`);
    return { fd, size: stat.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export class UnreadableRootError extends Error {
  override readonly name = "UnreadableRootError";
}

/**
 * Opens what a caller named, by its real path. A directory above it that was swapped for a link since the path was
 * resolved would lead elsewhere, so the open file must be the one at that path. The caller closes the descriptor.
 */
export function openConfinedFile(realPath: string): OpenFile {
  const file = openRegularFile(realPath);
  const isThere = attempt(() => isOpenAt(file.fd, realPath));
  if (isThere.ok && isThere.value) return file;
  closeSync(file.fd);
  throw new Error(`the file changed its place while it was opened: ${realPath}`);
}

function isOpenAt(fd: number, realPath: string): boolean {
  const link = attempt(() => readlinkSync(`/proc/self/fd/${fd}`));
  if (link.ok) return link.value === realPath;
  const [opened, found] = [fstatSync(fd), lstatSync(realPath)];
  return opened.ino === found.ino && opened.dev === found.dev && realpathSync(realPath) === realPath;
}

/** A session file that a caller named, found inside a root. */
export interface ConfinedPath {
  /** What to open. */
  readonly real: string;
  /** Real path of the root it lies in. */
  readonly realRoot: string;
}

/** Where a caller's path leads. Errors: an unreadable root, then a path outside, then a missing file. */
export function requireConfinedPath(
  sessionPath: string,
  roots: readonly string[],
  parameter = "sessionPath",
): ConfinedPath {
  const realRoots = roots.map((root) => ({ root, real: attempt(() => realPathOfReadableDirectory(root)) }));
  const real = attempt(() => realpathSync(sessionPath));
  if (real.ok) {
    for (const { real: realRoot } of realRoots) {
      if (realRoot.ok && isStrictlyInside(real.value, realRoot.value)) {
        return { real: real.value, realRoot: realRoot.value };
      }
    }
  }
  const unreadable = realRoots.find((root) => !root.real.ok);
  if (unreadable !== undefined && !unreadable.real.ok) {
    const isMeant = roots.length === 1 || isStrictlyInside(path.resolve(sessionPath), unreadable.root);
    if (isMeant || realRoots.every((root) => !root.real.ok)) {
      const { root, real: failed } = unreadable;
      throw new UnreadableRootError(`sessions root is not readable: ${root}: ${messageOf(failed.error)}`);
    }
  }
  throw real.ok
    ? outsideError(sessionPath, roots, parameter)
    : missingError(sessionPath, roots, parameter, withShortPath(messageOf(real.error), sessionPath));
}

/**
 * The error for a path that leads to no file. Judged by its spelling alone, and so is the error for a file that may
 * not be seen: without `reason` both are the same.
 */
export function missingError(
  sessionPath: string,
  roots: readonly string[],
  parameter: string,
  reason = `no such file: ${shortenMiddle(sessionPath, MAX_REPEATED_CHARS)}`,
): Error {
  const lexical = path.resolve(sessionPath);
  const spellings = roots.flatMap((root) => {
    const real = attempt(() => realpathSync(root));
    return real.ok ? [root, real.value] : [root];
  });
  if (!spellings.some((root) => isStrictlyInside(lexical, root))) {
    return outsideError(sessionPath, roots, parameter);
  }
  return new Error(`could not read session file: ${reason}`);
}

function outsideError(sessionPath: string, roots: readonly string[], parameter: string): ParameterError {
  const shown = shortenMiddle(sessionPath, MAX_REPEATED_CHARS);
  const expected = `expected a file inside ${roots.join(" or ")}`;
  return new ParameterError(`${parameter} is outside the sessions root: ${shown}; ${expected}`);
}

/** The system puts the path, or a part of it, behind its reason: `ENOENT: no such file or directory, lstat '/a/b'`. */
export function withShortPath(message: string, filePath: string): string {
  if (filePath.length <= MAX_REPEATED_CHARS) return message;
  return `${message.replace(/, \w+ '.*$/s, "")}: ${shortenMiddle(filePath, MAX_REPEATED_CHARS)}`;
}

function realPathOfReadableDirectory(directory: string): string {
  const real = realpathSync(directory);
  opendirSync(real).closeSync();
  return real;
}

export function isStrictlyInside(candidate: string, directory: string): boolean {
  const relative = path.relative(directory, candidate);
  return (
    relative !== "" &&
    relative !== ".." &&
    !relative.startsWith(`..${path.sep}`) &&
    !path.isAbsolute(relative)
  );
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function attempt<T>(run: () => T): Attempt<T> {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    return { ok: false, error };
  }
}

/** Whether its entries can be read now. */
export function isReadableDirectory(directory: string): boolean {
  try {
    readdirSync(directory);
    return true;
  } catch {
    return false;
  }
}
