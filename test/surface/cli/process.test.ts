import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { entry, fileOf, header, type Scratch, scratch, userMessage } from "../../support/stores.ts";

const CLI = path.resolve(import.meta.dirname, "../../../src/cli.ts");
const NODE = [process.execPath, "--no-warnings", CLI];

function storeOf(tree: Scratch): string {
  tree.write("s/--p--/a.jsonl", fileOf(header(), userMessage("u", null, "words")));
  tree.write("s/--p--/bad.jsonl", "bad");
  return tree.at("s");
}

describe("the process", () => {
  test("ends with the status of the command, and writes to the right streams", () => {
    const root = storeOf(scratch());
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [...NODE.slice(1), ...args], { encoding: "utf8" });
    expect(run("list", "--root", root)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("words"),
    });
    expect(run("list", "--root", root, "--limit", "0")).toMatchObject({ status: 2, stdout: "" });
    expect(run("list", "--root", root, "--cwd", "/none", "--fail-if-empty").status).toBe(3);
    expect(run("--version").stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("ends quietly when its reader closes the pipe", async () => {
    const tree = scratch();
    const lines = Array.from({ length: 2000 }, (_, i) =>
      entry(`${i}`, null, { type: "label", label: "x".repeat(500) }),
    );
    const file = tree.write("s/--p--/a.jsonl", fileOf(header(), ...lines));
    const child = spawn(process.execPath, [...NODE.slice(1), "entries", file, "--root", tree.at("s")]);
    let err = "";
    child.stderr.on("data", (data) => (err += data));
    child.stdout.once("data", () => child.stdout.destroy());
    const [status] = await once(child, "close");
    expect([status, err]).toEqual([0, ""]);
  });
});

/** Runs the command line on a terminal of its own, when this machine has a way to make one. */
function onTerminal(args: readonly string[], environment: Record<string, string>): string | undefined {
  const quoted = [...NODE, ...args].map((arg) => `'${arg}'`).join(" ");
  const bare = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !["NO_COLOR", "FORCE_COLOR", "NODE_DISABLE_COLORS"].includes(name),
    ),
  );
  const env = { ...bare, TERM: "xterm-256color", ...environment };
  const { status, stdout } = spawnSync("script", ["-qec", quoted, "/dev/null"], { encoding: "utf8", env });
  return status === 0 && stdout !== "" ? stdout : undefined;
}

const hasTerminal = process.platform === "linux" && onTerminal(["--version"], {}) !== undefined;
if (!hasTerminal)
  console.warn("SKIPPED: colour on a terminal, because no terminal can be made here (script)");

describe("colour", () => {
  test.skipIf(!hasTerminal)("is there on a terminal, and never with NO_COLOR", () => {
    const args = ["list", "--root", storeOf(scratch())];
    expect(onTerminal(args, {})).toContain("\u001b[");
    expect(onTerminal(args, { NO_COLOR: "1" })).not.toContain("\u001b");
  });

  test("is not there in a pipe", () => {
    const args = [...NODE.slice(1), "list", "--root", storeOf(scratch())];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
