/**
 * The one way to the `git` program: no shell, nothing of the caller's Git environment, no fetching, no hooks, no pager,
 * bounded in time and bytes. Whatever git complains about on stderr is a failure, so an answer is never half true.
 */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { cutText } from "../session/cut.ts";
import { messageOf } from "../session/json.ts";
import { abortErrorOf, throwIfAborted } from "../session/pace.ts";

export const GIT_TIMEOUT_MS = 10_000;
/** Bytes of an answer: an index of some 600,000 files. */
export const GIT_MAX_BYTES = 64 * 1024 * 1024;
const MAX_COMPLAINT_CHARS = 200;

export interface GitCall {
  /** Absolute; where git looks for the repository. */
  readonly directory: string;
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
  /** Default `GIT_TIMEOUT_MS`. */
  readonly timeoutMs?: number | undefined;
  /** Default `GIT_MAX_BYTES`. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Git is missing, refused, complained, or answered beyond a bound. */
export class GitError extends Error {
  override readonly name = "GitError";
}

const SAFE_ARGS = [
  "--no-pager",
  "--no-replace-objects",
  "--no-optional-locks",
  "--literal-pathspecs",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"].flatMap((setting) => [
    "-c",
    setting,
  ]),
];

/**
 * What git writes to stdout.
 *
 * @throws GitError for every failure of git
 * @throws the signal's reason when aborted
 */
export async function runGit(call: GitCall): Promise<Buffer> {
  const { directory, args, stdin, timeoutMs = GIT_TIMEOUT_MS, maxBytes = GIT_MAX_BYTES, signal } = call;
  throwIfAborted(signal);
  return new Promise((resolve, reject) => {
    // A relative entry of PATH must not find a program inside the repository, so the process starts elsewhere.
    const child = spawn("git", [...SAFE_ARGS, "-C", directory, ...args], {
      cwd: path.parse(directory).root,
      env: gitEnvironment(process.env),
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32", // no terminal to ask on, and a group that can be ended as a whole
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = "";

    const settle = (finish: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      child.removeAllListeners();
      child.on("error", () => undefined);
      finish();
    };
    const stop = (error: Error) => {
      endGroup(child);
      child.stdout.destroy();
      child.stderr.destroy();
      settle(() => reject(error));
    };
    const onAbort = () => signal && stop(abortErrorOf(signal));
    const timer = setTimeout(
      () => stop(new GitError(`git took longer than ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    signal?.addEventListener("abort", onAbort, { once: true });

    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) stop(new GitError(`git answered with more than ${maxBytes} bytes`));
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (complaint.length < MAX_COMPLAINT_CHARS) complaint += chunk.toString("utf8");
    });
    child.once("error", (error) =>
      settle(() => reject(new GitError(`git could not be run: ${messageOf(error)}`))),
    );
    child.once("close", (code, killedBy) =>
      settle(() => {
        if (code === 0 && complaint === "") resolve(Buffer.concat(chunks));
        else reject(new GitError(failureOf(complaint, code, killedBy)));
      }),
    );
    child.stdin.on("error", () => undefined); // git ended early: its status tells
    child.stdin.end(stdin ?? "");
  });
}

function failureOf(complaint: string, code: number | null, killedBy: NodeJS.Signals | null): string {
  const said = cutText(complaint.split("\n", 1)[0] ?? "", MAX_COMPLAINT_CHARS);
  if (said !== "") return `git said: ${said}`;
  return code === null ? `git was ended by ${killedBy}` : `git ended with status ${code}`;
}

/** Nothing that redirects git, traces it or puts settings into it; what it says is English. */
function gitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === "win32") {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // the group has ended, or cannot be reached: git itself at least
  }
}
