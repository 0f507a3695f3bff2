import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { GitError, runGit } from "../../src/mining/git.ts";
import { makeDirectory, Repository } from "./repositories.ts";

const environment = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

/** Puts a program called git in front of the real one. */
function fakeGit(script: string): string {
  const directory = makeDirectory();
  writeFileSync(path.join(directory, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(directory, "git"), 0o755);
  process.env["PATH"] = `${directory}${path.delimiter}${environment["PATH"]}`;
  return directory;
}

const call = (more: Partial<Parameters<typeof runGit>[0]> = {}) =>
  runGit({ directory: "/", args: ["status"], ...more });

describe("running git", () => {
  it("passes on nothing of the caller's git environment", async () => {
    const [repository, other] = [new Repository(), new Repository()];
    Object.assign(process.env, {
      GIT_DIR: path.join(other.root, ".git"),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: path.join(other.root, "index"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.bare",
      GIT_CONFIG_VALUE_0: "true",
      GIT_TRACE: "1",
    });
    const root = await call({ directory: repository.root, args: ["rev-parse", "--show-toplevel"] });
    expect(root.toString()).toBe(`${repository.root}\n`);
  });

  it("forbids fetching, replacement refs, locks and questions", async () => {
    fakeGit('env | grep "^GIT_" | sort; echo "$@"');
    process.env["GIT_ASKPASS"] = "/bin/true";
    const lines = (await call()).toString().split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "GIT_NO_LAZY_FETCH=1",
      "GIT_NO_REPLACE_OBJECTS=1",
      "GIT_OPTIONAL_LOCKS=0",
      "GIT_TERMINAL_PROMPT=0",
    ]);
    expect(lines[4]).toMatch(
      /--no-pager .*core\.fsmonitor=false .*core\.hooksPath=\/dev\/null .*-C \/ status$/,
    );
  });

  it("runs no program that the repository names", async () => {
    const repository = new Repository();
    const mark = path.join(makeDirectory(), "mark");
    const program = path.join(repository.root, "program");
    writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`);
    chmodSync(program, 0o755);
    mkdirSync(path.join(repository.root, ".git", "hooks"), { recursive: true });
    repository.git("config", "core.fsmonitor", program);
    repository.git("config", "core.pager", program);
    await call({ directory: repository.root, args: ["ls-files", "--stage", "-z"] });
    expect(existsSync(mark)).toBe(false);
  });

  it("finds no git in the directory it looks at, even with a relative PATH", async () => {
    const repository = new Repository();
    writeFileSync(path.join(repository.root, "git"), "#!/bin/sh\necho planted\n");
    chmodSync(path.join(repository.root, "git"), 0o755);
    process.env["PATH"] = `.${path.delimiter}${environment["PATH"]}`;
    const output = await call({ directory: repository.root, args: ["ls-files"] });
    expect(output.toString()).toBe("");
  });

  it("takes whatever stands on stderr for a failure", async () => {
    fakeGit("echo fine; echo 'warning: odd' >&2");
    await expect(call()).rejects.toThrow(new GitError("git said: warning: odd"));
  });

  it("fails with git's status, and without a git program", async () => {
    fakeGit("exit 3");
    await expect(call()).rejects.toThrow("git ended with status 3");
    process.env["PATH"] = makeDirectory();
    await expect(call()).rejects.toThrow("git could not be run");
  });

  it("stops git after its time, with what it has started", async () => {
    fakeGit("sleep 30 & sleep 30");
    const startMs = performance.now();
    await expect(call({ timeoutMs: 200 })).rejects.toThrow("longer than 0.2 s");
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it("stops git when it says too much", async () => {
    fakeGit("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done");
    await expect(call({ maxBytes: 10_000 })).rejects.toThrow("more than 10000 bytes");
  });

  it("stops when it is aborted, with the signal's reason", async () => {
    fakeGit("sleep 30");
    const abort = new AbortController();
    const running = call({ signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expect(call({ signal: abort.signal })).rejects.toThrow("enough");
  });
});
