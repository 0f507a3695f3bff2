/**
 * The worktrees of a project, as git's own files name them: read, never asked from git. What cannot be read is left
 * out; the search adds directories that are named like worktrees (`app-fix` beside `app`).
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const MAX_WORKTREES = 50;
const MAX_POINTER_BYTES = 4_096;

/** Absolute directories, `cwd` first. */
export function worktreesOf(cwd: string): readonly string[] {
  const gitDirectory = commonGitDirectory(path.join(cwd, ".git"));
  if (gitDirectory === undefined) return [cwd];
  const main = path.basename(gitDirectory) === ".git" ? [path.dirname(gitDirectory)] : [];
  const linked = namesIn(path.join(gitDirectory, "worktrees")).flatMap((name) => {
    const pointer = pointerIn(path.join(gitDirectory, "worktrees", name, "gitdir"));
    return pointer !== undefined && path.isAbsolute(pointer) ? [path.dirname(pointer)] : [];
  });
  return [...new Set([cwd, ...main, ...linked])].slice(0, MAX_WORKTREES);
}

/** The repository's own directory: `.git` itself, or where the `.git` file of a worktree points to. */
function commonGitDirectory(dotGit: string): string | undefined {
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return dotGit;
  const pointer = stat?.isFile() ? pointerIn(dotGit)?.replace(/^gitdir: */, "") : undefined;
  if (pointer === undefined) return undefined;
  const own = path.resolve(path.dirname(dotGit), pointer);
  return path.basename(path.dirname(own)) === "worktrees" ? path.dirname(path.dirname(own)) : undefined;
}

function pointerIn(file: string): string | undefined {
  try {
    if (statSync(file).size > MAX_POINTER_BYTES) return undefined;
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined; // a worktree without it cannot be named
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort().slice(0, MAX_WORKTREES);
  } catch {
    return []; // no worktrees
  }
}
