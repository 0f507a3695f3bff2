/**
 * The palette and the tool rows in real Pi in a real terminal, with the built extension.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ATTACKS } from "../support/hostile-text.ts";
import { isObject, makeAgentDir, PiRpc, runPi } from "../support/pi-run.ts";
import { makeSampleHome } from "../support/sample-home.ts";
import { entry, fileOf, header, makeScratch, snapshotOf, userMessage } from "../support/stores.ts";
import { hasTmux, type PiTerminalOptions, type Size, Tmux } from "../support/tmux.ts";

const EXTENSION = path.resolve(import.meta.dirname, "..", "..", "dist", "extension.js");
/** The palette on sessions, or a backlog, that are made up: too many to write, or too short-lived to catch. */
const FAKES = path.resolve(import.meta.dirname, "..", "support", "recall-extension.ts");
const SMALL = { columns: 60, rows: 20 };
const LARGE = { columns: 200, rows: 50 };
const ENDS = "esc close";

if (!hasTmux()) console.warn("\n!!! tmux is missing: the palette is NOT tested in a real terminal !!!\n");

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

function home() {
  const tree = makeScratch();
  opened.unshift({ close: tree.remove });
  // The home is a temporary directory, whose sessions an index leaves out by default.
  const settings = { piRetrospect: { index: { excludePrefixes: [] } } };
  const agentDir = makeAgentDir(settings, tree.at(".pi", "agent")).path;
  const cwd = tree.mkdir("projects/harbor");
  return { tree, agentDir, cwd };
}

async function start(options: Omit<PiTerminalOptions, "extensions">): Promise<Tmux> {
  const isMadeUp = Object.keys(options.env ?? {}).some((name) => name.startsWith("RECALL_"));
  const terminal = Tmux.startPi({ ...options, extensions: [isMadeUp ? FAKES : EXTENSION] });
  opened.unshift(terminal);
  await terminal.waitFor("scripted-1");
  return terminal;
}

async function openRecall(terminal: Tmux, query = ""): Promise<string> {
  await run(terminal, query === "" ? "/recall" : `/recall ${query}`);
  return terminal.waitFor(ENDS);
}

/** Types a command and sends it, once it stands in the editor. */
async function run(terminal: Tmux, command: string): Promise<void> {
  terminal.type(`${command} `);
  await terminal.waitFor(command);
  terminal.press("Enter");
}

/** Draws no line outside of the screen: the frame's right border ends every line of the palette. */
function expectFrame(screen: string, { columns }: Size): void {
  const lines = screen.split("\n").filter((line) => /[│├╭╰].*[│┤╮╯]/u.test(line));
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns);
}

