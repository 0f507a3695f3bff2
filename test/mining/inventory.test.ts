import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Collections, readInventory } from "../../src/mining/inventory.ts";
import type { RegisteredSkill } from "../../src/mining/skillRegistry.ts";
import { registeredSkills } from "../../src/mining/skillRegistry.ts";
import { git, makeDirectory, Repository } from "./repositories.ts";

const NOTHING: Collections = { packageScripts: [], executableScripts: [], agentInstructions: [], skills: [] };
const inventoryOf = (root: string, skills: readonly RegisteredSkill[] = []) =>
  readInventory(root, skills, undefined);

describe("the inventory of a repository", () => {
  it("has the scripts of every indexed package.json, by path and name", async () => {
    const repository = new Repository();
    repository.stage("package.json", { scripts: { test: "vitest", build: "tsc" } });
    repository.stage("packages/a b/package.json", { name: "a" });
    repository.stage("packages/c/package.json", { scripts: { lint: "biome" } }, 0o755);
    repository.stage("not-a-package.json", { scripts: { no: "no" } });
    expect((await inventoryOf(repository.root)).packageScripts).toEqual([
      { path: "package.json", name: "build", command: "tsc" },
      { path: "package.json", name: "test", command: "vitest" },
      { path: "packages/c/package.json", name: "lint", command: "biome" },
    ]);
  });

  it("shows staged additions, changes and deletions", async () => {
    const repository = new Repository();
    repository.stage("package.json", { scripts: { old: "1" } });
    repository.stage("gone.sh", "", 0o755);
    repository.stage("stays.sh", "", 0o755);
    repository.commit();
    repository.stage("package.json", { scripts: { new: "2" } });
    repository.stage("added.sh", "", 0o755);
    repository.git("rm", "--quiet", "gone.sh");
    repository.git("rm", "--quiet", "--cached", "stays.sh");
    expect(await inventoryOf(repository.root)).toEqual({
      ...NOTHING,
      packageScripts: [{ path: "package.json", name: "new", command: "2" }],
      executableScripts: ["added.sh"],
    });
  });

  it("shows nothing of unstaged changes, deletions, modes, symlinks and of untracked files", async () => {
    const repository = new Repository();
    repository.stage("package.json", { scripts: { indexed: "1" } });
    repository.stage("deleted.sh", "", 0o755);
    repository.stage("was-executable.sh", "", 0o755);
    repository.stage("becomes-executable.sh");
    repository.stage("AGENTS.md", "indexed");
    repository.stage("linked/package.json", { scripts: { linked: "1" } });
    repository.write("package.json", "{ not JSON any more");
    repository.write("was-executable.sh", "", 0o644);
    repository.write("becomes-executable.sh", "", 0o755);
    repository.write("untracked.sh", "", 0o755);
    repository.write("untracked/package.json", { scripts: { untracked: "1" } });
    repository.write("CLAUDE.md", "untracked");
    rmSync(path.join(repository.root, "deleted.sh"));
    rmSync(path.join(repository.root, "linked", "package.json"));
    symlinkSync("/etc/hostname", path.join(repository.root, "linked", "package.json"));
    expect(await inventoryOf(repository.root)).toEqual({
      packageScripts: [
        { path: "linked/package.json", name: "linked", command: "1" },
        { path: "package.json", name: "indexed", command: "1" },
      ],
      executableScripts: ["deleted.sh", "was-executable.sh"],
      agentInstructions: ["AGENTS.md"],
      skills: [],
    });
  });

  it("counts a symlink in the index as neither executable nor an instruction", async () => {
    const repository = new Repository();
    symlinkSync("AGENTS.md", path.join(repository.root, "CLAUDE.md"));
    repository.git("add", "CLAUDE.md");
    repository.stageEntry("120000", repository.blobOf("elsewhere"), 0, "run.sh");
    expect(await inventoryOf(repository.root)).toEqual(NOTHING);
  });

  it("recognizes the files that instruct agents", async () => {
    const repository = new Repository();
    const recognized = [
      ".agents/skills/deploy/notes.md",
      ".claude/commands/fix.md",
      ".cursor/rules/style.mdc",
      ".github/copilot-instructions.md",
      ".github/prompts/review.prompt.md",
      ".pi/APPEND_SYSTEM.md",
      ".pi/prompts/release.md",
      "AGENTS.md",
      "docs/CLAUDE.md",
      "packages/a/AGENTS.MD",
      "skills/deploy/SKILL.md",
    ];
    const others = [
      ".pi/settings.json",
      "README.md",
      "docs/agents.txt",
      "skills/deploy/run.md",
      "xAGENTS.md",
    ];
    for (const name of [...recognized, ...others]) repository.stage(name);
    expect((await inventoryOf(repository.root)).agentInstructions).toEqual(recognized);
  });

  it("keeps paths with spaces, newlines, quotes, tabs and letters of any script as they are", async () => {
    const repository = new Repository();
    const names = [
      'a "quoted" b.sh',
      "line\nbreak.sh",
      "tab\there.sh",
      "Ümlaut 配置 🚀.sh",
      "-n",
      ":(top)x.sh",
    ];
    for (const name of names) repository.stage(name, "", 0o755);
    repository.stage("sub\ndir/package.json", { scripts: { "a b": "echo '\n'" } });
    const { executableScripts, packageScripts } = await inventoryOf(repository.root);
    expect(executableScripts).toEqual([...names].sort());
    expect(packageScripts).toEqual([{ path: "sub\ndir/package.json", name: "a b", command: "echo '\n'" }]);
  });

  it("has skills of the registry whose file really lies inside, untracked ones included", async () => {
    const repository = new Repository();
    const outside = makeDirectory();
    repository.write("skills/deploy/SKILL.md");
    writeFileSync(path.join(outside, "SKILL.md"), "");
    symlinkSync(outside, path.join(repository.root, "skills", "linked-out"));
    symlinkSync(path.join(repository.root, "skills"), path.join(outside, "linked-in"));
    const source = (file: string) => ({ source: "skill", sourceInfo: { path: file } });
    const commands = [
      {
        name: "skill:deploy",
        description: "d",
        ...source(path.join(outside, "linked-in", "deploy", "SKILL.md")),
      },
      { name: "skill:out", ...source(path.join(repository.root, "skills", "linked-out", "SKILL.md")) },
      { name: "skill:elsewhere", ...source(path.join(outside, "SKILL.md")) },
      { name: "skill:gone", ...source(path.join(repository.root, "skills", "gone", "SKILL.md")) },
      { name: "skill:inline", ...source("<inline:skill>") },
      { name: "deploy", source: "prompt", sourceInfo: { path: path.join(repository.root, "skills") } },
    ];
    const { skills } = await inventoryOf(repository.root, registeredSkills(commands));
    expect(skills).toEqual([{ name: "skill:deploy", description: "d", path: "skills/deploy/SKILL.md" }]);
  });

  it("is empty for a repository without commits and without an index", async () => {
    expect(await inventoryOf(new Repository().root)).toEqual(NOTHING);
  });

  it("reads blobs as they are indexed, whatever a replacement ref says", async () => {
    const repository = new Repository();
    repository.stage("package.json", { scripts: { true: "1" } });
    const replaced = repository.blobOf(JSON.stringify({ scripts: { false: "0" } }));
    repository.git("replace", repository.git("rev-parse", ":package.json").trim(), replaced);
    const { packageScripts } = await inventoryOf(repository.root);
    expect(packageScripts).toEqual([{ path: "package.json", name: "true", command: "1" }]);
  });

  it("leaves the repository as it was, the index included", async () => {
    const repository = new Repository();
    repository.stage("package.json", { scripts: { a: "1" } });
    repository.write("package.json", { scripts: { a: "1" } }); // the index's idea of its time is stale now
    const index = path.join(repository.root, ".git", "index");
    const before = readFileSync(index);
    await inventoryOf(repository.root);
    expect(readFileSync(index).equals(before)).toBe(true);
  });
});

