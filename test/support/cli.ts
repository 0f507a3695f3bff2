/** Runs the command line in this process, with terminals that remember what was written. */
import path from "node:path";
import { runCli } from "../../src/surface/cli/run.ts";

export interface CliSetting {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory?: string;
  readonly columns?: number;
  readonly hasColor?: boolean;
  readonly signal?: AbortSignal;
}

export interface CliResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export async function cli(args: readonly string[], setting: CliSetting = {}): Promise<CliResult> {
  const { environment = {}, workingDirectory = "/", columns, hasColor = false, signal } = setting;
  let out = "";
  let err = "";
  const status = await runCli(args, {
    version: "9.8.7",
    packageRoot: path.resolve(import.meta.dirname, "..", ".."),
    environment,
    workingDirectory,
    out: { write: (text) => (out += text), columns, hasColor },
    err: { write: (text) => (err += text), columns, hasColor },
    ...(signal === undefined ? {} : { signal }),
  });
  return { status, out, err };
}

/** What drives a terminal or hides there without showing as a character: controls, bidirectional and zero-width ones. */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** What remains dangerous when the line breaks and, if allowed, the colours of the command itself are taken away. */
export function invisibleIn(output: string, { allowColor = false } = {}): string | undefined {
  const plain = allowColor ? output.replace(/\u001b\[\d+m/g, "") : output;
  return INVISIBLE.exec(plain.replaceAll("\n", ""))?.[0];
}
