/** What happens to searches when the index, or something in its place, changes under an open one. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { searchSessions } from "../../src/index.ts";
import { withService } from "../../src/surface/inlineEngine.ts";

let scratch: string;
let root: string;
let indexPath: string;

beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), "pi-retrospect-replaced-"));
  root = path.join(scratch, "sessions");
  indexPath = path.join(scratch, "private", "index.db");
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function write(project: string, name: string, ...texts: readonly string[]): string {
  const file = path.join(root, project, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const timestamp = "2026-01-01T00:00:00Z";
  const lines = texts.map((content, i) =>
    JSON.stringify({
      type: "message",
      id: `e${i}`,
      parentId: null,
      timestamp,
      message: { role: "user", content },
    }),
  );
  const header = JSON.stringify({ type: "session", version: 3, id: name, timestamp, cwd: "/p" });
  writeFileSync(file, `${[header, ...lines].join("\n")}\n`);
  return file;
}

async function pathsOf(query: string): Promise<string[]> {
  const output = await searchSessions({ query, limit: 10 }, { sessionsRoot: root, indexPath });
  if (output.mode !== "discovery") throw new Error("not discovery");
  return output.results.filter(({ match }) => match === "all").map((hit) => hit.path);
}

test("a rebuilt index is read anew by whoever had it open", async () => {
  const one = write("--p--", "one.jsonl", "alpha");
  const two = write("--p--", "two.jsonl", "beta");
  expect(await pathsOf("alpha")).toEqual([one]);
  rmSync(one);
  const three = write("--p--", "zero.jsonl", "alpha gamma");
  await withService(indexPath, (service) => service.rebuild());
  expect([await pathsOf("alpha"), await pathsOf("beta")]).toEqual([[three], [two]]);
});

test("what takes the index's place while it is open is refused, and searching goes on before and after", async () => {
  const one = write("--p--", "one.jsonl", "alpha");
  expect(await pathsOf("alpha")).toEqual([one]);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(indexPath + suffix, { force: true });
  mkdirSync(indexPath);
  const refused = await searchSessions({ query: "alpha" }, { sessionsRoot: root, indexPath });
  expect(refused).toMatchObject({ results: [{ path: one }], syncWarning: { kind: "sync-failed" } });
  rmSync(indexPath, { recursive: true });
  expect(await pathsOf("alpha")).toEqual([one]);
});

test("a foreign database beside a log that an index left is not written to", async () => {
  write("--p--", "one.jsonl", "alpha");
  await pathsOf("alpha");
  const log = path.join(scratch, "left-wal");
  await withService(indexPath, async (service) => {
    const index = await service.index();
    index.write(() => index.run("UPDATE meta SET value = value WHERE name = 'revision'"));
    renameSync(`${indexPath}-wal`, log); // as a killed process leaves it
  });
  for (const suffix of ["", "-wal", "-shm"]) rmSync(indexPath + suffix, { force: true });
  const foreign = new DatabaseSync(indexPath);
  foreign.exec("CREATE TABLE precious (x); INSERT INTO precious VALUES (42)");
  foreign.close();
  renameSync(log, `${indexPath}-wal`);
  const output = await searchSessions({ query: "alpha" }, { sessionsRoot: root, indexPath });
  expect(output).toMatchObject({ results: [{}], syncWarning: { kind: "sync-failed" } });
  rmSync(`${indexPath}-wal`, { force: true });
  const kept = new DatabaseSync(indexPath);
  expect(kept.prepare("SELECT x FROM precious").all()).toEqual([{ x: 42 }]);
  kept.close();
});

test("a file's row never stands for another file, whoever synced in between", async () => {
  const file = write("--a--", "two.jsonl", "beta");
  expect(await pathsOf("beta")).toEqual([file]);
  const other = path.join(scratch, "aside.jsonl");
  const { IndexService } = await import("../../src/index/service.ts");
  const another = new IndexService(indexPath); // as another process has it open
  renameSync(file, other);
  await another.sync({ roots: [root] });
  const moved = path.join(root, "--c--", "two.jsonl");
  mkdirSync(path.dirname(moved), { recursive: true });
  renameSync(other, moved);
  await another.sync({ roots: [root] });
  await another.close();
  expect(await pathsOf("beta")).toEqual([moved]);
});

test("characters that SQLite's LIKE confuses are told apart", async () => {
  const file = write("--p--", "one.jsonl", "alpha \uffff omega");
  expect([await pathsOf("\uffff"), await pathsOf("\ufffd"), await pathsOf("\ufffe")]).toEqual([
    [file],
    [],
    [],
  ]);
});

test("NEAR asks for a repeated term once", async () => {
  const file = write("--p--", "one.jsonl", "e t a ".repeat(20_000));
  expect(await pathsOf(`NEAR(${"e t a ".repeat(80)})`)).toEqual([file]);
});
