/** Real git repositories in throwaway directories, with a fixed identity and none of the machine's own settings. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const IDENTITY = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

/** Canonical, and removed when the test file is done. */
export function makeDirectory(prefix = "mining-"): string {
  const directory = realpathSync.native(mkdtempSync(path.join(tmpdir(), prefix)));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function git(directory: string, args: readonly string[], input?: string | Uint8Array): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd: directory,
    env: { ...Object.fromEntries(inherited), ...IDENTITY },
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    ...(input === undefined ? {} : { input }),
  });
}

export class Repository {
  readonly root: string;

  constructor(root = makeDirectory()) {
    this.root = root;
    mkdirSync(root, { recursive: true });
    this.git("init", "--quiet", "--initial-branch=main");
  }

  git(...args: readonly string[]): string {
    return git(this.root, args);
  }

  /** Writes a file of the work tree; nothing is staged. */
  write(name: string, content: string | object = "", mode = 0o644): void {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(file, mode);
  }

  /** Writes and stages it. */
  stage(name: string, content: string | object = "", mode = 0o644): void {
    this.write(name, content, mode);
    this.git("add", "--", `:(literal)${name}`);
  }

  commit(): void {
    this.git("commit", "--quiet", "--allow-empty", "--message", "work");
  }

  /** Puts any entry into the index, whatever the work tree holds. */
  stageEntry(mode: string, blob: string, stage: number, name: string | Uint8Array): void {
    const record = Buffer.concat([
      Buffer.from(`${mode} ${blob} ${stage}\t`),
      Buffer.from(name),
      Buffer.from("\0"),
    ]);
    git(this.root, ["update-index", "-z", "--index-info"], record);
  }

  blobOf(content: string | Uint8Array): string {
    return git(this.root, ["hash-object", "-w", "--stdin"], content).trim();
  }
}
