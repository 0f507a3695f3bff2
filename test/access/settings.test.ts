import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Value } from "typebox/value";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  DEFAULT_INDEX_SETTINGS,
  indexSettingsOf,
  marksSteering,
  requireAllowedProjects,
  SettingError,
  STEERING_MARKER,
} from "../../src/surface/settings.ts";
import { SettingsSchema } from "../../src/surface/settingsSchema.ts";
import { markedText } from "../../src/surface/steering.ts";

let agentDir: string;
beforeEach(() => {
  agentDir = mkdtempSync(path.join(tmpdir(), "pi-retrospect-settings-"));
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

function writeUser(text: string): void {
  writeFileSync(path.join(agentDir, "settings.json"), text);
}
const bound = (allowedProjects: unknown) => ({ piRetrospect: { allowedProjects } });
const MESSAGE =
  'the setting piRetrospect.allowedProjects is malformed or unreadable; expected an array of project basenames, or "*" in it';

describe("the list of allowed projects", () => {
  it("bounds nothing when neither the user nor the project sets it", () => {
    expect(requireAllowedProjects(agentDir, () => ({}))).toBeUndefined();
    writeUser("{}");
    expect(requireAllowedProjects(agentDir, () => ({ piRetrospect: {} }))).toBeUndefined();
  });

  it("is the user's list and the effective one together, so a project narrows and never widens", () => {
    writeUser(JSON.stringify(bound(["app"])));
    expect(requireAllowedProjects(agentDir, () => bound(["*"]))).toEqual([["app"], ["*"]]);
    expect(requireAllowedProjects(agentDir, () => bound(["app-x"]))).toEqual([["app"], ["app-x"]]);
  });

  it("binds by the user's file even when Pi reports no setting", () => {
    writeUser(JSON.stringify(bound([])));
    expect(requireAllowedProjects(agentDir, () => ({}))).toEqual([[]]);
  });

  it.each([null, "app", 1, true, {}, ["a", 1], [""], ["."], [".."], ["a/b"], ["a\\b"], [["a"]], [null]])(
    "fails closed for the malformed value %j, wherever it stands, and names nothing but the setting",
    (value) => {
      expect(() => requireAllowedProjects(agentDir, () => bound(value))).toThrow(new SettingError(MESSAGE));
      writeUser(JSON.stringify(bound(value)));
      expect(() => requireAllowedProjects(agentDir, () => ({}))).toThrow(new SettingError(MESSAGE));
    },
  );

  it.each(["{", "[]", "null", '{"piRetrospect":[]}', '{"piRetrospect":null}', '{"piRetrospect":"x"}'])(
    "fails closed for the user's file %s",
    (text) => {
      writeUser(text);
      expect(() => requireAllowedProjects(agentDir, () => ({}))).toThrow(new SettingError(MESSAGE));
    },
  );

  it("fails closed when a file is there and cannot be read, or Pi cannot tell its settings", () => {
    expect(() =>
      requireAllowedProjects(agentDir, () => {
        throw new Error("private detail");
      }),
    ).toThrow(new SettingError(MESSAGE));
    rmSync(agentDir, { recursive: true });
    writeFileSync(agentDir, ""); // a file where the directory should be: ENOTDIR, for root as well
    chmodSync(agentDir, 0o600);
    expect(() => requireAllowedProjects(agentDir, () => ({}))).toThrow(new SettingError(MESSAGE));
  });
});

describe("the steering marker", () => {
  const on = () => ({ piRetrospect: { markSteeringMessages: true } });
  const steer = { text: "no, the other file", source: "interactive", streamingBehavior: "steer" };

  it("is put before what a person steers with", () => {
    expect(markedText(steer, on)).toBe(`${STEERING_MARKER}no, the other file`);
    expect(markedText({ ...steer, source: "rpc" }, on)).toBe(`${STEERING_MARKER}no, the other file`);
  });

  it.each([
    ["input while idle", { ...steer, streamingBehavior: undefined }],
    ["a queued follow-up", { ...steer, streamingBehavior: "followUp" }],
    ["an extension's input", { ...steer, source: "extension" }],
    ["a command", { ...steer, text: "/name x" }],
    ["marked text", { ...steer, text: `${STEERING_MARKER}again` }],
  ])("leaves %s as it is", (_what, input) => {
    expect(markedText(input, on)).toBeUndefined();
  });

  it("marks text that only resembles the marker", () => {
    for (const text of ["STEERING:", "steering: x", " STEERING: x"]) {
      expect(markedText({ ...steer, text }, on)).toBe(STEERING_MARKER + text);
    }
  });

  it.each([undefined, false, 1, "true", null, {}])("is off for the value %j", (value) => {
    expect(markedText(steer, () => ({ piRetrospect: { markSteeringMessages: value } }))).toBeUndefined();
  });

  it("is off when the settings cannot be read", () => {
    const broken = () => {
      throw new Error("no settings");
    };
    expect(marksSteering(broken)).toBe(false);
    for (const settings of [undefined, null, [], { piRetrospect: [] }])
      expect(marksSteering(() => settings)).toBe(false);
  });
});

describe("the settings of the index", () => {
  it.each([
    undefined,
    null,
    [],
    "x",
    { piRetrospect: {} },
    { piRetrospect: { index: [] } },
    { piRetrospect: 1 },
  ])("are the defaults for %j", (settings) =>
    expect(indexSettingsOf(() => settings)).toEqual(DEFAULT_INDEX_SETTINGS),
  );

  it("are taken one by one; a malformed one has its default", () => {
    const settings = { piRetrospect: { index: { enabled: false, background: "no", excludePrefixes: [] } } };
    expect(indexSettingsOf(() => settings)).toEqual({
      enabled: false,
      background: true,
      excludePrefixes: [],
    });
    const broken = { piRetrospect: { index: { excludePrefixes: ["--x", 1] } } };
    expect(indexSettingsOf(() => broken).excludePrefixes).toEqual(DEFAULT_INDEX_SETTINGS.excludePrefixes);
  });
});

describe("the schema of the settings", () => {
  it("names every default as the code has it", () => {
    const { index, markSteeringMessages } = SettingsSchema.properties;
    const properties = index.properties;
    expect(markSteeringMessages).toMatchObject({ default: marksSteering(() => ({})) });
    const defaults = Object.entries(properties).map(([name, schema]) => [
      name,
      JSON.parse(JSON.stringify(schema)).default,
    ]);
    expect(Object.fromEntries(defaults)).toEqual(DEFAULT_INDEX_SETTINGS);
  });

  it.each([
    ["*"],
    ["app", "app-x"],
    [],
    ["a b"],
    ["…"],
    [""],
    ["."],
    [".."],
    ["a/b"],
    ["a\\b"],
    [1],
    "app",
    null,
  ])("and the code agree on the list %j", (allowedProjects) => {
    const list = allowedProjects;
    let isAccepted = true;
    try {
      requireAllowedProjects(agentDir, () => bound(list));
    } catch {
      isAccepted = false;
    }
    expect(Value.Check(SettingsSchema, { allowedProjects: list })).toBe(isAccepted);
  });
});