describe("where a repository lies", () => {
  it("reads a linked worktree's own index", async () => {
    const repository = new Repository();
    repository.stage("main.sh", "", 0o755);
    repository.commit();
    const linked = path.join(makeDirectory(), "linked");
    repository.git("worktree", "add", "--quiet", linked);
    writeFileSync(path.join(linked, "linked.sh"), "", { mode: 0o755 });
    git(linked, ["add", "linked.sh"]);
    expect((await inventoryOf(linked)).executableScripts).toEqual(["linked.sh", "main.sh"]);
    expect((await inventoryOf(repository.root)).executableScripts).toEqual(["main.sh"]);
  });

  it("reads a worktree beside its bare repository", async () => {
    const repository = new Repository();
    repository.stage("run.sh", "", 0o755);
    repository.commit();
    const project = makeDirectory();
    git(project, ["clone", "--quiet", "--bare", repository.root, ".bare"]);
    writeFileSync(path.join(project, ".git"), "gitdir: ./.bare\n");
    git(project, ["worktree", "add", "--quiet", "main", "main"]);
    expect((await inventoryOf(path.join(project, "main"))).executableScripts).toEqual(["run.sh"]);
  });

  it("reads a submodule by itself, and its parent without it", async () => {
    const inner = new Repository();
    inner.stage("inner.sh", "", 0o755);
    inner.commit();
    const outer = new Repository();
    outer.git("submodule", "--quiet", "add", inner.root, "vendor");
    expect((await inventoryOf(path.join(outer.root, "vendor"))).executableScripts).toEqual(["inner.sh"]);
    expect(await inventoryOf(outer.root)).toEqual(NOTHING);
  });

  it("reads all of a sparse checkout", async () => {
    const repository = new Repository();
    repository.stage("in/in.sh", "", 0o755);
    repository.stage("out/out.sh", "", 0o755);
    repository.commit();
    repository.git("sparse-checkout", "set", "--sparse-index", "in");
    expect((await inventoryOf(repository.root)).executableScripts).toEqual(["in/in.sh", "out/out.sh"]);
  });
});

