import { KeybindingsManager, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionSearchOutput, SessionSearchParams } from "../../../src/model.ts";
import { inputOf, insert, step } from "../../../src/surface/recall/input.ts";
import { keyHints, meaningOf } from "../../../src/surface/recall/keys.ts";
import { type Choice, RecallOverlay, type RecallSearch } from "../../../src/surface/recall/overlay.ts";
import { hit, session } from "./samples.ts";

const KEYS = {
  up: "\u001b[A",
  down: "\u001b[B",
  enter: "\r",
  altEnter: "\u001b\r",
  tab: "\t",
  escape: "\u001b",
  backspace: "\u007f",
};
const APP = { "app.message.followUp": { defaultKeys: "alt+enter", description: "" } } as const;
const keybindings = new KeybindingsManager({ ...TUI_KEYBINDINGS, ...APP });

const plain = (_color: string, text: string) => text;
const theme = { fg: plain, bg: plain, bold: (text: string) => text, inverse: (text: string) => `[${text}]` };

function open(search: Partial<RecallSearch>, query = "") {
  const asked: SessionSearchParams[] = [];
  const signals: AbortSignal[] = [];
  const previews: string[] = [];
  const chosen: (Choice | undefined)[] = [];
  const requestRender = vi.fn();
  const tui = { terminal: { rows: 30 }, requestRender };
  const overlay = new RecallOverlay(
    { tui, theme, keybindings, done: (choice) => chosen.push(choice) },
    {
      search: async (params, signal) => {
        asked.push(params);
        signals.push(signal);
        return search.search === undefined ? answerTo(params) : search.search(params, signal);
      },
      preview: async (path, messageId, signal) => {
        previews.push(`${path} ${messageId}`);
        return search.preview === undefined ? previewOf(path) : search.preview(path, messageId, signal);
      },
    },
    { cwd: "/srv/app", worktrees: ["/srv/app"] },
    query,
    () => Date.parse("2026-11-30T21:00:00.000Z"),
  );
  const type = (text: string) => {
    for (const char of text) overlay.handleInput(char);
  };
  const text = () => overlay.render(80).join("\n");
  return { overlay, asked, signals, previews, chosen, requestRender, type, text };
}

function answerTo({ query }: SessionSearchParams): SessionSearchOutput {
  return query === undefined
    ? { mode: "browse", sessions: [session(1), session(2)] }
    : { mode: "discovery", query, results: [hit(1), hit(2)] };
}

