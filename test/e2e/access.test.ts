import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCodemode } from "../support/codemode.ts";
import { type AgentDir, makeAgentDir } from "../support/pi-run.ts";

const repository = path.resolve(import.meta.dirname, "..", "..");
const extensions = [path.join(repository, "dist", "extension.js")];
let agent: AgentDir;
let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), "pi-retrospect-allow-"));
});
afterEach(() => {
  agent.dispose();
  rmSync(cwd, { recursive: true, force: true });
});

async function projectsSeen(user: unknown, project?: unknown): Promise<unknown> {
  agent = makeAgentDir({ defaultTools: ["+codemode"], piRetrospect: { allowedProjects: user } });
  cpSync(path.join(repository, "samples", "recorded", "sessions"), agent.sessions, { recursive: true });
  if (project !== undefined) {
    mkdirSync(path.join(cwd, ".pi"), { recursive: true });
    const settings = { piRetrospect: { allowedProjects: project } };
    writeFileSync(path.join(cwd, ".pi", "settings.json"), JSON.stringify(settings));
  }
  const { value } = await runCodemode(
    { agentDir: agent.path, cwd, extensions, args: ["--approve"] },
    `try {
       const { sessions } = await tools.list_sessions({});
       return { projects: [...new Set(sessions.map((row) => row.cwd.split("/").at(-1)))].sort() };
     } catch (error) { return { error: error.message }; }`,
  );
  return value["error"] ?? value["projects"];
}

describe("allowedProjects in a real Pi run", () => {
  it("bounds what the tools reach, worktrees included", async () => {
    expect(await projectsSeen(["harbor"])).toEqual(["harbor", "harbor-retry-queue"]);
  });

  it("a trusted project narrows its user's list and cannot widen it", async () => {
    expect(await projectsSeen(["harbor", "lighthouse"], ["lighthouse"])).toEqual(["lighthouse"]);
    agent.dispose();
    expect(await projectsSeen(["lighthouse"], ["*"])).toEqual(["lighthouse"]);
  });

  it("a malformed list fails closed with one sentence that names only the setting", async () => {
    expect(await projectsSeen(["harbor/"])).toMatch(
      /^the setting piRetrospect\.allowedProjects is malformed[^\n]*$/,
    );
  });
});