describe.skipIf(!hasTmux())("/recall in a terminal", () => {
  test.each([
    [SMALL, "dark"],
    [LARGE, "light"],
  ] as const)("%o, %s: find, look, resume, come back, insert a reference", async (size, theme) => {
    const { tree, agentDir } = home();
    const { harbor } = makeSampleHome(tree.directory, agentDir);
    const script = { answers: [], fallback: { text: "Certainly." } };
    const pi = await start({ ...size, theme, agentDir, cwd: harbor, script });
    pi.type("remember the marmalade");
    pi.press("Enter");
    await pi.waitFor("Certainly.");

    await openRecall(pi);
    pi.type("northwind refuses");
    await pi.waitFor(/❯ northwind refuses\s+\d+ sessions?/);
    const found = await pi.waitFor(/▌ (user|assistant)/);
    expect(found).toMatch(/▸ .*harbor/);
    expectFrame(found, size);
    expect(pi.coloredScreen()).toMatch(/\u001b\[[\d;]*1[;m]/);

    pi.press("Enter");
    await pi.waitFor("Resumed session");
    expect(pi.screen()).not.toContain(ENDS);

    await openRecall(pi, "marmalade");
    await pi.waitFor(/❯ marmalade\s+1 session/);
    pi.press("Enter");
    await pi.waitFor("remember the marmalade");
    await pi.waitFor("Resumed session");

    await openRecall(pi, "northwind refuses");
    await pi.waitFor(/▸ .*harbor/);
    pi.press("M-Enter");
    const inserted = await pi.waitFor(/message [0-9a-f]{8}/);
    expect(inserted.replace(/\s+/g, "")).toMatch(
      /sessions\/--home-ada-projects-harbor--\/[^/]+\.jsonlmessage[0-9a-f]{8}/,
    );
  });

  test("the scope goes from this project over its worktrees to everywhere", async () => {
    const { tree, agentDir } = home();
    const { harbor } = makeSampleHome(tree.directory, agentDir);
    const pi = await start({ ...LARGE, agentDir, cwd: harbor });
    const first = await openRecall(pi, "flaky");
    expect(first).not.toContain("harbor-retry-queue  ");
    pi.press("Tab");
    await pi.waitFor(/[▸ ] .*harbor-retry-queue/);
    pi.press("C-u");
    pi.type("dead letters");
    pi.press("Tab");
    await pi.waitFor(/lighthouse/);
    pi.press("Escape");
    await pi.waitFor(/^(?![\s\S]*esc close)/);
  });

  test.each([SMALL, LARGE])(
    "%o: nothing there, an index that is being built, 10,000 sessions",
    async (size) => {
      const { agentDir, cwd } = home();
      const empty = await start({ ...size, agentDir, cwd });
      await openRecall(empty);
      await empty.waitFor("No earlier session in this project.");
      empty.press("Tab");
      empty.press("Tab");
      expectFrame(await empty.waitFor("No earlier sessions."), size);
      empty.press("Enter");
      empty.press("Escape");
      await empty.waitFor(/^(?![\s\S]*esc close)/);

      const building = await start({
        ...size,
        agentDir,
        cwd,
        env: { RECALL_BACKLOG: "3", RECALL_FAKE_SESSIONS: "0" },
      });
      await building.waitFor(/indexing sessions \d+% · 3 files left/);
      await openRecall(building);
      await building.waitFor(/\d files? (is|are) still to be searched/);
      await building.waitFor("No earlier session in this project.");

      const many = await start({ ...size, agentDir, cwd, env: { RECALL_FAKE_SESSIONS: "10000" } });
      await openRecall(many);
      await many.waitFor("recent");
      many.type("webhook 9");
      expectFrame(await many.waitFor(/❯ webhook 9\s+10 sessions/), size);
      await many.waitFor(/▌ user/);
    },
  );

  test("follows the terminal when its size changes", async () => {
    const { agentDir, cwd } = home();
    const pi = await start({ ...LARGE, agentDir, cwd, env: { RECALL_FAKE_SESSIONS: "50" } });
    await openRecall(pi, "webhook");
    await pi.waitFor(/▌ user/);
    pi.resize(SMALL);
    await pi.waitFor(/^╰─+╯$/m);
    expectFrame(pi.screen(), SMALL);
  });

  test("transcripts that hold terminal sequences leave the terminal as it was", async () => {
    const { tree, agentDir, cwd } = home();
    const attack = `hostile ${ATTACKS.join(" hostile ")}`;
    const lines = [
      header({ cwd, id: attack }),
      entry("n", null, { type: "session_info", name: attack }),
      userMessage("u", "n", attack),
    ];
    tree.write(".pi/agent/sessions/--p--/a.jsonl", fileOf(...lines));
    const calls = [{ name: "session_search", arguments: { query: "hostile" } }];
    const script = { answers: [{ when: "look", calls }], fallback: { text: "Certainly." } };
    const pi = await start({ ...LARGE, agentDir, cwd, script });
    pi.type("look back");
    pi.press("Enter");
    await pi.waitFor(/session_search "hostile" · 1 session/);
    await pi.waitFor("Certainly.");
    pi.press("C-o");
    await pi.waitFor("\\u001b]52;c;");
    const before = pi.sideEffects();
    await openRecall(pi, "hostile");
    const shown = await pi.waitFor(/▌ user/);
    expectFrame(shown, LARGE);
    expect(shown).toContain("\\u202etxt.exe");
    expect(pi.sideEffects()).toEqual(before);
    expect(before.clipboard).toBe("");
    expect(before.title).not.toBe("title");
  });

  test("a tool row is one line and the end of the answer, and opens with Pi's key", async () => {
    const { tree, agentDir } = home();
    const { harbor } = makeSampleHome(tree.directory, agentDir);
    const calls = [{ name: "session_search", arguments: { query: "retry" } }];
    const script = { answers: [{ when: "look", calls }], fallback: { text: "Certainly." } };
    const pi = await start({ ...LARGE, agentDir, cwd: harbor, script });
    pi.type("look back");
    pi.press("Enter");
    const collapsed = await pi.waitFor("Certainly.");
    expect(collapsed).toMatch(/session_search "retry" · 3 sessions/);
    expect(collapsed).toMatch(/… \d+ earlier lines \(ctrl\+o to expand\)/);
    expect(collapsed).not.toMatch(/^ *1\. /m);
    pi.press("C-o");
    await pi.waitFor(/^ *1\. /m);
  });
});

describe("/recall without a terminal", () => {
  test("prints a short plain list", async () => {
    const { tree, agentDir } = home();
    const { harbor } = makeSampleHome(tree.directory, agentDir);
    const options = { agentDir, cwd: harbor, script: { answers: [] }, extensions: [EXTENSION] };
    const printed = await runPi({ ...options, prompts: ["/recall retry queue"] });
    expect(printed.stderr).toBe("");
    expect(printed.stdout).toMatch(/^2026-\d\d-\d\d \d\d:\d\d {2}harbor {2}\S/);
    expect(printed.stdout).toMatch(/«retry»/i);
    expect(printed.stdout.split("\n").length).toBeLessThan(20);
    const json = await runPi({ ...options, prompts: ["/recall retry"], args: ["--mode", "json"] });
    for (const line of json.stdout.split("\n").filter(Boolean)) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("notifies an RPC client", async () => {
    const { tree, agentDir } = home();
    const { harbor } = makeSampleHome(tree.directory, agentDir);
    mkdirSync(harbor, { recursive: true });
    const pi = await PiRpc.start({ agentDir, cwd: harbor, script: { answers: [] }, extensions: [EXTENSION] });
    try {
      await pi.prompt("/recall retry queue");
      const notice = pi.events.find((event) => event["method"] === "notify");
      expect(isObject(notice) && notice["message"]).toMatch(/harbor {2}/);
    } finally {
      await pi.close();
    }
  });

  test("leaves the files as they were", async () => {
    const { tree, agentDir } = home();
    makeSampleHome(tree.directory, agentDir);
    const before = snapshotOf(path.join(agentDir, "sessions", "--home-ada-projects-harbor--"));
    const options = { agentDir, cwd: tree.directory, script: { answers: [] }, extensions: [EXTENSION] };
    await runPi({ ...options, prompts: ["/recall", "/recall retry"] });
    expect(snapshotOf(path.join(agentDir, "sessions", "--home-ada-projects-harbor--"))).toEqual(before);
  });
});
