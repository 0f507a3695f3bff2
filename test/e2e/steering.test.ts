import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSessionEntries } from "../../src/index.ts";
import { type AgentDir, makeAgentDir, PiRpc } from "../support/pi-run.ts";

const extensions = [path.resolve(import.meta.dirname, "..", "..", "dist", "extension.js")];
const image = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};
const slowAnswer = {
  text: "one two three four five six seven eight nine ten eleven twelve",
  tokensPerSecond: 20,
};
let agent: AgentDir;
let cwd: string;

beforeEach(() => {
  agent = makeAgentDir({ piRetrospect: { markSteeringMessages: true } });
  cwd = mkdtempSync(path.join(tmpdir(), "pi-retrospect-steer-"));
});
afterEach(() => {
  agent.dispose();
  rmSync(cwd, { recursive: true, force: true });
});

/** User texts of the session, in order, after the given messages were sent while the model was streaming. */
async function steer(sendWhileStreaming: (pi: PiRpc) => Promise<void>, args: readonly string[] = []) {
  const script = { answers: [slowAnswer], fallback: { text: "Understood." } };
  const pi = await PiRpc.start({ agentDir: agent.path, cwd, script, extensions, args });
  try {
    const from = pi.events.length;
    await pi.send({ type: "prompt", message: "write a parser" });
    await pi.waitFor((event) => event.type === "message_update", { from });
    await sendWhileStreaming(pi);
    await pi.settled(from);
    const sessionPath = await pi.sessionFile();
    const store = { sessionsRoot: agent.sessions };
    const { entries } = await readSessionEntries({ sessionPath, messageRoles: ["user"] }, store);
    const found = await readSessionEntries(
      { sessionPath, search: { terms: ["STEERING: "], caseSensitive: true } },
      store,
    );
    return {
      texts: entries.map(({ text }) => text),
      raw: entries.map((entry) => entry.raw),
      found: found.entries,
    };
  } finally {
    await pi.close();
  }
}

describe("the steering marker in a real Pi run", () => {
  it("is stored with a steering message and found by session_entries; the idle prompt is unchanged", async () => {
    const { texts, found } = await steer(async (pi) => {
      await pi.send({ type: "steer", message: "no, a lexer first" });
    });
    expect(texts).toEqual(["write a parser", "STEERING: no, a lexer first"]);
    expect(found.map(({ text }) => text)).toEqual(["STEERING: no, a lexer first"]);
  });

  it("leaves follow-ups and marked text as they are, and keeps images", async () => {
    const { texts, raw } = await steer(async (pi) => {
      await pi.send({ type: "steer", message: "STEERING: already marked" });
      await pi.send({ type: "steer", message: "like this", images: [image] });
      await pi.send({ type: "follow_up", message: "and then test it" });
    });
    expect(texts).toEqual([
      "write a parser",
      "STEERING: already marked",
      "STEERING: like this",
      "and then test it",
    ]);
    expect(JSON.stringify(raw[2])).toContain(image.data);
  });

  it("is off by default, and on in a trusted project's settings", async () => {
    agent.dispose();
    agent = makeAgentDir();
    const plain = await steer(async (pi) => {
      await pi.send({ type: "steer", message: "no" });
    });
    expect(plain.texts).toEqual(["write a parser", "no"]);

    mkdirSync(path.join(cwd, ".pi"));
    const settings = { piRetrospect: { markSteeringMessages: true } };
    writeFileSync(path.join(cwd, ".pi", "settings.json"), JSON.stringify(settings));
    const trusted = await steer(
      async (pi) => {
        await pi.send({ type: "steer", message: "no" });
      },
      ["--approve"],
    );
    expect(trusted.texts).toEqual(["write a parser", "STEERING: no"]);
    const untrusted = await steer(
      async (pi) => {
        await pi.send({ type: "steer", message: "no" });
      },
      ["--no-approve"],
    );
    expect(untrusted.texts).toEqual(["write a parser", "no"]);
  });
});
