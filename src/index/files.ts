/**
 * The index as files: private, regular, and ours. A link or anything else that is no regular file in the place of the
 * database or a side file is refused, and so is a file that does not carry our mark: neither is ever replaced.
 */
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import path from "node:path";
import { APPLICATION_ID } from "./schema.ts";

/** The database at `indexPath` is not ours to use. The message says what is there and what to do. */
export class IndexRefusedError extends Error {
  override readonly name = "IndexRefusedError";
}

const SIDE_SUFFIXES = ["-wal", "-shm", "-journal"] as const;
const OWN_DIRECTORY_NAME = "pi-retrospect";
const OTHERS_BITS = 0o077;
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const isPosix = process.platform !== "win32";

/** Creates the directory and makes it private when it is ours alone: a directory that a user named may hold more. */
export function preparePrivateDirectory(indexPath: string): void {
  const directory = path.dirname(indexPath);
  mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE });
  if (!isPosix || (statSync(directory).mode & OTHERS_BITS) === 0) return;
  const base = path.basename(indexPath);
  const isOwn = path.basename(directory) === OWN_DIRECTORY_NAME;
  if (isOwn || readdirSync(directory).every((name) => name.startsWith(base))) {
    chmodSync(directory, DIRECTORY_MODE);
  }
}

/** Creates the database file when there is none, so that its first byte is private already. */
export function ensurePrivateFile(indexPath: string): void {
  refuseIrregularFiles(indexPath);
  try {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR;
    closeSync(openSync(indexPath, flags, FILE_MODE));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Narrows files that others could read. SQLite gives side files the mode of the database. */
export function tightenFiles(indexPath: string): void {
  if (!isPosix) return;
  for (const file of filesOf(indexPath)) {
    const stat = statOf(file);
    if (stat?.isFile() && (stat.mode & OTHERS_BITS) !== 0) chmodSync(file, FILE_MODE);
  }
}

export function refuseIrregularFiles(indexPath: string): void {
  for (const file of filesOf(indexPath)) {
    const stat = statOf(file);
    if (stat === undefined || stat.isFile()) continue;
    const kind = stat.isSymbolicLink() ? "a symbolic link" : "not a regular file";
    throw new IndexRefusedError(`${file} is ${kind}; the index is only kept in a regular file, so remove it`);
  }
}

/** Tells which file stands at the path, to notice a replacement by another process. */
export function inodeOf(indexPath: string): number | undefined {
  return statOf(indexPath)?.ino;
}

export function sizeOnDiskOf(indexPath: string): number {
  return filesOf(indexPath).reduce((sum, file) => sum + (statOf(file)?.size ?? 0), 0);
}

const SQLITE_MAGIC = "SQLite format 3\0";
const APPLICATION_ID_OFFSET = 68;

/**
 * True when the header says that the file is our index, whatever the rest looks like. Only for files that SQLite
 * refused: closing a descriptor would drop the locks of a connection that this process has on the file.
 */
export function isMarkedAsOurs(indexPath: string): boolean {
  const header = Buffer.alloc(100);
  const fd = openSync(indexPath, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    readSync(fd, header, 0, header.length, 0);
  } finally {
    closeSync(fd);
  }
  const isSqlite = header.toString("latin1", 0, SQLITE_MAGIC.length) === SQLITE_MAGIC;
  return isSqlite && header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID;
}

/** A replacement takes milliseconds; a claim this old was left by a process that died. */
const STALE_CLAIM_MS = 5000;
const claimOf = (indexPath: string) => `${indexPath}-replacing`;

/** True while another process replaces the index; opening waits for it. */
export function isBeingReplaced(indexPath: string): boolean {
  const claim = statOf(claimOf(indexPath));
  return claim !== undefined && Math.abs(Date.now() - claim.mtimeMs) < STALE_CLAIM_MS;
}

/**
 * Puts an empty file in the place of the database, unless that is no longer the one that was found wanting. False when
 * another process is at it. The log goes first, for a log without its database is replayed into the next one; the
 * database goes last, so that the new file cannot get its inode and look like it.
 */
export function replaceIndexFile(indexPath: string, inode: number | undefined): boolean {
  refuseIrregularFiles(indexPath);
  if (isBeingReplaced(indexPath)) return false;
  try {
    rmSync(claimOf(indexPath), { recursive: true, force: true }); // a stale one
    mkdirSync(claimOf(indexPath), { mode: DIRECTORY_MODE });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  const discarded = path.join(claimOf(indexPath), "discarded");
  try {
    if (inodeOf(indexPath) !== inode) return false;
    for (const suffix of SIDE_SUFFIXES) rmSync(indexPath + suffix, { force: true });
    if (inode !== undefined) renameSync(indexPath, discarded);
    ensurePrivateFile(indexPath);
    return true;
  } finally {
    rmSync(claimOf(indexPath), { recursive: true, force: true });
  }
}

function filesOf(indexPath: string): readonly string[] {
  return [indexPath, ...SIDE_SUFFIXES.map((suffix) => indexPath + suffix)];
}

/** Undefined when nothing is there or nothing can be known: opening will say why. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