describe("an inventory that cannot be told exactly is unavailable", () => {
  const malformed: readonly (readonly [string, string])[] = [
    ["no JSON", "{"],
    ["no object", "[]"],
    ["scripts that are no object", '{"scripts":["a"]}'],
    ["a command that is no text", '{"scripts":{"a":1}}'],
    ["nothing at all", ""],
  ];
  it.each(malformed)("when an indexed package.json holds %s", async (_, content) => {
    const repository = new Repository();
    repository.stage("package.json", content);
    await expect(inventoryOf(repository.root)).rejects.toThrow(/package\.json/);
  });

  it("when a package.json is no UTF-8", async () => {
    const repository = new Repository();
    repository.stageEntry("100644", repository.blobOf(Buffer.from([0x7b, 0xff, 0x7d])), 0, "package.json");
    await expect(inventoryOf(repository.root)).rejects.toThrow("is not UTF-8");
  });

  it("when a path is no UTF-8", async () => {
    const repository = new Repository();
    repository.stageEntry("100644", repository.blobOf(""), 0, Buffer.from([0x61, 0xff]));
    await expect(inventoryOf(repository.root)).rejects.toThrow("is not UTF-8");
  });

  it("when the index holds a conflict", async () => {
    const repository = new Repository();
    repository.stage("a.txt", "base");
    repository.commit();
    repository.git("checkout", "--quiet", "-b", "other");
    repository.stage("a.txt", "theirs");
    repository.commit();
    repository.git("checkout", "--quiet", "main");
    repository.stage("a.txt", "ours");
    repository.commit();
    expect(() => repository.git("merge", "other")).toThrow();
    await expect(inventoryOf(repository.root)).rejects.toThrow("conflicts");
  });

  it("when a package.json is a symlink or a submodule", async () => {
    const linked = new Repository();
    linked.stageEntry("120000", linked.blobOf("other.json"), 0, "package.json");
    await expect(inventoryOf(linked.root)).rejects.toThrow("no regular file");
    const nested = new Repository();
    nested.stageEntry("160000", "1".repeat(40), 0, "a/package.json");
    await expect(inventoryOf(nested.root)).rejects.toThrow("no regular file");
  });

  it("when the index is damaged", async () => {
    const repository = new Repository();
    repository.stage("a.sh", "", 0o755);
    writeFileSync(path.join(repository.root, ".git", "index"), "DIRC but no more");
    await expect(inventoryOf(repository.root)).rejects.toThrow(/git/);
  });

  it("when a blob is missing, which is not fetched from where the rest came from", async () => {
    const origin = new Repository();
    origin.stage("package.json", { scripts: { a: "1" } });
    origin.commit();
    origin.git("config", "uploadpack.allowFilter", "true");
    const clone = path.join(makeDirectory(), "clone");
    mkdirSync(clone);
    git(clone, ["clone", "--quiet", "--filter=blob:none", "--no-checkout", `file://${origin.root}`, "."]);
    git(clone, ["read-tree", "HEAD"]);
    await expect(inventoryOf(clone)).rejects.toThrow(/git|cannot be read/);
    const objects = () => git(clone, ["count-objects", "-v"]);
    const before = objects();
    await expect(inventoryOf(clone)).rejects.toThrow();
    expect(objects()).toBe(before);
  });

  it("when the indexed package.json files are larger than may be read", async () => {
    const repository = new Repository();
    repository.stage("package.json", { scripts: { a: "x".repeat(17 * 1024 * 1024) } });
    await expect(inventoryOf(repository.root)).rejects.toThrow("more than 16777216 bytes");
  });
});
