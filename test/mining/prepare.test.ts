import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { ParameterError } from "../../src/session/parameterError.ts";
import { SessionSearchOutputSchema } from "../../src/surface/searchSchemas.ts";
import { makeDirectory, Repository } from "./repositories.ts";
import { freshSessions, SessionStore } from "./sessions.ts";

const pathsOf = ({ sessions }: { readonly sessions: readonly { readonly path: string }[] }) =>
  sessions.map(({ path }) => path);

describe("preparation in repository scope", () => {
  it("takes the sessions of the repository and its inventory, citable message by message", async () => {
    const repository = new Repository();
    repository.stage("package.json", { scripts: { test: "vitest" } });
    repository.write("packages/a/x.ts");
    const store = new SessionStore();
    const older = store.add({ cwd: repository.root, lines: ["fix the queue", "done"] });
    store.add({ cwd: `${repository.root}-other` });
    const newer = store.add({ cwd: path.join(repository.root, "packages", "a") });
    const output = await store.prepare(
      { scope: "repository" },
      { cwd: path.join(repository.root, "packages") },
    );
    expect(output).toEqual({
      mode: "prepare-pattern-miner",
      scope: "repository",
      projectRoot: repository.root,
      sync: { walkComplete: true, backlogRemaining: 0, complete: true },
      sessions: [
        expect.objectContaining({ path: newer }),
        {
          path: older,
          cwd: repository.root,
          startedAt: "2026-01-01T00:00:00.000Z",
          messages: [
            { id: "m0", role: "user", timestamp: "2026-01-01T00:00:00.000Z", text: "fix the queue" },
            { id: "m1", role: "assistant", timestamp: "2026-01-01T00:00:00.000Z", text: "done" },
          ],
        },
      ],
      inventory: {
        available: true,
        worktreeVerified: false,
        sources: {
          packageScripts: "git-index",
          executableScripts: "git-index",
          agentInstructions: "git-index",
          skills: "pi-effective-registry",
        },
        packageScripts: [{ path: "package.json", name: "test", command: "vitest" }],
        executableScripts: [],
        agentInstructions: [],
        skills: [],
        omittedCounts: { packageScripts: 0, executableScripts: 0, agentInstructions: 0, skills: 0 },
      },
    });
    expect(Value.Check(SessionSearchOutputSchema, output)).toBe(true);
  });

  it("follows links to a cwd that exists, and compares one that is gone as a path", async () => {
    const repository = new Repository();
    const elsewhere = makeDirectory();
    symlinkSync(repository.root, path.join(elsewhere, "in"));
    symlinkSync(elsewhere, path.join(repository.root, "out"));
    const store = new SessionStore();
    const gone = store.add({ cwd: path.join(repository.root, "gone", "deeper") });
    const linked = store.add({ cwd: path.join(elsewhere, "in") });
    store.add({ cwd: path.join(repository.root, "out") });
    store.add({ cwd: path.join(repository.root, "..", "gone") });
    store.add({ cwd: "relative" });
    const output = await store.prepare({ scope: "repository" }, { cwd: repository.root });
    expect(pathsOf(output)).toEqual([linked, gone]);
  });

  it("takes the repository that projectPath selects: absolute, relative, a worktree, a submodule, any name", async () => {
    const parent = makeDirectory();
    const name = 'a "b"\n配置 🚀';
    const repository = new Repository(path.join(parent, name));
    const inner = new Repository();
    inner.commit();
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "vendor");
    repository.commit();
    repository.git("worktree", "add", "--quiet", path.join(parent, "linked"));
    const store = new SessionStore();
    const rootOf = async (projectPath: string) =>
      (await store.prepare({ scope: "repository", projectPath }, { cwd: parent })).projectRoot;
    expect(await rootOf(repository.root)).toBe(repository.root);
    expect(await rootOf(name)).toBe(repository.root);
    expect(await rootOf("linked")).toBe(path.join(parent, "linked"));
    expect(await rootOf(`${name}/vendor`)).toBe(path.join(repository.root, "vendor"));
  });

  it("is a caller's mistake outside of Git, in a bare repository and for a path that is not there", async () => {
    const outside = makeDirectory();
    const repository = new Repository();
    repository.git("config", "core.bare", "true");
    writeFileSync(path.join(outside, "file"), "");
    const store = new SessionStore();
    for (const projectPath of [undefined, repository.root, "missing", "file", "a\nb"]) {
      const freshSessions = () => Promise.reject(new Error("synced"));
      const prepared = store.prepare({ scope: "repository", projectPath }, { cwd: outside, freshSessions });
      await expect(prepared).rejects.toThrow(ParameterError);
      await expect(prepared).rejects.toThrow(
        projectPath === undefined ? "the working directory must" : "projectPath must",
      );
    }
  });

  it("is an error when the inventory is not available", async () => {
    const repository = new Repository();
    repository.stage("package.json", "{");
    const prepared = new SessionStore().prepare({ scope: "repository" }, { cwd: repository.root });
    await expect(prepared).rejects.toThrow(
      "the inventory of the repository is not available: an indexed package.json",
    );
  });

  it("sees no repository outside the allowed projects, and says no more than where there is none", async () => {
    const parent = makeDirectory();
    const secret = new Repository(path.join(parent, "secret"));
    mkdirSync(path.join(parent, "nothing"));
    const allowed = new Repository(path.join(parent, "app"));
    const store = new SessionStore();
    const seen = store.add({ cwd: allowed.root });
    const options = { ...store.options, allowedProjects: [["app"]] };
    const run = (projectPath: string) =>
      store.prepare({ scope: "repository", projectPath }, { cwd: parent, store: options });
    expect(pathsOf(await run("app"))).toEqual([seen]);
    const messageOf = (name: string) =>
      run(name).then(
        () => "",
        (error: unknown) => String(error).replace(name, "NAME"),
      );
    expect(await messageOf("secret")).toBe(await messageOf("nothing"));
    const all = await store.prepare({ scope: "all" }, { cwd: secret.root, store: options });
    expect(all).toMatchObject({ inventory: { available: false, reason: "not-a-git-repository" } });
    expect(all.projectRoot).toBeUndefined();
  });
});

