/** The index as a file: private, ours, and never in need of a hand. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openIndex, rebuildIndex } from "../../src/index/open.ts";
import { contentOf, fileOf, fixture, headerLine, messageLine, openFor, sync } from "./support.ts";

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

async function filledIndex() {
  const { root, project, indexPath } = fixture();
  const lines = Array.from({ length: 400 }, (_, i) => messageLine(`m${i}`, "user", `word${i} `.repeat(40)));
  writeFileSync(path.join(project, "a.jsonl"), fileOf(headerLine(), ...lines));
  const index = await openIndex(indexPath);
  await sync(index, root);
  const content = contentOf(index);
  index.close();
  return { root, indexPath, content };
}

test("directory and files are for their owner alone, and are narrowed when they were wider", async () => {
  const { indexPath } = fixture();
  const directory = path.dirname(indexPath);
  const index = await openFor(indexPath);
  index.run("UPDATE meta SET value = 1 WHERE name = 'revision'");
  expect([modeOf(directory), modeOf(indexPath), modeOf(`${indexPath}-wal`)]).toEqual(["700", "600", "600"]);
  index.close();
  chmodSync(directory, 0o755);
  chmodSync(indexPath, 0o644);
  await openFor(indexPath);
  expect([modeOf(directory), modeOf(indexPath)]).toEqual(["700", "600"]);
});

test("a directory that holds other things too keeps its mode", async () => {
  const { indexPath } = fixture();
  const shared = path.join(path.dirname(path.dirname(indexPath)), "shared");
  mkdirSync(shared, { recursive: true, mode: 0o755 });
  writeFileSync(path.join(shared, "letter.txt"), "");
  await openFor(path.join(shared, "index.db"));
  expect(modeOf(shared)).toBe("755");
});

test.each(["", "-wal", "-shm"])("a symlink in the place of index.db%s is refused", async (suffix) => {
  const { indexPath } = fixture();
  mkdirSync(path.dirname(indexPath), { recursive: true });
  const target = path.join(path.dirname(indexPath), "elsewhere");
  symlinkSync(target, indexPath + suffix);
  await expect(openIndex(indexPath)).rejects.toThrow(/symbolic link/);
  expect(existsSync(target)).toBe(false);
});

test("a directory in the place of the index is refused", async () => {
  const { indexPath } = fixture();
  mkdirSync(indexPath, { recursive: true });
  await expect(openIndex(indexPath)).rejects.toThrow(/not a regular file/);
});

test("a database of someone else is refused and left as it is", async () => {
  const { indexPath } = fixture();
  mkdirSync(path.dirname(indexPath), { recursive: true });
  const foreign = new DatabaseSync(indexPath);
  foreign.exec("CREATE TABLE precious (x); INSERT INTO precious VALUES (1)");
  foreign.close();
  const bytes = readFileSync(indexPath);
  await expect(openIndex(indexPath)).rejects.toThrow(/not an index of pi-retrospect/);
  expect(readFileSync(indexPath).equals(bytes)).toBe(true);
});

test("a file that is no database is refused and left as it is", async () => {
  const { indexPath } = fixture();
  mkdirSync(path.dirname(indexPath), { recursive: true });
  writeFileSync(indexPath, "my notes\n".repeat(200));
  await expect(openIndex(indexPath)).rejects.toThrow(/not an index of pi-retrospect/);
  expect(readFileSync(indexPath, "utf8")).toContain("my notes");
});

test("an empty file becomes the index", async () => {
  const { indexPath } = fixture();
  mkdirSync(path.dirname(indexPath), { recursive: true });
  writeFileSync(indexPath, "");
  expect((await openFor(indexPath)).isWritable).toBe(true);
});

test("an index of another version is replaced and fills again by itself", async () => {
  const { root, indexPath, content } = await filledIndex();
  const old = new DatabaseSync(indexPath);
  old.exec("PRAGMA user_version = 9999; DROP TABLE message");
  old.close();
  const index = await openFor(indexPath);
  await sync(index, root);
  expect(contentOf(index)).toEqual(content);
});

test.each([
  ["cut to its first page", (file: string) => truncateSync(file, 16_384)],
  ["cut inside its header page", (file: string) => truncateSync(file, 1000)],
  ["overwritten behind its header", (file: string) => overwrite(file, 200, 30_000)],
  ["overwritten in the middle", (file: string) => overwrite(file, 40_000, statSync(file).size - 50_000)],
])("an index that was %s is replaced and fills again by itself", async (_, damage) => {
  const { root, indexPath, content } = await filledIndex();
  damage(indexPath);
  const index = await openFor(indexPath);
  // Damage may show first to whoever reads; every table is read by a change of each file.
  writeFileSync(path.join(root, "--home-user-app--", "b.jsonl"), fileOf(headerLine()));
  let result = await sync(index, root);
  try {
    contentOf(index);
  } catch {
    await index.replaceDamaged();
    result = await sync(index, root);
  }
  expect(result.warning).toBeUndefined();
  expect(contentOf(index).messages).toEqual(content.messages);
  expect(contentOf(index).words).toEqual(content.words);
});

function overwrite(file: string, from: number, length: number): void {
  const fd = openSync(file, "r+");
  writeSync(fd, Buffer.alloc(length, 0x5a), 0, length, from);
  closeSync(fd);
}

test("without a place to write, the answer is empty and says so", async () => {
  const { root, project, indexPath } = fixture();
  writeFileSync(path.join(project, "a.jsonl"), fileOf(headerLine()));
  mkdirSync(path.dirname(path.dirname(indexPath)), { recursive: true });
  writeFileSync(path.dirname(indexPath), "a file where the directory should be");
  const index = await openFor(indexPath);
  expect(index.isWritable).toBe(false);
  expect(await sync(index, root)).toMatchObject({
    backlogRemaining: 1,
    warning: { kind: "sync-failed", error: expect.stringContaining("EEXIST") },
  });
});

test.runIf(process.getuid?.() === 0)("an index that cannot be written is read", async () => {
  const { root, indexPath, content } = await filledIndex();
  const directory = path.dirname(indexPath);
  chmodSync(directory, 0o555);
  chmodSync(indexPath, 0o444);
  chmodSync(path.dirname(path.dirname(directory)), 0o755);
  chmodSync(path.dirname(directory), 0o755);
  process.seteuid?.(65_534);
  try {
    const index = await openIndex(indexPath);
    expect(index.isWritable).toBe(false);
    expect(index.all("SELECT * FROM message")).toHaveLength(content.messages.length);
    expect((await sync(index, root)).warning).toMatchObject({ kind: "sync-failed" });
    index.close();
  } finally {
    process.seteuid?.(0);
  }
});

test("an index that another process replaced is opened anew", async () => {
  const { root, indexPath, content } = await filledIndex();
  const index = await openFor(indexPath);
  const other = await openFor(indexPath);
  const { openings, inode } = index;
  await rebuildIndex(other);
  await sync(index, root);
  expect(index.openings).toBeGreaterThan(openings);
  expect(index.inode).not.toBe(inode);
  expect(contentOf(index)).toEqual(content);
  expect(other.all("SELECT * FROM message")).toHaveLength(content.messages.length);
});

test("opening the index prints nothing", () => {
  const { indexPath } = fixture();
  const open = new URL("../../src/index/open.ts", import.meta.url).href;
  const script = `import { openIndex } from ${JSON.stringify(open)};
    const index = await openIndex(${JSON.stringify(indexPath)}); index.close();
    process.emitWarning("still heard", "ExperimentalWarning");`;
  const result = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    stdio: "pipe",
    encoding: "utf8",
  });
  expect(result).toBe("");
});
