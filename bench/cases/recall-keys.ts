/** Typing into `/recall` of real Pi in a real terminal, with 10,000 sessions in its index. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineCase, figureBar, shown } from "../case.ts";
import { Random } from "../random.ts";
import { median, percentile } from "../statistics.ts";
import { LineFile } from "../store/lineFile.ts";
import { writeProjects } from "../store/projects.ts";
import { Prose } from "../store/prose.ts";
import { Vocabulary } from "../store/vocabulary.ts";
import { WatchedTerminal } from "../terminal.ts";

interface Input {
  readonly agentDir: string;
  readonly cwd: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly queries: readonly string[];
}

const SESSIONS = 10_000;
const MESSAGES = 4;
const MESSAGE_CHARS = 400;
/** Between two keys of somebody who types fast. */
const KEY_REST_MS = 90;
const SIZES = [
  { columns: 60, rows: 20 },
  { columns: 200, rows: 50 },
] as const;

export default defineCase<Input>({
  name: "recall-keys",
  about:
    "keys typed into /recall of real Pi, 60×20 and 200×50, 10,000 sessions indexed, searching everywhere",
  bars: [
    figureBar("echo p95", "limit", 50, "ms", "key until the text shows it, p95"),
    figureBar("answer p95", "limit", 50, "ms", "key until its sessions are listed, p95"),
    shown("answer p50", "ms", "key until its sessions are listed, p50"),
    shown("answer max", "ms", "the slowest list"),
    shown("keys", ""),
  ],
  runs: 1,

  skip: () => (spawnSync("tmux", ["-V"]).status === 0 ? undefined : "tmux is missing"),

  async prepare(stores) {
    const { pinnedNode } = await import("../../test/support/pi-run.ts");
    const { piCli, SCRIPTED_MODEL_EXTENSION } = await import("../../test/support/pi-process.ts");
    const { SCRIPTED_MODEL, SCRIPT_VARIABLE } = await import("../../test/support/scripted-model.ts");
    const sessions = Math.round(SESSIONS * stores.scale);
    const { root } = stores.cached("recall", { sessions }, (root) =>
      writeSessions(root, sessions, stores.seed),
    );
    const agentDir = path.dirname(root);
    const settings = { enableInstallTelemetry: false, piRetrospect: { index: { excludePrefixes: [] } } };
    writeFileSync(path.join(agentDir, "settings.json"), JSON.stringify(settings));
    const script = path.join(agentDir, "script.json");
    writeFileSync(script, JSON.stringify({ answers: [] }));
    const cwd = stores.scratch("recall");
    const extension = path.resolve(import.meta.dirname, "..", "..", "dist", "extension.js");
    const vocabulary = new Vocabulary(stores.seed);
    const random = new Random(stores.seed, "recall queries");
    return {
      agentDir,
      cwd,
      command: [
        ...[pinnedNode(), piCli(), "--model", SCRIPTED_MODEL],
        ...["-e", SCRIPTED_MODEL_EXTENSION, "-e", extension],
      ],
      environment: {
        COLORTERM: "truecolor",
        PI_CODING_AGENT_DIR: agentDir,
        PI_OFFLINE: "1",
        PI_SKIP_VERSION_CHECK: "1",
        PI_TELEMETRY: "0",
        [SCRIPT_VARIABLE]: script,
      },
      queries: Array.from({ length: 6 }, () =>
        [0, 1].map(() => vocabulary.wordOfRank(random, 50, 2000)).join(" "),
      ),
    };
  },

  async ours(input, meter) {
    const echoes: number[] = [];
    const answers: number[] = [];
    await meter.timed(async () => {
      for (const size of SIZES) await typeAll(input, size, echoes, answers);
    });
    meter.figure("echo p95", percentile(echoes, 0.95));
    meter.figure("answer p50", median(answers));
    meter.figure("answer p95", percentile(answers, 0.95));
    meter.figure("answer max", Math.max(...answers));
    meter.figure("keys", answers.length);
  },
});

async function typeAll(
  { command, cwd, environment, queries }: Input,
  size: (typeof SIZES)[number],
  echoes: number[],
  answers: number[],
): Promise<void> {
  const terminal = new WatchedTerminal({ command, cwd, env: environment, ...size });
  try {
    await terminal.waitFor((screen) => screen.some((line) => line.includes("scripted-1")));
    terminal.type("/recall ");
    await terminal.waitFor((screen) => screen.some((line) => line.includes("/recall")));
    terminal.press("Enter");
    await terminal.waitFor((screen) => screen.some((line) => line.includes("esc close")));
    terminal.press("Tab");
    terminal.press("Tab");
    // The index may still be in the making.
    await terminal.waitFor((screen) => isListed(screen, ""), 120_000);
    await sleep(500);
    for (const query of queries) {
      for (let length = 1; length <= query.length; length++) {
        const typed = query.slice(0, length);
        const startMs = performance.now();
        terminal.type(typed.slice(-1));
        const echoMs = await terminal.waitFor((screen) => typedIn(screen)?.text === typed.trimEnd());
        const answerMs = await terminal.waitFor((screen) => isListed(screen, typed.trimEnd()));
        // Nothing new can be seen of a space, and one letter asks nothing.
        if (length > 1 && !typed.endsWith(" ")) {
          echoes.push(echoMs - startMs);
          answers.push(answerMs - startMs);
        }
        await sleep(Math.max(0, KEY_REST_MS - (performance.now() - startMs)));
      }
      terminal.press("C-u");
      await terminal.waitFor((screen) => isListed(screen, ""));
      await sleep(300);
    }
  } finally {
    terminal.close();
  }
}

/** What stands in the palette's field, and what it says of the answer. */
function typedIn(screen: readonly string[]): { readonly text: string; readonly status: string } | undefined {
  const line = screen.find((one) => one.includes("❯ "));
  const found = line === undefined ? null : /❯ (.*?)(?: {2,}(\S.*?))? *│/u.exec(line);
  if (found === null) return undefined;
  const [, text = "", status = ""] = found;
  return { text: text.trim(), status };
}

/** True when what is listed answers `query`; a hint stands in an empty field. */
function isListed(screen: readonly string[], query: string): boolean {
  const typed = typedIn(screen);
  if (typed === undefined || (query !== "" && typed.text !== query)) return false;
  if (query === "" && !typed.text.startsWith("words to look for")) return false;
  return (
    typed.status !== "" && !typed.status.endsWith("…") && !screen.some((line) => line.includes("indexing"))
  );
}

function writeSessions(root: string, sessions: number, seed: number): void {
  const random = new Random(seed, "recall");
  const prose = new Prose(new Vocabulary(seed));
  writeProjects(root, sessions, random, ({ file, startMs, header }) => {
    const lines = new LineFile(file);
    lines.line(JSON.stringify(header));
    let parentId: string | null = null;
    for (let n = 0; n < MESSAGES; n++) {
      const time = startMs + n * 30_000;
      const content = [{ type: "text", text: prose.text(random, MESSAGE_CHARS) }];
      const message = { role: n % 2 === 0 ? "user" : "assistant", content, timestamp: time };
      const id = random.hex(8);
      const timestamp = new Date(time).toISOString();
      lines.line(JSON.stringify({ type: "message", id, parentId, timestamp, message }));
      parentId = id;
    }
    lines.close();
  });
}
