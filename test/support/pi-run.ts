/**
 * Runs real Pi with a scripted model and no network: `runPi` for one print-mode run, `PiRpc` for a session
 * driven over RPC. Every wait has a deadline and every child is killed with its own children.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { DEFAULT_TIMEOUT_MS, killTree, type PiOptions, spawnPi } from "./pi-process.ts";

export { type AgentDir, makeAgentDir, PI_PACKAGE, type PiOptions, pinnedNode } from "./pi-process.ts";
export type { ModelScript, ScriptedAnswer, ScriptedCall } from "./scripted-model.ts";

export interface PiRunResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when the run was killed at its deadline. */
  readonly code: number | null;
  /** Session files below the agent directory, sorted. */
  readonly sessionFiles: readonly string[];
}

/** One `pi -p` run with the given prompts; resolves whatever the exit status is. */
export async function runPi(
  options: PiOptions & { readonly prompts: readonly string[]; readonly stdin?: string },
): Promise<PiRunResult> {
  const child = spawnPi(options, ["-p", ...options.prompts]);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin?.end(options.stdin ?? "");
  const code = await exitOf(child);
  return { stdout: stdout(), stderr: stderr(), code, sessionFiles: sessionFilesBelow(options.agentDir) };
}

export function sessionFilesBelow(agentDir: string): string[] {
  const sessions = join(agentDir, "sessions");
  if (!existsSync(sessions)) return [];
  const files = readdirSync(sessions, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => join(sessions, file))
    .sort();
}

/** One record that Pi writes: an event, or a response to a command. */
export type RpcRecord = Readonly<Record<string, unknown>> & { readonly type: string };
export type RpcCommand = Readonly<Record<string, unknown>> & { readonly type: string };

/** Pi in RPC mode. Events are kept in order, so a wait may start before or after they arrive. */
export class PiRpc {
  readonly events: RpcRecord[] = [];
  readonly #child: ChildProcess;
  readonly #stderr: () => string;
  readonly #exit: Promise<number | null>;
  readonly #listeners = new Set<() => void>();
  #exited = false;
  #commands = 0;

  private constructor(options: PiOptions) {
    this.#child = spawnPi(options, ["--mode", "rpc"]);
    this.#stderr = collect(this.#child.stderr);
    this.#exit = exitOf(this.#child).finally(() => {
      this.#exited = true;
      this.#notify();
    });
    this.#exit.catch(() => undefined);
    readRecords(this.#child, (record) => {
      this.events.push(record);
      this.#notify();
    });
  }

  static async start(options: PiOptions): Promise<PiRpc> {
    const pi = new PiRpc(options);
    await pi.send({ type: "get_state" });
    return pi;
  }

  /** Sends a command and returns the `data` of its response; throws when Pi refuses it. */
  async send(
    command: RpcCommand,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = `command-${++this.#commands}`;
    const from = this.events.length;
    this.#child.stdin?.write(`${JSON.stringify({ ...command, id })}\n`);
    const response = await this.waitFor((record) => record.type === "response" && record.id === id, {
      from,
      timeoutMs,
    });
    if (response.success !== true) throw new Error(`${command.type}: ${String(response.error)}`);
    return isObject(response.data) ? response.data : {};
  }

  /** The first record from position `from` (default: the next one) that the predicate accepts. */
  waitFor(
    accepts: (record: RpcRecord) => boolean,
    { from = this.events.length, timeoutMs = DEFAULT_TIMEOUT_MS }: { from?: number; timeoutMs?: number } = {},
  ): Promise<RpcRecord> {
    let next = from;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        settle();
      };
      const look = () => {
        for (; next < this.events.length; next++) {
          const record = this.events[next];
          if (record !== undefined && accepts(record)) return finish(() => resolve(record));
        }
        if (this.#exited) finish(() => reject(this.#failure("Pi ended")));
      };
      const timer = setTimeout(
        () => finish(() => reject(this.#failure("no such record in time"))),
        timeoutMs,
      );
      this.#listeners.add(look);
      look();
    });
  }

  /** Sends a prompt and waits until Pi has settled, or until an extension command has been handled. */
  async prompt(message: string, extra: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const from = this.events.length;
    const { disposition } = await this.send({ type: "prompt", message, ...extra });
    if (disposition === "handled" || (disposition === undefined && message.startsWith("/"))) return;
    await this.settled(from);
  }

  async settled(from = this.events.length): Promise<void> {
    await this.waitFor((record) => record.type === "agent_settled", { from });
  }

  async sessionFile(): Promise<string> {
    const { sessionFile } = await this.send({ type: "get_state" });
    if (typeof sessionFile !== "string") throw new Error("this session has no file");
    return sessionFile;
  }

  /** Orderly shutdown, by force after five seconds; returns the exit status. */
  async close(): Promise<number | null> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => killTree(this.#child), 5_000);
    return this.#exit.finally(() => clearTimeout(timer));
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #failure(what: string): Error {
    const last = this.events.slice(-3).map((record) => JSON.stringify(record).slice(0, 300));
    return new Error([what, "last records:", ...last, "stderr:", this.#stderr()].join("\n"));
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readRecords(child: ChildProcess, receive: (record: RpcRecord) => void): void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const record: unknown = JSON.parse(line);
      if (isRecord(record)) receive(record);
    }
  });
}

function isRecord(value: unknown): value is RpcRecord {
  return isObject(value) && typeof value.type === "string";
}

function collect(stream: ChildProcess["stdout"]): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}
