/**
 * Scratch stores: every test owns a tree below the system's temporary directory, and it is removed when the test
 * ends. Also the parts that session files are made of, and a snapshot that shows whether anything was touched.
 */
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export { entry, fileOf, header, type Json, userMessage } from "./session-lines.ts";

export interface Scratch {
  /** Real path of the tree. */
  readonly directory: string;
  /** Absolute path of something in the tree; nothing is created. */
  readonly at: (...segments: string[]) => string;
  /** Writes a file and the directories above it; returns its absolute path. */
  readonly write: (relative: string, content: string | Uint8Array) => string;
  /** Creates a directory; returns its absolute path. */
  readonly mkdir: (relative: string) => string;
}

/** A tree for the running test. */
export function scratch(): Scratch {
  const made = makeScratch();
  onTestFinished(() => made.remove());
  return made;
}

/** A tree that the caller removes: for `beforeAll`. */
export function makeScratch(): Scratch & { readonly remove: () => void } {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "pi-retrospect-test-")));
  const at = (...segments: string[]) => path.join(directory, ...segments);
  const mkdir = (relative: string) => {
    mkdirSync(at(relative), { recursive: true });
    return at(relative);
  };
  const write = (relative: string, content: string | Uint8Array) => {
    mkdir(path.dirname(relative));
    writeFileSync(at(relative), content);
    return at(relative);
  };
  return { directory, at, write, mkdir, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface Snapshot {
  readonly [relative: string]: string;
}

/** Kind, mode, times and content of everything at and below `directory`, by relative path. Access times are left out. */
export function snapshotOf(directory: string): Snapshot {
  const found: Record<string, string> = {};
  const add = (relative: string) => {
    const at = path.join(directory, relative);
    const stat = lstatSync(at, { bigint: true });
    const facts = [stat.mode, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs];
    if (stat.isFile())
      found[relative] = [...facts, createHash("sha256").update(readFileSync(at)).digest("hex")].join();
    else if (stat.isSymbolicLink()) found[relative] = [...facts, readlinkSync(at)].join();
    else found[relative] = facts.join();
    if (stat.isDirectory()) for (const name of readdirSync(at).sort()) add(path.join(relative, name));
  };
  add(".");
  return found;
}
