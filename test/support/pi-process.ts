/**
 * Starts real Pi as a child process: which Node, which release, which environment. Owns the promise that no
 * child outlives its deadline or the process that started it. `pi-run.ts` is the interface to use.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ModelScript, SCRIPT_VARIABLE, SCRIPTED_MODEL } from "./scripted-model.ts";

export const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
export const PI_PACKAGE = join(REPOSITORY, "node_modules", "@earendil-works", "pi-coding-agent");
export const SCRIPTED_MODEL_EXTENSION = fileURLToPath(new URL("./scripted-model.ts", import.meta.url));
export const DEFAULT_TIMEOUT_MS = 60_000;

export interface PiOptions {
  /** Throwaway PI_CODING_AGENT_DIR; see `makeAgentDir`. */
  readonly agentDir: string;
  readonly cwd: string;
  /** The model's answers, or the path of a file that holds them. */
  readonly script: ModelScript | string;
  readonly args?: readonly string[];
  /** Paths of extensions to load besides the scripted model. */
  readonly extensions?: readonly string[];
  /** Added to the environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whole life of the process. Default 60,000 ms. */
  readonly timeoutMs?: number;
  /** Folder of another release of Pi. Default: the one in node_modules. */
  readonly piPackage?: string;
  /** Executable that runs Pi. Default: the pinned Node. */
  readonly runtime?: string;
}

export interface AgentDir {
  readonly path: string;
  readonly sessions: string;
  dispose(): void;
}

/** A fresh agent directory with the given settings. */
export function makeAgentDir(settings: Readonly<Record<string, unknown>> = {}, path?: string): AgentDir {
  const directory = path ?? mkdtempSync(join(tmpdir(), "pi-agent-"));
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(directory, "settings.json"),
    JSON.stringify({ enableInstallTelemetry: false, ...settings }),
  );
  return {
    path: directory,
    sessions: join(directory, "sessions"),
    dispose: () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The Node of the `node` devDependency, else the running one. */
export function pinnedNode(): string {
  const executable = process.platform === "win32" ? "node.exe" : "node";
  const pinned = join(REPOSITORY, "node_modules", "node", "bin", executable);
  return existsSync(pinned) ? pinned : process.execPath;
}

export function piCli(piPackage: string = PI_PACKAGE): string {
  const manifest: unknown = createRequire(import.meta.url)(join(piPackage, "package.json"));
  if (typeof manifest === "object" && manifest !== null && "bin" in manifest) {
    const { bin } = manifest;
    if (typeof bin === "object" && bin !== null && "pi" in bin && typeof bin.pi === "string") {
      return join(piPackage, bin.pi);
    }
  }
  throw new Error(`no Pi in ${piPackage}`);
}

const live = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of live) killTree(child);
});

/** Starts Pi with the scripted model; it is killed at the deadline with whatever it has started. */
export function spawnPi(options: PiOptions, modeArgs: readonly string[]): ChildProcess {
  const scriptPath = typeof options.script === "string" ? options.script : writeScript(options);
  const extensions = [SCRIPTED_MODEL_EXTENSION, ...(options.extensions ?? [])].flatMap((path) => [
    "-e",
    path,
  ]);
  const args = ["--model", SCRIPTED_MODEL, ...extensions, ...(options.args ?? []), ...modeArgs];
  const child = spawn(options.runtime ?? pinnedNode(), [piCli(options.piPackage), ...args], {
    cwd: options.cwd,
    env: environment(options, scriptPath),
    stdio: ["pipe", "pipe", "pipe"],
  });
  live.add(child);
  const deadline = setTimeout(() => killTree(child), options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const ended = () => {
    clearTimeout(deadline);
    live.delete(child);
  };
  // Writing to a Pi that has ended is no failure of its own: the exit status tells.
  child.stdin?.on("error", () => undefined);
  child.once("close", ended);
  child.once("error", ended);
  return child;
}

/** Kills a child with all its descendants; Pi puts shell commands into process groups of their own. */
export function killTree(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === "win32") {
    execFileSync("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  for (const pid of [child.pid, ...descendantsOf(child.pid)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It may have ended since the list was made.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

function descendantsOf(ancestor: number): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const children = new Map<number, number[]>();
  for (const line of table.trim().split("\n")) {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [ancestor];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found.slice(1);
}

function writeScript(options: PiOptions): string {
  const path = join(options.agentDir, `script-${process.hrtime.bigint()}.json`);
  writeFileSync(path, JSON.stringify(options.script));
  return path;
}

function environment(options: PiOptions, scriptPath: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PI_|AI_AGENT$|NODE_OPTIONS$|VITEST)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: `${dirname(pinnedNode())}${delimiter}${process.env.PATH ?? ""}`,
    PI_CODING_AGENT_DIR: options.agentDir,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
    [SCRIPT_VARIABLE]: scriptPath,
    ...options.env,
  };
}
