import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listSessions, readSessionEntries } from "../../src/index.ts";
import { runCodemode } from "../support/codemode.ts";
import { type AgentDir, makeAgentDir } from "../support/pi-run.ts";

const repository = path.resolve(import.meta.dirname, "..", "..");
const extensions = [path.join(repository, "dist", "extension.js")];
let agent: AgentDir;
let cwd: string;

beforeAll(() => {
  agent = makeAgentDir({ defaultTools: ["+codemode"] });
  cwd = mkdtempSync(path.join(tmpdir(), "pi-retrospect-e2e-"));
  cpSync(path.join(repository, "samples", "recorded", "sessions"), agent.sessions, { recursive: true });
});

afterAll(() => {
  agent.dispose();
  rmSync(cwd, { recursive: true, force: true });
});

describe("a real Pi run", () => {
  it("lists what the library lists, without the current session unless it is asked for", async () => {
    const store = { sessionsRoot: agent.sessions };
    const before = await listSessions({}, store);
    const { value, sessionFiles, stderr } = await runCodemode(
      { agentDir: agent.path, cwd, extensions },
      `const others = await tools.list_sessions({});
       const all = await tools.list_sessions({ includeCurrentSession: true });
       return { others, all };`,
    );
    expect(stderr).toBe("");
    expect(value["others"]).toEqual(before);
    const current = sessionFiles.filter((file) => !JSON.stringify(before).includes(file));
    expect(current).toHaveLength(1);
    expect(value["all"]).toEqual(await listSessions({}, store));
    expect(JSON.stringify(value["all"])).toContain(current[0]);
  });

  it("reads what the library reads, raw lines included", async () => {
    const store = { sessionsRoot: agent.sessions };
    const { sessions } = await listSessions({}, store);
    const decision = sessions[1];
    if (decision === undefined) throw new Error("no sample session");
    const { value } = await runCodemode(
      { agentDir: agent.path, cwd, extensions },
      `return { output: await tools.session_entries({ sessionPath: ${JSON.stringify(decision.path)} }) };`,
    );
    expect(value["output"]).toEqual(await readSessionEntries({ sessionPath: decision.path }, store));
  });

  it("reads the session it runs in", async () => {
    const { value } = await runCodemode(
      { agentDir: agent.path, cwd, extensions },
      `const { sessions } = await tools.list_sessions({ includeCurrentSession: true, cwds: [${JSON.stringify(cwd)}] });
       const { entries } = await tools.session_entries({ sessionPath: sessions.at(-1).path, messageRoles: ["user"] });
       return { texts: entries.map((entry) => entry.text) };`,
    );
    expect(value).toEqual({ texts: ["go"] });
  });

  it("reads a session directory outside the default root while it runs there", async () => {
    const elsewhere = mkdtempSync(path.join(tmpdir(), "pi-retrospect-flat-"));
    try {
      const args = ["--session-dir", elsewhere];
      const { value } = await runCodemode(
        { agentDir: agent.path, cwd, extensions, args },
        `const { sessions } = await tools.list_sessions({ includeCurrentSession: true });
         const own = sessions.at(-1).path;
         const { entries } = await tools.session_entries({ sessionPath: own, types: ["message"], limit: 1 });
         return { own, rows: entries.length, all: sessions.length };`,
      );
      expect(String(value["own"]).startsWith(elsewhere)).toBe(true);
      expect(value["rows"]).toBe(1);
      expect(Number(value["all"])).toBeGreaterThan(1);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  it("answers without a session file: no current session, no crash", async () => {
    const { value } = await runCodemode(
      { agentDir: agent.path, cwd, extensions, args: ["--no-session"] },
      "return { rows: (await tools.list_sessions({ limit: 1 })).sessions.length };",
    );
    expect(value).toEqual({ rows: 1 });
  });

  it("refuses a caller's mistake with a message that names the parameter", async () => {
    const calls = [
      "tools.list_sessions({ limit: 0 })",
      'tools.list_sessions({ startTimestamp: "yesterday" })',
      'tools.list_sessions({ cursor: "AAAA" })',
      "tools.list_sessions({ sessionPath: 1 })",
      'tools.list_sessions({ cwds: ["relative"] })',
      'tools.session_entries({ sessionPath: "relative.jsonl" })',
      'tools.session_entries({ sessionPath: "/etc/passwd" })',
      'tools.session_entries({ sessionPath: "/a", startLineNo: 3, endLineNo: 2 })',
    ];
    const { value } = await runCodemode(
      { agentDir: agent.path, cwd, extensions },
      `const errors = [];
       for (const call of [${calls.map((call) => `() => ${call}`).join(", ")}]) {
         try { await call(); errors.push("no error"); } catch (error) { errors.push(error.message.split("\\n").slice(0, 2).join(" ")); }
       }
       return { errors };`,
    );
    expect(value["errors"]).toEqual([
      expect.stringContaining("limit"),
      expect.stringMatching(/startTimestamp.*YYYY-MM-DD/),
      expect.stringContaining("cursor is damaged"),
      expect.stringContaining("sessionPath"),
      expect.stringMatching(/cwds.*absolute/),
      expect.stringMatching(/sessionPath.*absolute/),
      expect.stringContaining("outside the sessions root"),
      expect.stringMatching(/endLineNo 2.*startLineNo 3/),
    ]);
  });
});