describe("preparation in scope all", () => {
  it("keeps its corpus without a repository, and with one whose inventory fails", async () => {
    const store = new SessionStore();
    const session = store.add();
    const outside = await store.prepare({ scope: "all" }, { cwd: makeDirectory() });
    expect(pathsOf(outside)).toEqual([session]);
    expect(outside.inventory).toEqual({ available: false, reason: "not-a-git-repository" });
    const repository = new Repository();
    repository.stage("package.json", "{");
    const failed = await store.prepare({ scope: "all" }, { cwd: repository.root });
    expect(pathsOf(failed)).toEqual([session]);
    expect(failed.inventory).toEqual({ available: false, reason: "inventory-failed" });
    expect(Value.Check(SessionSearchOutputSchema, failed)).toBe(true);
  });

  it("says that there is no repository when there is no git program", async () => {
    const PATH = process.env["PATH"];
    const repository = new Repository();
    process.env["PATH"] = makeDirectory();
    try {
      const output = await new SessionStore().prepare({ scope: "all" }, { cwd: repository.root });
      expect(output.inventory).toEqual({ available: false, reason: "not-a-git-repository" });
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  it("says how complete the sample is, and fails when syncing fails", async () => {
    const store = new SessionStore();
    const fresh = { sessions: [], walkComplete: true, backlogRemaining: 3 };
    const output = await store.prepare({ scope: "all" }, { freshSessions: () => Promise.resolve(fresh) });
    expect(output.sync).toEqual({ walkComplete: true, backlogRemaining: 3, complete: false });
    const failed = store.prepare(
      { scope: "all" },
      { freshSessions: () => Promise.reject(new Error("disk")) },
    );
    await expect(failed).rejects.toThrow("disk");
  });

  it("keeps the citation of a session that cannot be read, with the reason", async () => {
    const store = new SessionStore();
    const gone = store.add({ cwd: "/p/a", parentSession: "/p/b.jsonl" });
    const whole = store.add();
    const fresh = async () => {
      const found = await freshSessions(store.options);
      rmSync(gone);
      return found;
    };
    const { sessions } = await store.prepare({ scope: "all" }, { freshSessions: fresh });
    expect(sessions[0]).toMatchObject({ path: whole, messages: [{ text: "hello" }, { text: "hi" }] });
    expect(sessions[1]).toEqual({
      path: gone,
      cwd: "/p/a",
      startedAt: "2026-01-01T00:00:00.000Z",
      parentSessionPath: "/p/b.jsonl",
      messages: [],
      error: expect.stringContaining("could not read session file"),
    });
  });

  it("stops when it is aborted, while it reads too", async () => {
    const store = new SessionStore();
    store.add();
    const abort = new AbortController();
    const options = { ...store.options, signal: abort.signal };
    const fresh = async () => {
      const found = await freshSessions(store.options);
      queueMicrotask(() => abort.abort(new Error("enough")));
      return found;
    };
    const prepared = store.prepare({ scope: "all" }, { store: options, freshSessions: fresh });
    await expect(prepared).rejects.toThrow("enough");
  });
});

describe("the words of a session", () => {
  const message = (
    id: string,
    parentId: string | null,
    role: string,
    content: unknown,
    more: object = {},
  ) => ({
    type: "message",
    id,
    parentId,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role, content, ...more },
  });
  const textsOf = async (lines: readonly object[], version = 3) => {
    const store = new SessionStore();
    store.add({ lines, version });
    const { sessions } = await store.prepare({ scope: "all" });
    return sessions[0]?.messages.map(({ id, role, text }) => [id, role, text]);
  };

  it("are those of user and assistant alone: no thinking, calls, results, images, shell and blank text", async () => {
    const lines = [
      message("a", null, "user", [
        { type: "text", text: "look\r\nhere\u001b[1m" },
        { type: "image", mimeType: "image/png", data: "AAAA" },
      ]),
      message("b", "a", "assistant", [
        { type: "thinking", thinking: "secret" },
        { type: "text", text: "I look" },
        { type: "toolCall", id: "t", name: "bash", arguments: { command: "ls" } },
      ]),
      message("c", "b", "toolResult", [{ type: "text", text: "output" }]),
      message("d", "c", "assistant", [{ type: "toolCall", id: "t", name: "bash", arguments: {} }]),
      message("e", "d", "bashExecution", undefined, { command: "ls", output: "x" }),
      message("f", "e", "user", " \n"),
      message("g", "f", "assistant", "broken off", { stopReason: "aborted" }),
    ];
    expect(await textsOf(lines)).toEqual([
      ["a", "user", "look\nhere\\u001b[1m"],
      ["b", "assistant", "I look"],
      ["g", "assistant", "broken off"],
    ]);
  });

  it("are those of the branch that Pi would open, through lines that are no entries", async () => {
    const lines = [
      message("a", null, "user", "root"),
      message("b", "a", "assistant", "left"),
      { type: "message", id: "broken", parentId: "a" },
      message("c", "broken", "assistant", "kept"),
    ];
    expect((await textsOf(lines))?.map(([id]) => id)).toEqual(["a", "c"]);
  });

  it("have no ids in a version 1 file, and all its lines", async () => {
    const lines = [message("a", null, "user", "one"), message("b", null, "assistant", "two")];
    expect(await textsOf(lines, 1)).toEqual([
      [null, "user", "one"],
      [null, "assistant", "two"],
    ]);
  });

  it("come from glued lines, each entry for itself", async () => {
    const store = new SessionStore();
    const file = store.add({ lines: [] });
    const header = JSON.stringify({
      type: "session",
      version: 3,
      id: "i",
      timestamp: "2026-01-01",
      cwd: "/p",
    });
    const glued = [message("a", null, "user", "one"), message("b", "a", "assistant", "two")];
    writeFileSync(file, `${header}\n${glued.map((line) => JSON.stringify(line)).join("")}\n`);
    const { sessions } = await store.prepare({ scope: "all" });
    expect(sessions[0]?.messages.map(({ text }) => text)).toEqual(["one", "two"]);
  });
});
