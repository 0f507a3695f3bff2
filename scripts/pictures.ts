/**
 * Draws docs/pictures/ from real terminal runs: Pi with the palette, and the command line, in tmux on the recorded
 * sample sessions. Nothing is retouched but the home directory, which is made for the run and shown as the samples'.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pinnedNode } from "../test/support/pi-process.ts";
import { makeAgentDir } from "../test/support/pi-run.ts";
import { makeSampleHome } from "../test/support/sample-home.ts";
import { type Size, Tmux } from "../test/support/tmux.ts";
import { type Cell, parseScreen, replaced } from "./pictures/screen.ts";
import { DARK, LIGHT, type Palette, svgOf } from "./pictures/svg.ts";

const SHOWN_HOME = "/home/ada";
const NOW = "2026-12-02T09:30:00.000Z";
const WIDE = { columns: 120, rows: 32 };
const NARROW = { columns: 60, rows: 20 };
const QUESTION = "What did we decide about the backoff of the retry queue?";

const repository = path.resolve(import.meta.dirname, "..");
const target = path.join(repository, "docs", "pictures");
const extension = path.join(repository, "test", "support", "recall-extension.ts");
/** As long as the home that is shown, so that every line keeps its length. */
const home = path.join(
  "/tmp",
  Math.random()
    .toString(36)
    .slice(2, 2 + SHOWN_HOME.length - "/tmp/".length),
);

mkdirSync(home);
try {
  mkdirSync(target, { recursive: true });
  const { harbor, agentDir } = makeSampleHome(home);
  makeAgentDir({ quietStartup: true }, agentDir);
  placeTools(path.join(agentDir, "bin"));
  // First, before runs of Pi add sessions of today.
  await commandLine("command-line-list", ["list"], harbor, agentDir);
  await commandLine("command-line-search", ["search", "backoff", "--limit", "4"], harbor, agentDir);
  await palette("palette-dark", WIDE, "dark", harbor, agentDir);
  await palette("palette-light", WIDE, "light", harbor, agentDir);
  await palette("palette-narrow", NARROW, "dark", harbor, agentDir);
  await toolRow("tool-row", harbor, agentDir);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function palette(name: string, size: Size, theme: "dark" | "light", cwd: string, agentDir: string) {
  await inPi(name, size, theme, cwd, agentDir, "The palette /recall in Pi", async (pi) => {
    pi.type("/recall ");
    await pi.waitFor("/recall");
    pi.press("Enter");
    await pi.waitFor("esc close");
    pi.type("backoff");
    await pi.waitFor(/❯ backoff\s+\d+ sessions?/);
    await pi.waitFor(/▌ (user|assistant)/);
  });
}

async function toolRow(name: string, cwd: string, agentDir: string) {
  await inPi(
    name,
    { columns: 110, rows: 26 },
    "dark",
    cwd,
    agentDir,
    "A call of session_search in Pi",
    async (pi) => {
      pi.type(QUESTION);
      await pi.waitFor("retry queue?");
      pi.press("Enter");
      await pi.waitFor("full jitter, base 500 ms");
    },
  );
}

async function inPi(
  name: string,
  size: Size,
  theme: "dark" | "light",
  cwd: string,
  agentDir: string,
  title: string,
  act: (pi: Tmux) => Promise<void>,
): Promise<void> {
  const calls = [{ name: "session_search", arguments: { query: "retry queue backoff" } }];
  const text = "Exponential backoff with full jitter, base 500 ms, cap 60 s, 12 attempts (decision 0007).";
  const pi = Tmux.startPi({
    ...{ ...size, theme, cwd, agentDir, extensions: [extension] },
    script: { answers: [{ when: QUESTION, calls }], fallback: { text } },
    env: { HOME: home, TZ: "UTC", RECALL_NOW: NOW },
  });
  try {
    await pi.waitFor("scripted-1");
    await act(pi);
    await settled(pi);
    save(name, pi, size.columns, theme === "dark" ? DARK : LIGHT, title);
  } finally {
    pi.close();
  }
}

async function commandLine(
  name: string,
  args: readonly string[],
  cwd: string,
  agentDir: string,
): Promise<void> {
  const size = { columns: 110, rows: 26 };
  const shell = `printf '$ pi-retrospect %s\\n' '${args.join(" ")}'; "$0" "$@"; printf '$ '; sleep 60`;
  const command = ["sh", "-c", shell, pinnedNode(), path.join(repository, "src", "cli.ts"), ...args];
  const env = { HOME: home, TZ: "UTC", PI_CODING_AGENT_DIR: agentDir, PATH: process.env["PATH"] ?? "" };
  const terminal = Tmux.start({ ...size, cwd, command, env });
  try {
    await terminal.waitFor(/^\$ pi-retrospect[\s\S]*^\$$/m);
    save(name, terminal, size.columns, DARK, `pi-retrospect ${args.join(" ")}`);
  } finally {
    terminal.close();
  }
}

/** Names that Pi would otherwise miss and warn about; nothing here calls them. */
function placeTools(directory: string): void {
  mkdirSync(directory);
  for (const name of ["fd", "rg"]) {
    writeFileSync(path.join(directory, name), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  }
}

/** Waits until two looks at the screen are the same. */
async function settled(terminal: Tmux): Promise<void> {
  for (let before = "", now = terminal.screen(); before !== now; now = terminal.screen()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function save(name: string, terminal: Tmux, columns: number, palette: Palette, title: string): void {
  const lines = parseScreen(terminal.coloredScreen()).map((cells) => replaced(cells, home, SHOWN_HOME));
  const svg = svgOf(withoutBlankEnd(lines), columns, palette, title);
  const text = lines.map((cells) => cells.map(({ character }) => character).join("")).join("\n");
  if (text.includes("/tmp/")) throw new Error(`${name} shows a path of this machine:\n${text}`);
  writeFileSync(path.join(target, `${name}.svg`), svg);
  console.log(`docs/pictures/${name}.svg`);
}

function withoutBlankEnd(lines: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const last = lines.findLastIndex((cells) => cells.some(({ character }) => character.trim() !== ""));
  return lines.slice(0, last + 1);
}
