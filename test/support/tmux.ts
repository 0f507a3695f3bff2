/**
 * Real Pi in a real terminal: tmux of its own socket, driven by keys, read as text or with its colours. Every wait has a
 * deadline, and the socket's server is ended with whatever runs in it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { piCli, pinnedNode, SCRIPTED_MODEL_EXTENSION } from "./pi-process.ts";
import type { ModelScript } from "./scripted-model.ts";
import { SCRIPT_VARIABLE, SCRIPTED_MODEL } from "./scripted-model.ts";

const WAIT_MS = 30_000;
const POLL_MS = 40;

export function hasTmux(): boolean {
  return spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalOptions extends Size {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface PiTerminalOptions extends Size {
  readonly agentDir: string;
  readonly cwd: string;
  readonly script?: ModelScript;
  readonly extensions?: readonly string[];
  readonly args?: readonly string[];
  readonly theme?: "dark" | "light";
  readonly env?: Readonly<Record<string, string>>;
}

export class Tmux {
  readonly #socket = `pi-retrospect-${process.pid}-${randomBytes(4).toString("hex")}`;

  private constructor({ columns, rows, cwd, env, command }: TerminalOptions) {
    const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#run("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, ...variables, shellOf(command));
    this.#run("set-option", "-g", "escape-time", "0");
    this.#run("set-option", "-s", "extended-keys", "on");
    this.#run("set-option", "-g", "set-clipboard", "on");
    this.#run("set-option", "-g", "remain-on-exit", "on");
  }

  static start(options: TerminalOptions): Tmux {
    return new Tmux(options);
  }

  /** Pi in interactive mode with the scripted model. */
  static startPi(options: PiTerminalOptions): Tmux {
    const {
      agentDir,
      cwd,
      script = { answers: [] },
      extensions = [],
      args = [],
      theme = "dark",
      env = {},
    } = options;
    const scriptPath = join(agentDir, "script.json");
    writeFileSync(scriptPath, JSON.stringify(script));
    const loaded = [SCRIPTED_MODEL_EXTENSION, ...extensions].flatMap((path) => ["-e", path]);
    return Tmux.start({
      ...{ columns: options.columns, rows: options.rows, cwd },
      command: [pinnedNode(), piCli(), "--model", SCRIPTED_MODEL, "--use-theme", theme, ...loaded, ...args],
      env: {
        PATH: `${dirname(pinnedNode())}:${process.env["PATH"] ?? ""}`,
        COLORTERM: "truecolor",
        PI_CODING_AGENT_DIR: agentDir,
        PI_OFFLINE: "1",
        PI_SKIP_VERSION_CHECK: "1",
        PI_TELEMETRY: "0",
        [SCRIPT_VARIABLE]: scriptPath,
        ...env,
      },
    });
  }

  /** Named keys: `Enter`, `Escape`, `Tab`, `Down`, `M-Enter`. */
  press(...keys: readonly string[]): void {
    this.#run("send-keys", ...keys);
  }

  type(text: string): void {
    this.#run("send-keys", "-l", text);
  }

  resize({ columns, rows }: Size): void {
    this.#run("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** The screen as text, line by line. */
  screen(): string {
    return this.#run("capture-pane", "-p");
  }

  /** The screen with its colours as escape sequences; cells that hold nothing are kept. */
  coloredScreen(): string {
    return this.#run("capture-pane", "-p", "-e", "-N");
  }

  /** What programs have set: the pane's title and the clipboard. */
  sideEffects(): { readonly title: string; readonly clipboard: string } {
    const title = this.#run("display-message", "-p", "#{pane_title}").trim();
    const clipboard = spawnSync("tmux", ["-L", this.#socket, "show-buffer"], { encoding: "utf8" }).stdout;
    return { title, clipboard };
  }

  /** The screen as soon as it matches; throws with what it shows instead. */
  async waitFor(pattern: RegExp | string, timeoutMs = WAIT_MS): Promise<string> {
    const matches = (screen: string) =>
      typeof pattern === "string" ? screen.includes(pattern) : pattern.test(screen);
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const screen = this.screen();
      if (matches(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`no ${pattern} on the screen:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  close(): void {
    spawnSync("tmux", ["-L", this.#socket, "kill-server"], { stdio: "ignore" });
  }

  #run(...args: readonly string[]): string {
    return execFileSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8" });
  }
}

function shellOf(command: readonly string[]): string {
  return command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}