function previewOf(path: string): SessionSearchOutput {
  const message = { id: "a", lineNo: 2, role: "user", timestamp: "", content: `content of ${path}` } as const;
  return { mode: "read", path, totalMessages: 1, messages: [message], branchTip: null };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] });
});
afterEach(() => {
  vi.useRealTimers();
});
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe("the palette's component", () => {
  test("asks for recent sessions, then what is typed; keys that come together are one question", async () => {
    const { asked, type, text } = open({});
    await settle();
    expect(text()).toContain("first words of 1");
    type("retry");
    await settle();
    expect(asked.map(({ query }) => query)).toEqual([undefined, "retry"]);
    expect(text()).toContain("say the word number 1");
  });

  test("echoes a key before anything is answered", () => {
    const { type, text, requestRender } = open({ search: () => new Promise(() => undefined) });
    type("abc");
    expect(requestRender).toHaveBeenCalledTimes(3);
    expect(text()).toContain("❯ abc");
    expect(text()).toContain("searching…");
  });

  test("a newer question ends the older search, and its late answer is not shown", async () => {
    const release: (() => void)[] = [];
    const { type, signals, text } = open({
      search: (params) =>
        new Promise((resolve) => {
          const results = [hit(0, { snippet: `answer to ${params.query}` })];
          release.push(() => resolve({ mode: "discovery", query: "", results }));
        }),
    });
    await settle();
    type("older");
    await settle();
    type(" newer");
    await settle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    release[2]?.();
    await settle();
    release[1]?.();
    await settle();
    expect(text()).toContain("answer to older newer");
  });

  test("tells a failure in one line and goes on", async () => {
    let isFailing = true;
    const { type, text } = open({
      search: async (params) => {
        if (isFailing) throw new Error("the disk\u001b[2J is gone");
        return answerTo(params);
      },
    });
    await settle();
    expect(text()).toContain("Could not search: the disk\\u001b[2J is gone");
    isFailing = false;
    type("ab");
    await settle();
    expect(text()).toContain("2 sessions");
  });

  test("reads the preview of where the selection rests, none of those passed by", async () => {
    const { overlay, previews, text } = open({
      search: async () => ({ mode: "browse", sessions: [0, 1, 2].map((n) => session(n)) }),
    });
    await settle(100);
    expect(previews).toHaveLength(1);
    overlay.handleInput(KEYS.down);
    await settle(10);
    overlay.handleInput(KEYS.down);
    await settle(100);
    expect(previews).toEqual([`${session(0).path} null`, `${session(2).path} null`]);
    expect(text()).toContain(`content of ${session(2).path}`);
  });

  test("a preview that cannot be read says why", async () => {
    const { text } = open({ preview: () => Promise.reject(new Error("gone since")) });
    await settle(100);
    expect(text()).toContain("gone since");
  });

  test("asks again while the index is being built, and stops when it is", async () => {
    let backlog = 2;
    const { asked, text } = open({
      search: async () => ({
        ...{ mode: "browse", sessions: [session(1)] },
        ...(backlog > 0 ? { backlogRemaining: backlog-- } : {}),
      }),
    });
    await settle();
    expect(text()).toContain("2 files are still to be searched.");
    await settle(10_000);
    expect(asked).toHaveLength(3);
    expect(text()).not.toContain("being built");
  });

  test("chooses and closes by Pi's keys, once, and ends what runs", async () => {
    for (const [key, kind] of [
      [KEYS.enter, "resume"],
      [KEYS.altEnter, "reference"],
    ] as const) {
      const { overlay, chosen, signals } = open({});
      await settle();
      overlay.handleInput(KEYS.down);
      overlay.handleInput(key);
      overlay.handleInput(key);
      expect(chosen).toMatchObject([{ kind, row: { path: session(2).path } }]);
      expect(signals.every(({ aborted }) => aborted)).toBe(true);
    }
    const { overlay, chosen } = open({});
    overlay.handleInput(KEYS.enter);
    expect(chosen).toEqual([]);
    overlay.handleInput(KEYS.escape);
    expect(chosen).toEqual([undefined]);
  });

  test("tab switches the scope", async () => {
    const { overlay, asked } = open({}, "word");
    await settle();
    overlay.handleInput(KEYS.tab);
    await settle();
    overlay.handleInput(KEYS.tab);
    await settle();
    expect(asked.map(({ cwds, cwdMatch }) => [cwds, cwdMatch])).toEqual([
      [["/srv/app"], undefined],
      [["/srv/app"], "sibling-prefix"],
      [undefined, undefined],
    ]);
  });

  test("a paste is one line of text, in however many parts it comes", async () => {
    const { overlay, text, asked } = open({});
    overlay.handleInput("\u001b[200~two\r\nli");
    overlay.handleInput("nes\u001b[31m\u001b[201~!");
    await settle();
    expect(text()).toContain("❯ two lines [31m!");
    expect(asked.at(-1)?.query).toBe("two lines [31m!");
  });

  test("draws again only what has changed", async () => {
    const { overlay, type } = open({});
    await settle();
    const lines = overlay.render(80);
    expect(overlay.render(80)).toBe(lines);
    overlay.invalidate();
    expect(overlay.render(80)).not.toBe(lines);
    const before = overlay.render(80);
    type("a");
    expect(overlay.render(80)).not.toBe(before);
  });
});

describe("keys", () => {
  test("printable text, also as the Kitty protocol reports it", () => {
    expect(meaningOf("é", keybindings)).toEqual({ kind: "text", text: "é" });
    expect(meaningOf("\u001b[97u", keybindings)).toEqual({ kind: "text", text: "a" });
    expect(meaningOf("\u001b[97:65;2u", keybindings)).toEqual({ kind: "text", text: "A" });
    for (const nothing of ["\u001b[113;5u", "\u001b[57358u", "\u001bOP", "\u0001x\u001b", ""]) {
      expect(meaningOf(nothing, keybindings)).toBeUndefined();
    }
  });

  test("are named as Pi has them, and left out when a person has taken them away", () => {
    const own = new KeybindingsManager(
      { ...TUI_KEYBINDINGS, ...APP },
      { "tui.select.confirm": "ctrl+y", "tui.input.tab": [] },
    );
    const named = keyHints(own).map(([key, effect]) => `${key} ${effect}`);
    expect(named).toContain("ctrl+y resume");
    expect(named.join()).not.toContain("scope");
    expect(meaningOf("\u0019", own)).toEqual({ kind: "resume" });
  });
});

describe("the input line", () => {
  test("moves and deletes by what a reader takes for a character", () => {
    const family = inputOf("a👩‍👩‍👧b");
    expect(step(step(family, "left"), "deleteLeft").text).toBe("ab");
    expect(step(inputOf("one two  "), "deleteWordLeft").text).toBe("one ");
    expect(step(step(inputOf("one two"), "start"), "deleteWordRight").text).toBe(" two");
    expect(step(step(inputOf("abc"), "left"), "deleteToEnd").text).toBe("ab");
    expect(step(step(inputOf("abc"), "left"), "deleteToStart")).toEqual({ text: "c", cursor: 0 });
    expect(step(step(inputOf("ab"), "start"), "wordRight").cursor).toBe(2);
    expect(step(inputOf(""), "deleteLeft")).toEqual(inputOf(""));
    expect(step(inputOf("x"), "right")).toEqual(inputOf("x"));
  });

  test("holds as much as a query counts, never half a character", () => {
    expect(inputOf("x".repeat(600)).text).toHaveLength(512);
    expect(insert(inputOf("x".repeat(511)), "😀").text).toHaveLength(511);
  });
});
