/**
 * The Pi extension of the recording: what the story needs and plain Pi does not start by itself over RPC.
 *
 *   /rewind <n>        goes back before the n-th user message and summarizes what is left behind
 *   /bookmark <label>  labels the last assistant message
 *   /decide <text>     logs a decision (custom entry) and tells the model (custom message)
 *   /tools <a,b>       changes the active tools, which Pi records as a patch of the system message
 *   subagent           a tool that runs further real Pi processes in the layout of the subagent extension
 *
 * Tool output of more than MAX_OUTPUT characters is shortened for the model after its turn, and a decision
 * takes the older ones out of the model's context: both are `context_edit` entries.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExtensionAPI, ExtensionContext, SessionBoundaryDraft } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

const MAX_OUTPUT = 1_500;
const DECISION = "decision-note";

export default function story(pi: ExtensionAPI): void {
  pi.registerCommand("rewind", {
    description: "Go back before the n-th user message and summarize the branch that is left",
    handler: async (args, ctx) => {
      const users = branchMessages(ctx).filter(({ message }) => message.role === "user");
      const target = users[Number(args) - 1];
      if (target === undefined) throw new Error(`no user message ${args}`);
      await ctx.navigateTree(target.id, { summarize: true });
    },
  });
  pi.registerCommand("bookmark", {
    description: "Label the last assistant message",
    handler: async (label, ctx) => {
      const last = branchMessages(ctx).findLast(({ message }) => message.role === "assistant");
      if (last !== undefined) pi.setLabel(last.id, label);
    },
  });
  pi.registerCommand("decide", {
    description: "Record a decision",
    handler: async (text) => {
      pi.appendEntry("decision-log", { id: "0007", topic: "retry queue backoff", text });
      pi.sendMessage({ customType: DECISION, content: text, display: true, details: { id: "0007" } });
    },
  });
  pi.registerCommand("tools", {
    description: "Set the active tools",
    handler: async (names) => pi.setActiveTools(names.split(",")),
  });
  pi.on("turn_end", (event, ctx) => {
    const edits = [...longOutputs(event.toolResultEntryIds, ctx), ...oldDecisions(ctx)];
    return edits.length === 0 ? undefined : { entries: [...event.entries, ...edits] };
  });
  pi.on("cache_warming_decision", () => ({ action: "warm" }));
  registerSubagent(pi);
}

function branchMessages(ctx: ExtensionContext) {
  return ctx.sessionManager.getBranch().filter((entry) => entry.type === "message");
}

function longOutputs(ids: readonly string[], ctx: ExtensionContext): SessionBoundaryDraft[] {
  return ids.flatMap((targetId) => {
    const entry = ctx.sessionManager.getEntry(targetId);
    if (entry?.type !== "message" || entry.message.role !== "toolResult") return [];
    const text = entry.message.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    if (text.length <= MAX_OUTPUT) return [];
    const content = `[shortened from ${text.length} characters; the last lines were]\n${text.slice(-300)}`;
    return [{ type: "context_edit", targetId, replacement: { content } }];
  });
}

function oldDecisions(ctx: ExtensionContext): SessionBoundaryDraft[] {
  const branch = ctx.sessionManager.getBranch();
  const edited = new Set(branch.map((entry) => (entry.type === "context_edit" ? entry.targetId : undefined)));
  const notes = branch.filter((entry) => entry.type === "custom_message" && entry.customType === DECISION);
  return notes
    .slice(0, -1)
    .filter(({ id }) => !edited.has(id))
    .map(({ id }) => ({ type: "context_edit", targetId: id, replacement: null }));
}

/** `<session stem>/<run>/run-<n>/session.jsonl`, or `<session stem>/<run>/async-<id>/<time>_<id>.jsonl`. */
function registerSubagent(pi: ExtensionAPI): void {
  const background: Promise<void>[] = [];
  pi.on("session_shutdown", async () => {
    await Promise.all(background);
  });
  pi.registerTool({
    name: "subagent",
    label: "Subagent",
    description: "Delegate tasks to other agents, each with its own session.",
    parameters: Type.Object({
      tasks: Type.Array(Type.Object({ agent: Type.String(), task: Type.String() })),
      async: Type.Optional(Type.Boolean()),
    }),
    async execute(_id, { tasks, async }, _signal, _onUpdate, ctx) {
      const sessionFile = ctx.sessionManager.getSessionFile();
      if (sessionFile === undefined) throw new Error("subagents need a stored session");
      const run = shortHash(JSON.stringify(tasks));
      const directory = join(sessionFile.replace(/\.jsonl$/, ""), run);
      if (async === true) {
        const id = shortHash(`${run} background`);
        for (const { agent, task } of tasks) {
          const finished = runAgent(agent, task, ["--session-dir", join(directory, `async-${id}`)], ctx.cwd);
          background.push(
            finished.then((answer) => {
              const content = `Background task completed: ${agent}\n\n${answer}`;
              pi.sendMessage({ customType: "subagent-notify", content, display: true });
            }),
          );
        }
        return {
          content: [{ type: "text", text: `Started in the background: ${id}` }],
          details: { run, id },
        };
      }
      const answers: string[] = [];
      for (const [index, { agent, task }] of tasks.entries()) {
        const session = join(directory, `run-${index}`, "session.jsonl");
        mkdirSync(dirname(session), { recursive: true });
        answers.push(`${agent}: ${await runAgent(agent, task, ["--session", session], ctx.cwd)}`);
      }
      return { content: [{ type: "text", text: answers.join("\n\n") }], details: { run } };
    },
  });
}

async function runAgent(agent: string, task: string, where: readonly string[], cwd: string): Promise<string> {
  const { PI_SCRIPTED_MODEL: script, PI_STORY_CHILD_ARGS: childArgs, PI_STORY_CLI: cli } = process.env;
  if (script === undefined || childArgs === undefined || cli === undefined)
    throw new Error("not a recording");
  const args: string[] = JSON.parse(childArgs);
  const child = spawn(process.execPath, [cli, ...args, ...where, "-p", task], {
    cwd,
    env: { ...process.env, PI_SCRIPTED_MODEL: join(dirname(script), `${agent}.json`) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return output(child);
}

function output(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve(text.trim()) : reject(new Error(`subagent exit ${code}`)),
    );
  });
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
