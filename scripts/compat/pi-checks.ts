/** What must work on every release of Pi, each check a real run of Pi with the installed package. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readSessionEntries } from "../../src/index.ts";
import { runCodemode } from "../../test/support/codemode.ts";
import { piCli } from "../../test/support/pi-process.ts";
import {
  type AgentDir,
  makeAgentDir,
  PiRpc,
  pinnedNode,
  sessionFilesBelow,
} from "../../test/support/pi-run.ts";
import { type Check, requireEqual } from "./report.ts";

export interface PiUnderTest {
  readonly piPackage: string;
  /** Executable that runs Pi; absent for the pinned Node. */
  readonly runtime?: string;
  readonly tarball: string;
  /** A store to look into. */
  readonly samples: string;
}

interface Installed extends PiUnderTest {
  readonly agent: AgentDir;
  readonly cwd: string;
}

const CHECKS: Readonly<Record<string, (pi: Installed) => Promise<void>>> = {
  list_sessions: checkList,
  session_entries: checkEntries,
  session_search: checkSearch,
  direct: checkDirect,
  steering: checkSteering,
};

export const PI_COLUMNS = ["install", ...Object.keys(CHECKS)];

/** Installs the package into an empty Pi and runs every check; a failure ends one check, not the others. */
export async function checkPi(pi: PiUnderTest): Promise<readonly Check[]> {
  const agent = makeAgentDir({
    defaultTools: ["+codemode"],
    piRetrospect: { markSteeringMessages: true },
  });
  const cwd = mkdtempSync(path.join(tmpdir(), "pi-retrospect-compat-"));
  try {
    const installed: Installed = { ...pi, agent, cwd };
    const results = [await attempt("install", async () => install(installed))];
    cpSync(pi.samples, agent.sessions, { recursive: true });
    for (const [name, check] of Object.entries(CHECKS)) {
      results.push(await attempt(name, () => check(installed)));
    }
    return results;
  } finally {
    agent.dispose();
    rmSync(cwd, { recursive: true, force: true });
  }
}

export async function attempt(name: string, run: () => Promise<void>): Promise<Check> {
  try {
    await run();
    return { name };
  } catch (error) {
    return { name, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Only this spelling installs and loads a tarball. */
function install({ piPackage, runtime = pinnedNode(), tarball, agent, cwd }: Installed): void {
  execFileSync(runtime, [piCli(piPackage), "install", `npm:pi-retrospect@file:${tarball}`], {
    cwd,
    env: { ...process.env, PI_CODING_AGENT_DIR: agent.path, PI_SKIP_VERSION_CHECK: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function codemode(pi: Installed, code: string): Promise<Readonly<Record<string, unknown>>> {
  const { piPackage, runtime, agent, cwd } = pi;
  const at = { piPackage, agentDir: agent.path, cwd, ...(runtime === undefined ? {} : { runtime }) };
  const { value, stderr } = await runCodemode(at, code);
  requireEqual("stderr", stderr, "");
  return value;
}

async function checkList(pi: Installed): Promise<void> {
  const value = await codemode(
    pi,
    `const { sessions } = await tools.list_sessions({ limit: 2 });
     const own = await tools.list_sessions({ includeCurrentSession: true, cwds: [${JSON.stringify(pi.cwd)}] });
     let refusal = "none";
     try { await tools.list_sessions({ limit: 0 }); } catch (error) { refusal = error.message.includes("limit") ? "limit" : error.message; }
     return { rows: sessions.length, own: own.sessions.length, refusal };`,
  );
  requireEqual("list_sessions", value, { rows: 2, own: 1, refusal: "limit" });
}

async function checkEntries(pi: Installed): Promise<void> {
  const value = await codemode(
    pi,
    `const { sessions } = await tools.list_sessions({ limit: 2 });
     const { entries } = await tools.session_entries({ sessionPath: sessions[1].path, limit: 5, raw: "none" });
     const { entries: users } = await tools.session_entries({ sessionPath: sessions[1].path, messageRoles: ["user"], limit: 1 });
     return { rows: entries.length, role: users[0].messageRole, raw: typeof users[0].raw };`,
  );
  requireEqual("session_entries", value, { rows: 5, role: "user", raw: "object" });
}

async function checkSearch(pi: Installed): Promise<void> {
  const value = await codemode(
    pi,
    `const found = await tools.session_search({ query: "backoff jitter" });
     const hit = found.results[0];
     const around = await tools.session_search({ sessionId: hit.path, aroundMessageId: hit.matchMessageId, window: 1 });
     const recent = await tools.session_search({});
     return { mode: found.mode, match: hit.match, warning: found.syncWarning ?? null,
       anchors: around.messages.filter((message) => message.anchor).length, recent: recent.sessions.length };`,
  );
  const expected = { mode: "discovery", match: "all", warning: null, anchors: 1, recent: 3 };
  requireEqual("session_search", value, expected);
}

/** The model may call `session_search` without codemode. */
async function checkDirect(pi: Installed): Promise<void> {
  const { piPackage, runtime, agent, cwd } = pi;
  const call = { name: "session_search", arguments: { query: "backoff jitter", limit: 1 } };
  const rpc = await PiRpc.start({
    ...{ piPackage, agentDir: agent.path, cwd },
    ...(runtime === undefined ? {} : { runtime }),
    script: { answers: [{ calls: [call] }, { text: "Done." }] },
  });
  try {
    const from = rpc.events.length;
    await rpc.send({ type: "prompt", message: "look back" });
    const ended = await rpc.waitFor(({ type }) => type === "tool_execution_end", { from });
    await rpc.settled(from);
    requireEqual("isError", ended["isError"], false);
    requireEqual("structured answer", JSON.stringify(ended).includes('\\"mode\\":\\"discovery\\"'), true);
  } finally {
    await rpc.close();
  }
}

async function checkSteering(pi: Installed): Promise<void> {
  const { piPackage, runtime, agent, cwd } = pi;
  const slow = { text: "one two three four five six seven eight nine ten eleven", tokensPerSecond: 20 };
  const rpc = await PiRpc.start({
    ...{ piPackage, agentDir: agent.path, cwd },
    ...(runtime === undefined ? {} : { runtime }),
    script: { answers: [slow], fallback: { text: "Understood." } },
  });
  try {
    const from = rpc.events.length;
    await rpc.send({ type: "prompt", message: "write a parser" });
    await rpc.waitFor(({ type }) => type === "message_update", { from });
    await rpc.send({ type: "steer", message: "no, a lexer first" });
    await rpc.settled(from);
    const sessionPath = await rpc.sessionFile();
    const { entries } = await readSessionEntries(
      { sessionPath, messageRoles: ["user"] },
      { sessionsRoot: agent.sessions },
    );
    const texts = entries.map(({ text }) => text);
    requireEqual("user messages", texts, ["write a parser", "STEERING: no, a lexer first"]);
    requireEqual("session files", sessionFilesBelow(agent.path).includes(sessionPath), true);
  } finally {
    await rpc.close();
  }
}
