import { homedir } from "node:os";
import path from "node:path";
import { SettingsManager } from "@earendil-works/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { type StoreFlags, storeOf } from "../../../src/surface/cli/store.ts";
import { cli } from "../../support/cli.ts";
import { fileOf, header, type Scratch, scratch } from "../../support/stores.ts";

type Environment = Readonly<Record<string, string | undefined>>;

function choose(environment: Environment, workingDirectory = "/work", flags: StoreFlags = {}) {
  const warnings: string[] = [];
  const store = storeOf(flags, { environment, workingDirectory, warn: (message) => warnings.push(message) });
  return { ...store, warnings };
}

/** An agent directory and a project, each with settings of its own. */
function settingsIn(
  tree: Scratch,
  user: unknown,
  project?: unknown,
): { agentDir: string; workingDirectory: string } {
  if (user !== undefined) tree.write("agent/settings.json", JSON.stringify(user));
  if (project !== undefined) tree.write("project/.pi/settings.json", JSON.stringify(project));
  return { agentDir: tree.mkdir("agent"), workingDirectory: tree.mkdir("project") };
}

describe("the agent directory", () => {
  test("is ~/.pi/agent, or what PI_CODING_AGENT_DIR says; --agent-dir goes before both", () => {
    const home = path.join(homedir(), ".pi/agent/sessions");
    expect(choose({ PI_CODING_AGENT_DIR: "" }).sessionsRoot).toBe(home);
    expect(choose({}).sessionsRoot).toBe(home);
    expect(choose({ PI_CODING_AGENT_DIR: "/agent" }).sessionsRoot).toBe("/agent/sessions");
    expect(choose({ PI_CODING_AGENT_DIR: "~/x" }).sessionsRoot).toBe(path.join(homedir(), "x/sessions"));
    expect(choose({ PI_CODING_AGENT_DIR: "relative" }).sessionsRoot).toBe("/work/relative/sessions");
    expect(choose({ PI_CODING_AGENT_DIR: "/agent" }, "/work", { agentDir: "mine" }).sessionsRoot).toBe(
      "/work/mine/sessions",
    );
  });
});

describe("a session directory elsewhere", () => {
  test("from PI_CODING_AGENT_SESSION_DIR is read as well, before the settings", () => {
    const { agentDir, workingDirectory } = settingsIn(scratch(), { sessionDir: "/setting" });
    const environment = { PI_CODING_AGENT_DIR: agentDir, PI_CODING_AGENT_SESSION_DIR: "~/flat" };
    expect(choose(environment, workingDirectory)).toMatchObject({
      sessionsRoot: `${agentDir}/sessions`,
      additionalRoots: [path.join(homedir(), "flat")],
      warnings: [],
    });
  });

  test.each([
    [undefined, undefined],
    [{}, undefined],
    [{ sessionDir: "/user" }, undefined],
    [{ sessionDir: "/user" }, {}],
    [{ sessionDir: "/user" }, { sessionDir: "/project" }],
    [{}, { sessionDir: "./project" }],
    [{ sessionDir: "relative/dir" }, undefined],
    [{ sessionDir: "~/flat" }, undefined],
    [{ sessionDir: "~" }, undefined],
    [{ sessionDir: "" }, undefined],
    [{ theme: "dark" }, { theme: "light" }],
  ])("from the settings of user %j and project %j is the one that Pi itself would use", (user, project) => {
    const { agentDir, workingDirectory } = settingsIn(scratch(), user, project);
    const ofPi = SettingsManager.create(workingDirectory, agentDir).getSessionDir();
    const expected = ofPi ? [path.resolve(workingDirectory, ofPi)] : [];
    const { additionalRoots, warnings } = choose({ PI_CODING_AGENT_DIR: agentDir }, workingDirectory);
    expect({ additionalRoots, warnings }).toEqual({ additionalRoots: expected, warnings: [] });
  });

  test("in settings that cannot be used is one warning, and the default root is still read", () => {
    const tree = scratch();
    const { agentDir, workingDirectory } = settingsIn(tree, undefined);
    tree.write("agent/settings.json", "{ broken");
    tree.mkdir("project/.pi/settings.json");
    const { sessionsRoot, additionalRoots, warnings } = choose(
      { PI_CODING_AGENT_DIR: agentDir },
      workingDirectory,
    );
    expect({ sessionsRoot, additionalRoots }).toEqual({
      sessionsRoot: `${agentDir}/sessions`,
      additionalRoots: [],
    });
    expect(warnings).toEqual([expect.stringContaining("not JSON"), expect.stringContaining("not readable")]);
  });
});

test("--root names the roots, in order, and then nothing else is looked at", () => {
  const { agentDir, workingDirectory } = settingsIn(scratch(), { sessionDir: "/user" });
  const environment = { PI_CODING_AGENT_DIR: agentDir, PI_CODING_AGENT_SESSION_DIR: "/elsewhere" };
  expect(choose(environment, workingDirectory, { root: ["a", "/b", "~/c"], agentDir: "/x" })).toMatchObject({
    sessionsRoot: path.join(workingDirectory, "a"),
    additionalRoots: ["/b", path.join(homedir(), "c")],
  });
});

test("list finds the sessions of both the default and the chosen directory, flat or not", async () => {
  const tree = scratch();
  const { agentDir, workingDirectory } = settingsIn(tree, { sessionDir: tree.at("flat") });
  tree.write("agent/sessions/--p--/a.jsonl", fileOf(header({ id: "default" })));
  tree.write("flat/2026-05-01T08-00-00-000Z_x.jsonl", fileOf(header({ id: "flat" })));
  const environment = { PI_CODING_AGENT_DIR: agentDir };
  const { out } = await cli(["list", "--json", "--sort-by", "id"], { environment, workingDirectory });
  expect(JSON.parse(out).sessions.map(({ id }: { id: string }) => id)).toEqual(["default", "flat"]);
});

test("the session that an agent's shell runs inside is left out, as PI_SESSION_FILE names it, unless asked for", async () => {
  const tree = scratch();
  const current = tree.write("s/--p--/a.jsonl", fileOf(header({ id: "current" })));
  tree.write("s/--p--/b.jsonl", fileOf(header({ id: "other" })));
  const ids = async (...flags: string[]) => {
    const setting = { environment: { PI_SESSION_FILE: current } };
    const { out } = await cli(
      ["list", "--json", "--root", tree.at("s"), "--sort-by", "id", ...flags],
      setting,
    );
    return JSON.parse(out).sessions.map(({ id }: { id: string }) => id);
  };
  expect(await ids()).toEqual(["other"]);
  expect(await ids("--include-current-session")).toEqual(["current", "other"]);
});
