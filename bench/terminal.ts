/**
 * A terminal that is watched closely: tmux in control mode tells of each output as it comes, and answers questions about
 * the screen in a millisecond, where a process for each look would take several.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export interface WatchedOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

export class WatchedTerminal {
  readonly #socket: string;
  readonly #control: ChildProcessByStdio<Writable, Readable, null>;
  /** Whoever waits for the reply to a command, in order. */
  readonly #waiting: ((reply: readonly string[]) => void)[] = [];
  #reply: string[] | undefined;
  #onOutput: (() => void) | undefined;

  constructor({ command, cwd, env, columns, rows }: WatchedOptions) {
    this.#socket = `pi-retrospect-bench-${process.pid}`;
    const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const shell = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, ...variables, shell);
    this.#tmux("set-option", "-g", "escape-time", "0");
    this.#tmux("set-option", "-g", "window-size", "manual");
    this.#control = spawn("tmux", ["-L", this.#socket, "-C", "attach"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#waiting.push(() => undefined); // attaching has a reply of its own
    // Without it nothing will be answered any more.
    this.#control.once("close", () => {
      for (const answer of this.#waiting.splice(0)) answer(["the terminal has ended"]);
      this.#onOutput?.();
    });
    createInterface({ input: this.#control.stdout }).on("line", (line) => this.#take(line));
  }

  type(text: string): void {
    void this.#ask(`send-keys -l '${text}'`);
  }

  press(key: string): void {
    void this.#ask(`send-keys ${key}`);
  }

  async screen(): Promise<readonly string[]> {
    return this.#ask("capture-pane -p");
  }

  /** When the screen first matched, as `performance.now()`; it is looked at after each output. */
  async waitFor(matches: (screen: readonly string[]) => boolean, timeoutMs = 30_000): Promise<number> {
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      const changed = this.#nextOutput(deadlineMs);
      const screen = await this.screen();
      const nowMs = performance.now();
      if (matches(screen)) return nowMs;
      if (nowMs > deadlineMs) throw new Error(`not on the screen in time:\n${screen.join("\n")}`);
      await changed;
    }
  }

  close(): void {
    spawnSync("tmux", ["-L", this.#socket, "kill-server"], { stdio: "ignore" });
    this.#control.kill();
  }

  #nextOutput(deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, deadlineMs - performance.now())).unref();
      this.#onOutput = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #ask(command: string): Promise<readonly string[]> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#control.stdin.write(`${command}\n`);
    });
  }

  #take(line: string): void {
    if (line.startsWith("%begin ")) this.#reply = [];
    else if (line.startsWith("%end ") || line.startsWith("%error ")) {
      this.#waiting.shift()?.(this.#reply ?? []);
      this.#reply = undefined;
    } else if (this.#reply !== undefined) this.#reply.push(line);
    else if (line.startsWith("%output ")) this.#onOutput?.();
  }

  #tmux(...args: readonly string[]): void {
    const { status, stderr } = spawnSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`tmux ended with ${status}: ${stderr}`);
  }
}
