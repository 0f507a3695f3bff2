import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchSessions } from "../../src/index.ts";
import { runCodemode } from "../support/codemode.ts";
import { type AgentDir, makeAgentDir } from "../support/pi-run.ts";

const repository = path.resolve(import.meta.dirname, "..", "..");
const extensions = [path.join(repository, "dist", "extension.js")];
let agent: AgentDir;
let cwd: string;

beforeAll(() => {
  agent = makeAgentDir({ defaultTools: ["+codemode"] });
  cwd = mkdtempSync(path.join(tmpdir(), "pi-retrospect-search-"));
  cpSync(path.join(repository, "samples", "recorded", "sessions"), agent.sessions, { recursive: true });
});

afterAll(() => {
  agent.dispose();
  rmSync(cwd, { recursive: true, force: true });
});

describe("session_search in a real Pi run", () => {
  it("finds, browses, reads and scrolls as the library does, without the current session", async () => {
    const { value, stderr } = await runCodemode(
      { agentDir: agent.path, cwd, extensions },
      `const found = await tools.session_search({ query: "backoff jitter" });
       const hit = found.results[0];
       const around = await tools.session_search({ sessionId: hit.path, aroundMessageId: hit.matchMessageId, window: 1 });
       const read = await tools.session_search({ sessionId: hit.path });
       const recent = await tools.session_search({ limit: 10 });
       return { found, around, read, recent };`,
    );
    expect(stderr).toBe("");
    const options = { sessionsRoot: agent.sessions };
    const found = await searchSessions({ query: "backoff jitter" }, options);
    expect(value["found"]).toEqual(found);
    if (found.mode !== "discovery") throw new Error("not discovery");
    const [hit] = found.results;
    expect(hit).toMatchObject({ rank: 0, match: "all", role: "assistant" });
    const sessionId = hit?.path ?? "";
    const around = { sessionId, aroundMessageId: hit?.matchMessageId ?? "", window: 1 };
    expect(value["around"]).toEqual(await searchSessions(around, options));
    expect(value["read"]).toEqual(await searchSessions({ sessionId }, options));
    expect(JSON.stringify(value["recent"])).not.toContain(path.basename(cwd));
  });

  it("keeps its index private, beside Pi's own files", () => {
    const directory = path.join(agent.path, "config", "pi-retrospect");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(directory, "index.db")).mode & 0o777).toBe(0o600);
  });

  it("answers by scanning when the index is disabled, and makes none", async () => {
    const scanning = makeAgentDir({
      defaultTools: ["+codemode"],
      piRetrospect: { index: { enabled: false } },
    });
    try {
      cpSync(agent.sessions, scanning.sessions, { recursive: true });
      const { value } = await runCodemode(
        { agentDir: scanning.path, cwd, extensions },
        `return await tools.session_search({ query: "ECONNREFUSED" });`,
      );
      expect(value).toMatchObject({ mode: "discovery" });
      expect(value["results"]).not.toEqual([]);
      const index = path.join(scanning.path, "config", "pi-retrospect", "index.db");
      expect(statSync(index, { throwIfNoEntry: false })).toBeUndefined();
    } finally {
      scanning.dispose();
    }
  });

  it("throws on conflicting arguments, naming both", async () => {
    const { value } = await runCodemode(
      { agentDir: agent.path, cwd, extensions },
      `try { await tools.session_search({ query: "a", sessionId: "/x.jsonl" }); return { error: null }; }
       catch (error) { return { error: error.message }; }`,
    );
    expect(value["error"]).toMatch(/query.*sessionId|sessionId.*query/);
  });
});
