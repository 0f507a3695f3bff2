/**
 * The demo: a real Pi run on the recorded sample store, without network. The model is scripted, everything else is
 * real: Pi, codemode, the built extension and its tools. Prints the calls, the answer, and the cited lines as they
 * stand in the files; fails when a citation does not hold.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readSessionEntries } from "../src/index.ts";
import { isObject, makeAgentDir, runPi } from "../test/support/pi-run.ts";
import { CODEMODE_SCRIPT, QUESTION, SCRIPT } from "./demo/script.ts";

const repository = path.resolve(import.meta.dirname, "..");
const agent = makeAgentDir({ defaultTools: ["+codemode"] });
const workingDirectory = mkdtempSync(path.join(tmpdir(), "pi-retrospect-demo-"));
try {
  cpSync(path.join(repository, "samples", "recorded", "sessions"), agent.sessions, { recursive: true });
  print("Pi, codemode and the tools are real here; the model is a script (scripts/demo/script.ts).");
  heading("question");
  print(QUESTION);
  heading("the agent's codemode script");
  print(CODEMODE_SCRIPT);

  const run = await runPi({
    agentDir: agent.path,
    cwd: workingDirectory,
    script: SCRIPT,
    prompts: [QUESTION],
    extensions: [path.join(repository, "dist", "extension.js")],
    args: ["--mode", "json"],
  });
  if (run.code !== 0) throw new Error(`Pi ended with status ${run.code}\n${run.stderr}`);
  const events = run.stdout.split("\n").filter(Boolean).map(parseEvent);

  heading("calls that Pi ran");
  const calls = events.filter((event) => event.type === "tool_execution_start").map(describeCall);
  for (const call of calls) print(call);
  const answer = events.map(answerOf).findLast((text) => text !== undefined) ?? "";
  heading("answer");
  print(answer.replaceAll(agent.sessions, "<sessions>"));

  heading("the cited lines, read again");
  const citations = [...answer.matchAll(/^ {4}(.+):(\d+) \((\w+)\)$/gm)];
  if (citations.length === 0) throw new Error("the answer cites nothing");
  for (const [, sessionPath = "", line, id] of citations) {
    const lineNo = Number(line);
    const params = { sessionPath, startLineNo: lineNo, endLineNo: lineNo };
    const { entries } = await readSessionEntries(params, { sessionsRoot: agent.sessions });
    const [entry] = entries;
    if (entry?.id !== id) throw new Error(`line ${lineNo} of ${sessionPath} is not the cited entry ${id}`);
    print(`  line ${lineNo}, ${entry?.messageRole}: ${entry?.text?.split("\n")[0]}`);
  }
} finally {
  agent.dispose();
  rmSync(workingDirectory, { recursive: true, force: true });
}

type Event = Readonly<Record<string, unknown>>;

function parseEvent(line: string): Event {
  const event: unknown = JSON.parse(line);
  return isObject(event) ? event : {};
}

function describeCall({ toolName, args, parentToolCallId }: Event): string {
  const shown = toolName === "codemode" ? "the script above" : JSON.stringify(args);
  return `${parentToolCallId === undefined ? "" : "  "}${toolName} ${shown.replaceAll(agent.sessions, "<sessions>")}`;
}

function answerOf({ type, message }: Event): string | undefined {
  if (type !== "message_end" || !isObject(message) || message.role !== "assistant") return undefined;
  if (!Array.isArray(message.content)) return undefined;
  return message.content
    .map((block: unknown) => (isObject(block) && typeof block.text === "string" ? block.text : ""))
    .join("");
}

function heading(title: string): void {
  print(`\n── ${title} ${"─".repeat(Math.max(0, 70 - title.length))}`);
}

function print(text: string): void {
  console.log(text);
}
