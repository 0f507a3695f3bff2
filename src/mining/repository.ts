/**
 * Which repository is meant, and which sessions belong to it. A root is canonical: its real path, as git names the top
 * of the work tree. Looking it up reads nothing but what git reads to find it.
 */
import { realpathSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../session/json.ts";
import { throwIfAborted } from "../session/pace.ts";
import { isStrictlyInside } from "../session/store.ts";
import { runGit } from "./git.ts";
import { decodeUtf8 } from "./utf8.ts";

export type FoundRoot =
  | { readonly ok: true; readonly root: string }
  | { readonly ok: false; readonly reason: string };

/** @throws the signal's reason when aborted */
export async function findRoot(directory: string, signal: AbortSignal | undefined): Promise<FoundRoot> {
  try {
    const output = await runGit({ directory, args: ["rev-parse", "--show-toplevel"], signal });
    const line = decodeUtf8(output);
    // One line break ends the answer; a path may hold others.
    if (!line.endsWith("\n") || line.length < 2) return { ok: false, reason: "git named no work tree" };
    return { ok: true, root: realpathSync.native(path.resolve(line.slice(0, -1))) };
  } catch (error) {
    throwIfAborted(signal);
    return { ok: false, reason: messageOf(error) };
  }
}

/** True for a session's cwd that is the root or lies below it: really, or as a path when it is gone. */
export function membershipOf(root: string): (cwd: string | null) => boolean {
  const judged = new Map<string, boolean>();
  return (cwd) => {
    if (cwd === null || !path.isAbsolute(cwd)) return false;
    const known = judged.get(cwd);
    if (known !== undefined) return known;
    const isMember = isAtOrBelow(canonicalOf(cwd), root);
    judged.set(cwd, isMember);
    return isMember;
  };
}

export function isAtOrBelow(candidate: string, directory: string): boolean {
  return candidate === directory || isStrictlyInside(candidate, directory);
}

function canonicalOf(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch {
    return path.resolve(cwd); // gone or out of reach: what it was called is all there is
  }
}
