/** Child processes of the soak: their output, their end. Each is ended by its own handle. */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

export interface Child {
  readonly process: ChildProcess;
  /** Resolves when standard output holds the text. */
  says(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** @param name of a file in `children/` */
export function start(name: string, args: readonly string[], nodeArgs: readonly string[] = []): Child {
  const file = path.join(import.meta.dirname, "..", "children", `${name}.ts`);
  const child = spawn(process.execPath, ["--no-warnings", ...nodeArgs, file, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  child.stdout?.on("data", (data: Buffer) => {
    out += data.toString();
    tell();
  });
  child.stderr?.on("data", (data: Buffer) => {
    err += data.toString();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      tell();
      resolve({ code, signal, out, err });
    });
  });
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (out.includes(text)) resolve();
        else if (child.exitCode !== null) reject(new Error(`${name} ended: ${out}${err}`));
        else return;
        listeners.delete(look);
      };
      listeners.add(look);
      look();
    });
  return { process: child, says, ended };
}
