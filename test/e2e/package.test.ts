import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isJsonObject } from "../../src/session/json.ts";
import * as declarations from "../../src/surface/declarations.ts";
import { runCodemode } from "../support/codemode.ts";
import { npm, pack } from "../support/pack.ts";
import { makeAgentDir, PI_PACKAGE, pinnedNode } from "../support/pi-run.ts";

const repository = path.resolve(import.meta.dirname, "..", "..");
const samples = path.join(repository, "samples", "recorded", "sessions");
let scratch: string;
let tarball: string;
let packed: readonly string[];

beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), "pi-retrospect-pack-"));
  // `dist/` was built by the check that runs these tests.
  ({ tarball, files: packed } = pack(repository, scratch));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("the package", () => {
  it("contains what users need and nothing else", () => {
    const allowed = [
      /^dist\/.+\.(m?js|d\.mts)$/,
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
      /^docs\/(tool-api|settings|pattern-mining|look-back-in-five-minutes)\.md$/,
      /^docs\/pictures\/[a-z-]+\.svg$/,
      /^skills\/[a-z-]+\/SKILL\.md$/,
      /^samples\/recorded\/sessions\/.+\.jsonl$/,
    ];
    expect(packed.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
    for (const needed of [
      "dist/extension.js",
      "dist/index.mjs",
      "dist/index.d.mts",
      "dist/cli.mjs",
      "CHANGELOG.md",
    ]) {
      expect(packed).toContain(needed);
    }
  });

  it("asks nothing of an installer but what Pi itself provides, in any version", () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(repository, "package.json"), "utf8"));
    if (!isJsonObject(manifest)) throw new Error("no manifest");
    expect(manifest.dependencies).toBeUndefined();
    expect(new Set(Object.values(manifest.peerDependencies ?? {}))).toEqual(new Set(["*"]));
    expect(manifest.keywords).toContain("pi-package");
  });

  it("registers in the extension exactly what the sources declare", async () => {
    const tools: Record<string, unknown>[] = [];
    const extension: { default?: unknown } = await import(path.join(repository, "dist", "extension.js"));
    if (typeof extension.default !== "function") throw new Error("no extension");
    extension.default({
      registerTool: (tool: Record<string, unknown>) => tools.push(tool),
      registerCommand: () => undefined,
      on: () => undefined,
    });
    const registered = tools.map(({ execute, renderCall, renderResult, ...declaration }) => declaration);
    expect(registered).toEqual(JSON.parse(JSON.stringify(Object.values(declarations))));
    expect(tools.every(({ execute }) => typeof execute === "function")).toBe(true);
  });

  it("installs into an empty Pi, where both tools work", async () => {
    const agent = makeAgentDir({ defaultTools: ["+codemode"] });
    const cwd = mkdtempSync(path.join(tmpdir(), "pi-retrospect-installed-"));
    try {
      const cli = path.join(PI_PACKAGE, "dist", "bundle", "cli.js");
      execFileSync(pinnedNode(), [cli, "install", `npm:pi-retrospect@file:${tarball}`], {
        cwd,
        env: { ...process.env, PI_CODING_AGENT_DIR: agent.path, PI_SKIP_VERSION_CHECK: "1" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      cpSync(samples, agent.sessions, { recursive: true });
      const { value, stderr } = await runCodemode(
        { agentDir: agent.path, cwd },
        `const { sessions } = await tools.list_sessions({ limit: 2 });
         const { entries } = await tools.session_entries({ sessionPath: sessions[1].path, limit: 5, raw: "none" });
         return { sessions: sessions.length, entries: entries.length };`,
      );
      expect(value).toEqual({ sessions: 2, entries: 5 });
      expect(stderr).toBe("");
    } finally {
      agent.dispose();
      rmSync(cwd, { recursive: true, force: true });
    }
  });

  it("works as a library and as a command line where only it is installed", () => {
    const project = mkdtempSync(path.join(scratch, "library-"));
    npm(["init", "-y"], project);
    npm(["install", "--offline", "--no-audit", "--no-fund", tarball], project);
    const script = `import { listSessions, ListSessionsOutputSchema } from "pi-retrospect";
      const { sessions } = await listSessions({}, { sessionsRoot: ${JSON.stringify(samples)} });
      console.log(sessions.length, ListSessionsOutputSchema.type);`;
    const run = (args: readonly string[]) =>
      execFileSync(pinnedNode(), args, { cwd: project, encoding: "utf8" });
    expect(run(["--input-type=module", "-e", script])).toMatch(/^\d+ object\n$/);
    const bin = path.join("node_modules", ".bin", "pi-retrospect");
    const listed: unknown = JSON.parse(run([bin, "list", "--root", samples, "--json", "--limit", "1"]));
    expect(listed).toMatchObject({ sessions: [{ subagentSessions: [] }], warnings: [] });
    const installed = npm(["ls", "--all", "--parseable"], project).trim().split("\n");
    expect(installed).toHaveLength(2);
  });
});
