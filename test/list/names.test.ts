import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listSessions } from "../../src/index.ts";

const HEADER = `${JSON.stringify({ type: "session", version: 3, id: "a", timestamp: "2026-01-01T00:00:00Z", cwd: "/p" })}\n`;
let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "pi-retrospect-names-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

// Other file systems refuse such names.
describe.runIf(process.platform === "linux")("names that are not UTF-8", () => {
  test("cost one warning each; a name that holds U+FFFD itself is a row", async () => {
    const project = path.join(root, "--p--");
    mkdirSync(project);
    for (const byte of [[0xff], [0xfe], [0xef, 0xbf, 0xbd]]) {
      const name = Buffer.from([
        ...Buffer.from("2026-01-01T00-00-00-000Z_"),
        ...byte,
        ...Buffer.from(".jsonl"),
      ]);
      writeFileSync(Buffer.concat([Buffer.from(`${project}/`), name]), HEADER);
    }
    const { sessions, warnings } = await listSessions({}, { sessionsRoot: root });
    expect(sessions.map(({ path: row }) => path.basename(row))).toEqual([
      "2026-01-01T00-00-00-000Z_\ufffd.jsonl",
    ]);
    expect(warnings.map((warning) => warning.path)).toEqual([project, project]);
    expect(new Set(warnings.map(({ reason }) => reason)).size).toBe(2);
  });

  test("cost no warning where discovery leaves out whatever the name, and one where it would look", async () => {
    const container = path.join(root, "--p--", "a");
    mkdirSync(container, { recursive: true });
    writeFileSync(path.join(root, "--p--", "a.jsonl"), HEADER);
    const raw = (directory: string, behind: string) =>
      Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff]), Buffer.from(behind)]);
    const leftOut = [
      raw(root, ".jsonl"),
      raw(path.join(root, "--p--"), ".txt"),
      raw(container, ".png"),
      raw(container, "events.jsonl"),
    ];
    for (const name of leftOut) writeFileSync(name, HEADER);
    mkdirSync(raw(root, "notes"));
    mkdirSync(raw(path.join(root, "--p--"), "orphans"));
    const { sessions, warnings } = await listSessions({}, { sessionsRoot: root });
    expect([sessions.length, warnings]).toEqual([1, []]);

    mkdirSync(raw(container, "run"));
    const withOrphans = await listSessions({ includeOrphans: true }, { sessionsRoot: root });
    expect(withOrphans.warnings.map((warning) => warning.path)).toEqual([
      path.join(root, "--p--"),
      container,
    ]);
  });
});

test("a root inside another gives the same rows in either order", async () => {
  const stem = path.join(root, "--p--", "2026-01-01T00-00-00-000Z_a");
  const inner = path.join(stem, "run", "async-1");
  mkdirSync(inner, { recursive: true });
  writeFileSync(`${stem}.jsonl`, HEADER);
  writeFileSync(path.join(inner, "2026-01-01T00-00-01-000Z_b.jsonl"), HEADER);
  const outerFirst = await listSessions({}, { sessionsRoot: root, additionalRoots: [inner] });
  const innerFirst = await listSessions({}, { sessionsRoot: inner, additionalRoots: [root] });
  expect(innerFirst).toEqual(outerFirst);
  expect(outerFirst.sessions).toMatchObject([{ subagentSessions: [{ subagentSessions: [] }] }]);
});
