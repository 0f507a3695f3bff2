/**
 * How a story is played: starts real Pi in the workspace, with the story's extension and a script of answers,
 * and remembers which session file shows what.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { piCli, SCRIPTED_MODEL_EXTENSION } from "../../test/support/pi-process.ts";
import { type ModelScript, type PiOptions, PiRpc, runPi } from "../../test/support/pi-run.ts";
import { SCRIPTED_MODEL, type ScriptedCall } from "../../test/support/scripted-model.ts";
import type { Workspace } from "./workspace.ts";

/** A recorded session: a short stable name, where it is, and one line on what it shows. */
export interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly shows: string;
}

export interface Scene {
  readonly cwd: string;
  readonly script: ModelScript;
  readonly tools?: string;
  /** Default: a short prompt of the story; "pi" keeps Pi's own. */
  readonly systemPrompt?: "pi" | "short";
  readonly args?: readonly string[];
  /** Scripts of subagents, by agent. */
  readonly agents?: Readonly<Record<string, ModelScript>>;
}

const EXTENSION = fileURLToPath(new URL("./story-extension.ts", import.meta.url));
const SYSTEM_PROMPT = "You are Ada's coding agent. Be brief, and name files and lines.";

export class Stage {
  readonly workspace: Workspace;
  readonly recorded: Recorded[] = [];
  #scripts = 0;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  open(scene: Scene): Promise<PiRpc> {
    return PiRpc.start(this.#options(scene));
  }

  /** A print-mode run; returns the new session's path. */
  async print(scene: Scene, ...prompts: string[]): Promise<string> {
    const before = new Set(this.topLevel());
    const result = await runPi({ ...this.#options(scene), prompts });
    if (result.code !== 0) throw new Error(`pi exit ${result.code}: ${result.stderr}`);
    const [path, ...more] = this.topLevel().filter((file) => !before.has(file));
    if (path === undefined || more.length > 0) throw new Error("a print run writes one session");
    return path;
  }

  remember(name: string, path: string, shows: string): void {
    this.recorded.push({ name, path, shows });
  }

  topLevel(): string[] {
    const sessions = join(this.workspace.agentDir, "sessions");
    return readdirSync(sessions, { recursive: true, encoding: "utf8" })
      .filter((file) => file.split("/").length === 2 && file.endsWith(".jsonl"))
      .map((file) => join(sessions, file));
  }

  #options({
    cwd,
    script,
    tools = "read,bash",
    systemPrompt = "short",
    args = [],
    agents = {},
  }: Scene): PiOptions {
    const directory = join(this.workspace.root, "scripts", String(++this.#scripts));
    mkdirSync(directory, { recursive: true });
    for (const [agent, answers] of Object.entries({ main: script, ...agents })) {
      writeFileSync(join(directory, `${agent}.json`), JSON.stringify(answers));
    }
    const prompt = systemPrompt === "short" ? ["--system-prompt", SYSTEM_PROMPT, "--no-context-files"] : [];
    const common = ["--no-skills", "--no-prompt-templates", "--no-themes", "--tools", tools, ...prompt];
    const extensions = ["-e", SCRIPTED_MODEL_EXTENSION, "-e", EXTENSION];
    return {
      agentDir: this.workspace.agentDir,
      cwd,
      script: join(directory, "main.json"),
      args: [...common, ...args],
      extensions: [EXTENSION],
      env: {
        ...this.workspace.environment,
        PI_STORY_CLI: piCli(),
        PI_STORY_CHILD_ARGS: JSON.stringify(["--model", SCRIPTED_MODEL, ...extensions, ...common]),
      },
    };
  }
}

/** One tool call of a script. */
export function call(name: string, args: ScriptedCall["arguments"]): ScriptedCall {
  return { name, arguments: args };
}

export const bash = (command: string) => call("bash", { command });
export const read = (path: string) => call("read", { path });
