import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { SessionSearchOutput } from "../../../src/model.ts";
import { createRecallCommand, type RecallContext } from "../../../src/surface/recall/command.ts";
import { indexStatusText } from "../../../src/surface/recall/indexStatus.ts";
import type { Choice } from "../../../src/surface/recall/overlay.ts";
import { plainLines, referenceOf } from "../../../src/surface/recall/plain.ts";
import { worktreesOf } from "../../../src/surface/recall/worktrees.ts";
import { ATTACKS } from "../../support/hostile-text.ts";
import { scratch } from "../../support/stores.ts";
import { hit, session } from "./samples.ts";

const ROW = {
  ...{
    path: "/s/a.jsonl",
    messageId: "0a1b2c3d",
    lineNo: 2,
    name: "",
    cwd: null,
    timeMs: 0,
    snippet: "",
    facts: [],
  },
};

function contextWith(
  choice: Choice | undefined,
  more: { readonly idle?: boolean; readonly confirm?: boolean } = {},
) {
  const ui = {
    custom: vi.fn(async () => choice),
    pasteToEditor: vi.fn(),
    notify: vi.fn(),
    confirm: vi.fn(async () => more.confirm ?? false),
  };
  const switchSession = vi.fn(async () => ({ cancelled: false }));
  const isIdle = () => more.idle ?? true;
  const context = { mode: "tui", hasUI: true, cwd: "/nowhere", ui, switchSession, isIdle };
  return { ui, switchSession, context: context as unknown as RecallContext };
}

const search = async (): Promise<SessionSearchOutput> => ({
  mode: "browse",
  sessions: [session(1, { name: "Backoff" })],
});
const command = createRecallCommand({ search, preview: search });

describe("/recall", () => {
  test("resumes by Pi's own session switch", async () => {
    const { context, switchSession } = contextWith({ kind: "resume", row: ROW });
    await command("", context);
    expect(switchSession).toHaveBeenCalledExactlyOnceWith("/s/a.jsonl");
  });

  test("asks before it stops an agent that works", async () => {
    const refused = contextWith({ kind: "resume", row: ROW }, { idle: false });
    await command("", refused.context);
    expect(refused.switchSession).not.toHaveBeenCalled();
    const agreed = contextWith({ kind: "resume", row: ROW }, { idle: false, confirm: true });
    await command("", agreed.context);
    expect(agreed.switchSession).toHaveBeenCalledOnce();
  });

  test("tells why a session cannot be resumed", async () => {
    const { context, switchSession, ui } = contextWith({ kind: "resume", row: ROW });
    switchSession.mockRejectedValue(new Error("gone\u001b[2J"));
    await command("", context);
    expect(ui.notify).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("gone\\u001b[2J"), "error");
  });

  test("puts a reference into the editor", async () => {
    const { context, ui } = contextWith({ kind: "reference", row: ROW });
    await command("", context);
    expect(ui.pasteToEditor).toHaveBeenCalledExactlyOnceWith("/s/a.jsonl message 0a1b2c3d ");
    expect(referenceOf({ path: "/s/a b.jsonl", messageId: null })).toBe('"/s/a b.jsonl"');
  });

  test("closing does nothing", async () => {
    const { context, ui, switchSession } = contextWith(undefined);
    await command("words", context);
    expect([ui.pasteToEditor, ui.notify, switchSession].flatMap((fake) => fake.mock.calls)).toEqual([]);
  });

  test("is a notification where there is an interface without a terminal", async () => {
    const { context, ui } = contextWith(undefined);
    await command("", { ...context, mode: "rpc" });
    expect(ui.custom).not.toHaveBeenCalled();
    expect(ui.notify).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("Backoff"), "info");
  });
});

describe("the plain list", () => {
  test("holds when, project, name, words and the reference", () => {
    const output = { mode: "discovery", query: "word", results: [hit(1, { name: "Backoff" })] } as const;
    expect(plainLines(output)).toEqual([
      expect.stringMatching(/^2026-1\d-\d\d \d\d:\d\d {2}app {2}Backoff {2}user$/),
      "  say the «word» number 1",
      "  /s/--srv-app--/1.jsonl message 00000001",
    ]);
  });

  test("says that nothing was found, and that the index is being built", () => {
    expect(plainLines({ mode: "browse", sessions: [] })).toEqual(["No earlier sessions."]);
    expect(plainLines({ mode: "discovery", query: "x", results: [], backlogRemaining: 7 })).toEqual([
      "No message matches.",
      "(7 files are still to be searched)",
    ]);
  });

  test("cannot drive a terminal", () => {
    for (const attack of ATTACKS) {
      const results = [
        hit(1, { name: attack, snippet: attack, cwd: `/${attack}`, path: `/${attack}.jsonl` }),
      ];
      const lines = plainLines({ mode: "discovery", query: attack, results });
      expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    }
  });
});

describe("the worktrees of a project", () => {
  test("are those that git knows, seen from any of them", () => {
    const tree = scratch();
    const main = tree.mkdir("app");
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: main,
        stdio: "ignore",
      });
    git("init");
    git("commit", "--allow-empty", "-m", "first");
    git("worktree", "add", tree.at("elsewhere", "fix"));
    const fix = tree.at("elsewhere", "fix");
    expect(worktreesOf(main)).toEqual([main, fix]);
    expect(worktreesOf(fix)).toEqual([fix, main]);
  });

  test("are the directory alone without git, or with a pointer that leads nowhere", () => {
    const tree = scratch();
    expect(worktreesOf(tree.directory)).toEqual([tree.directory]);
    tree.write("odd/.git", "gitdir: /nowhere/modules/x\n");
    expect(worktreesOf(tree.at("odd"))).toEqual([tree.at("odd")]);
    tree.write("torn/.git", "");
    expect(worktreesOf(tree.at("torn"))).toEqual([tree.at("torn")]);
    expect(worktreesOf(path.join(tree.directory, "missing"))).toHaveLength(1);
  });
});

describe("the footer's status", () => {
  test("shows progress, and nothing when nothing is left", () => {
    expect(indexStatusText({ filesLeft: 1200, bytesLeft: 300, bytesDone: 100 })).toBe(
      "indexing sessions 25% · 1,200 files left",
    );
    expect(indexStatusText({ filesLeft: 1, bytesLeft: 0, bytesDone: 100 })).toBe(
      "indexing sessions 99% · 1 file left",
    );
    expect(indexStatusText({ filesLeft: 3, bytesLeft: 0, bytesDone: 0 })).toContain(" 0% ");
    expect(indexStatusText({ filesLeft: 0, bytesLeft: 0, bytesDone: 100 })).toBeUndefined();
    expect(indexStatusText(undefined)).toBeUndefined();
  });
});
