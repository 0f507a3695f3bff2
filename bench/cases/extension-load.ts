/** What loading the extension adds to the start of real Pi, by Pi's own `PI_TIMING`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Bar, defineCase, type Meter, shown } from "../case.ts";
import { median } from "../statistics.ts";

interface Input {
  readonly node: string;
  /** Pi's command line, the model it is to use, and the extension that offers it. */
  readonly cli: string;
  readonly model: string;
  readonly modelExtension: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly ours: string;
  readonly empty: string;
}

const WARM_STARTS = 3;

const excess = (figure: string, bound: number, label: string): Bar => ({
  label,
  kind: "excess",
  of: (sample) => sample.figures[figure] ?? Number.NaN,
  unit: "ms",
  bound,
});

export default defineCase<Input>({
  name: "extension-load",
  about: "module import and factory in real Pi, ours loaded first | an extension that does nothing",
  bars: [
    excess("warm", 10, "warm start"),
    excess("first", 100, "first start after an install"),
    shown("whole start", "ms", "Pi's whole start, warm"),
  ],

  async prepare(stores) {
    const { makeAgentDir, pinnedNode } = await import("../../test/support/pi-run.ts");
    const { piCli, SCRIPTED_MODEL_EXTENSION } = await import("../../test/support/pi-process.ts");
    const { SCRIPTED_MODEL, SCRIPT_VARIABLE } = await import("../../test/support/scripted-model.ts");
    const directory = stores.scratch("extension-load");
    const agentDir = makeAgentDir({}, path.join(directory, "agent"));
    const script = path.join(directory, "script.json");
    writeFileSync(script, JSON.stringify({ answers: [] }));
    const empty = path.join(directory, "empty.js");
    writeFileSync(empty, "export default function empty() {}\n");
    return {
      node: pinnedNode(),
      cli: piCli(),
      model: SCRIPTED_MODEL,
      modelExtension: SCRIPTED_MODEL_EXTENSION,
      environment: {
        PI_CODING_AGENT_DIR: agentDir.path,
        PI_OFFLINE: "1",
        PI_SKIP_VERSION_CHECK: "1",
        PI_TELEMETRY: "0",
        PI_TIMING: "1",
        [SCRIPT_VARIABLE]: script,
      },
      directory,
      ours: path.resolve(import.meta.dirname, "..", "..", "dist", "extension.js"),
      empty,
    };
  },

  ours: (input, meter) => measure(input, input.ours, meter),
  floor: (input, meter) => measure(input, input.empty, meter),
});

async function measure(input: Input, extension: string, meter: Meter): Promise<void> {
  // Pi keeps compiled extensions in the directory for temporary files: an empty one is an installation just made.
  const temporary = mkdtempSync(path.join(input.directory, "tmp-"));
  mkdirSync(path.join(input.directory, "cwd"), { recursive: true });
  await meter.timed(() => {
    meter.figure("first", start(input, extension, temporary).extensionMs);
    const warm = Array.from({ length: WARM_STARTS }, () => start(input, extension, temporary));
    meter.figure("warm", median(warm.map(({ extensionMs }) => extensionMs)));
    meter.figure("whole start", median(warm.map(({ wholeMs }) => wholeMs)));
  });
}

function start(input: Input, extension: string, temporary: string) {
  const args = ["--model", input.model, "-e", extension, "-e", input.modelExtension, "-p", "hello"];
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PI_|NODE_OPTIONS$)/.test(name));
  const { status, stderr } = spawnSync(input.node, [input.cli, ...args], {
    cwd: path.join(input.directory, "cwd"),
    env: { ...Object.fromEntries(inherited), ...input.environment, TMPDIR: temporary },
    encoding: "utf8",
    input: "",
  });
  if (status !== 0) throw new Error(`Pi ended with ${status}: ${stderr}`);
  const timeOf = (label: string) => {
    const line = stderr.split("\n").find((one) => one.trim().startsWith(`${label}:`));
    if (line === undefined) throw new Error(`Pi told no time of ${label}: ${stderr}`);
    return Number(/(\d+)ms$/.exec(line)?.[1]);
  };
  return {
    extensionMs: timeOf(`${extension} module import`) + timeOf(`${extension} factory`),
    wholeMs: timeOf("TOTAL"),
  };
}
