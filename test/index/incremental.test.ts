/** What a sync reads, writes and reports, change by change. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import type { IndexDatabase } from "../../src/index/database.ts";
import { IndexService } from "../../src/index/service.ts";
import type { SyncResult } from "../../src/index/sync.ts";
import {
  coldContentOf,
  contentOf,
  fileOf,
  fixture,
  headerLine,
  messageLine,
  openFor,
  sync,
} from "./support.ts";

const header = headerLine();
const OTHER_USER = 65_534;
const folded = (index: IndexDatabase) => contentOf(index).messages.map((row) => row["folded"]);
const lineNumbers = (index: IndexDatabase) => contentOf(index).messages.map((row) => row["line_no"]);

async function store() {
  const { root, project, indexPath } = fixture();
  const file = path.join(project, "a.jsonl");
  return { root, project, file, index: await openFor(indexPath) };
}

test("an unchanged store costs no write and no read", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, fileOf(header, messageLine("a", "user", "one")));
  await sync(index, root);
  const revision = index.revision();
  expect(await sync(index, root)).toMatchObject({ walkComplete: true, backlogRemaining: 0, bytesRead: 0 });
  expect(index.revision()).toBe(revision);
});

test("an append reads the new bytes alone", async () => {
  const { root, file, index } = await store();
  const bulk = Array.from({ length: 300 }, (_, i) => messageLine(`m${i}`, "toolResult", "x".repeat(2000)));
  writeFileSync(file, fileOf(header, ...bulk));
  await sync(index, root);
  const more = fileOf(messageLine("z", "user", "appended"));
  appendFileSync(file, more);
  const before = bytesReadByThisProcess();
  expect((await sync(index, root)).bytesRead).toBe(more.length);
  if (before !== undefined) {
    const read = (bytesReadByThisProcess() ?? 0) - before;
    expect(read).toBeLessThanOrEqual(more.length + 192 * 1024 + ALLOWANCE_FOR_DATABASE);
  }
  expect(folded(index)).toEqual(["appended"]);
});

/** Pages of the index that SQLite reads, and the look at this very number. */
const ALLOWANCE_FOR_DATABASE = 64 * 1024;

function bytesReadByThisProcess(): number | undefined {
  try {
    return Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "latin1"))?.[1]);
  } catch {
    return undefined; // only Linux tells
  }
}

test("a torn last line is left until it is complete", async () => {
  const { root, file, index } = await store();
  const line = messageLine("b", "assistant", "torn in two");
  writeFileSync(file, fileOf(header, messageLine("a", "user", "whole")) + line.slice(0, 40));
  await sync(index, root);
  expect(folded(index)).toEqual(["whole"]);
  expect(contentOf(index).problems).toEqual([]);
  appendFileSync(file, `${line.slice(40)}\n`);
  await sync(index, root);
  expect(folded(index)).toEqual(["whole", "torn in two"]);
});

test("a last line that only lacks its line break is found, and found once after the break came", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, fileOf(header) + messageLine("a", "user", "no break"));
  await sync(index, root);
  expect(folded(index)).toEqual(["no break"]);
  appendFileSync(file, fileOf("", messageLine("b", "user", "next")));
  await sync(index, root);
  expect(lineNumbers(index)).toEqual([2, 3]);
  expect(contentOf(index).sessions).toMatchObject([{ message_count: 2 }]);
});

test("a CRLF that arrives in two halves is one line break", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, `${header}\n${messageLine("a", "user", "one")}\r`);
  await sync(index, root);
  appendFileSync(file, `\n${messageLine("b", "user", "two")}\n`);
  await sync(index, root);
  expect(lineNumbers(index)).toEqual([2, 3]);
});

test("a rewrite of the same size is seen when the old mtime was restored", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, fileOf(header, messageLine("a", "user", "before")));
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  await sync(index, root);
  writeFileSync(file, fileOf(header, messageLine("a", "user", "after!")));
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  await sync(index, root);
  expect(folded(index)).toEqual(["after!"]);
});

test("a file that grew but is another below the offset reached is read from the start", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, fileOf(header, messageLine("a", "user", "before")));
  await sync(index, root);
  writeFileSync(file, fileOf(header, messageLine("a", "user", "after!"), messageLine("b", "user", "more")));
  await sync(index, root);
  expect(folded(index)).toEqual(["after!", "more"]);
});

test("a file with thousands of messages is replaced and deleted in short transactions", async () => {
  const { root, file, index } = await store();
  const many = Array.from({ length: 1500 }, (_, i) => messageLine(`m${i}`, "user", `word${i}`));
  writeFileSync(file, fileOf(header, ...many));
  await sync(index, root);
  expect(folded(index)).toHaveLength(1500);
  let steps = 0;
  writeFileSync(file, fileOf(header, messageLine("a", "user", "little")));
  await sync(index, root, { onProgress: () => steps++ });
  expect(steps).toBeGreaterThan(2);
  expect(folded(index)).toEqual(["little"]);
  rmSync(file);
  await sync(index, root);
  expect(contentOf(index)).toMatchObject({ files: [], messages: [], words: [] });
});

test("the latest name counts, an empty one clears it, and the latest time is the last activity", async () => {
  const { root, file, index } = await store();
  const info = (name: string, timestamp: string) =>
    JSON.stringify({ type: "session_info", id: "i", parentId: null, timestamp, name });
  writeFileSync(
    file,
    fileOf(header, info("first", "2026-03-01T00:00:00Z"), info("second", "2026-02-01T00:00:00Z")),
  );
  await sync(index, root);
  expect(contentOf(index).sessions).toMatchObject([
    { name: "second", last_activity: "2026-03-01T00:00:00Z" },
  ]);
  appendFileSync(file, fileOf(info("", "2026-02-02T00:00:00Z")));
  await sync(index, root);
  expect(contentOf(index).sessions).toMatchObject([{ name: null }]);
});

test("tool results that are not parsed count as messages and as activity", async () => {
  const { root, file, index } = await store();
  const late = messageLine("t", "toolResult", "output", { timestamp: "2026-05-01T00:00:00.000Z" });
  writeFileSync(file, fileOf(header, messageLine("a", "user", "go"), late));
  await sync(index, root);
  expect(contentOf(index).sessions).toMatchObject([
    { message_count: 2, last_activity: "2026-05-01T00:00:00.000Z", preview: "go" },
  ]);
});

test("a file that is no session is refused with a reason, and admitted when it becomes one", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, "not json\n");
  expect((await sync(index, root)).backlogRemaining).toBe(0);
  expect(contentOf(index).files).toMatchObject([{ state: 2, reason: expect.stringContaining("not JSON") }]);
  writeFileSync(file, fileOf(header, messageLine("a", "user", "now")));
  await sync(index, root);
  expect(folded(index)).toEqual(["now"]);
  writeFileSync(file, "not json again\n");
  await sync(index, root);
  expect(contentOf(index)).toMatchObject({ sessions: [], messages: [] });
});

test("twenty skipped lines are kept and all are counted", async () => {
  const { root, file, index } = await store();
  writeFileSync(
    file,
    fileOf(header, ...Array.from({ length: 30 }, () => "{broken"), messageLine("a", "user", "x")),
  );
  await sync(index, root);
  const { problems, files } = contentOf(index);
  expect(problems.map((row) => row["line_no"])).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
  expect(files).toMatchObject([{ problem_count: 30 }]);
});

test("project directories with an excluded prefix are counted and not indexed", async () => {
  const { root, file, index } = await store();
  const excluded = path.join(root, "--tmp-x--");
  mkdirSync(excluded);
  writeFileSync(path.join(excluded, "b.jsonl"), fileOf(header, messageLine("b", "user", "hidden")));
  writeFileSync(file, fileOf(header, messageLine("a", "user", "shown")));
  expect((await sync(index, root)).excludedProjects).toEqual([excluded]);
  expect(folded(index)).toEqual(["shown"]);
  expect((await sync(index, root, { excludePrefixes: ["--home-"] })).backlogRemaining).toBe(0);
  expect(folded(index)).toEqual(["hidden"]);
});

test("after an incomplete walk nothing is taken away", async () => {
  const { root, project, file, index } = await store();
  writeFileSync(file, fileOf(header, messageLine("a", "user", "kept")));
  await sync(index, root);
  const aside = `${root}-aside`;
  renameSync(root, aside);
  expect(await sync(index, root)).toMatchObject({
    walkComplete: false,
    backlogRemaining: 0,
    warning: { kind: "incomplete-walk" },
  });
  expect(folded(index)).toEqual(["kept"]);
  renameSync(aside, root);
  rmSync(project, { recursive: true });
  expect(await sync(index, root)).not.toHaveProperty("warning");
  expect(folded(index)).toEqual([]);
});

test("two roots share an index and lose nothing to each other", async () => {
  const { root, file, index } = await store();
  const other = path.join(path.dirname(root), "other");
  mkdirSync(path.join(other, "--p--"), { recursive: true });
  writeFileSync(file, fileOf(header, messageLine("a", "user", "here")));
  writeFileSync(path.join(other, "--p--", "b.jsonl"), fileOf(header, messageLine("b", "user", "there")));
  await sync(index, root);
  await sync(index, other);
  expect(folded(index).toSorted()).toEqual(["here", "there"]);
});

test("when the budget is used up the newest files are in and the rest is counted", async () => {
  const { root, project, index } = await store();
  for (let i = 0; i < 20; i++) {
    const file = path.join(project, `f${i}.jsonl`);
    writeFileSync(file, fileOf(header, messageLine("a", "user", `text ${i}`)));
    utimesSync(file, 1_700_000_000 + i, 1_700_000_000 + i);
  }
  const first = await sync(index, root, { budgetMs: 0, batchTextChars: 1 });
  expect(first.warning).toBeUndefined();
  expect(first.backlogRemaining).toBe(19);
  expect(first.backlogPaths[0]).toBe(path.join(project, "f18.jsonl"));
  expect(folded(index)).toEqual(["text 19"]);
  expect((await sync(index, root)).backlogRemaining).toBe(0);
  expect(folded(index)).toHaveLength(20);
});

test("a background pass leaves no long log behind, unless somebody still reads", async () => {
  const { root, file, index } = await store();
  const logBytes = () => statSync(`${index.path}-wal`).size;
  const service = new IndexService(index.path);
  const pass = () =>
    new Promise<SyncResult>((onDone) => service.startBackground({ roots: [root] }, { onDone }));
  writeFileSync(file, fileOf(header, messageLine("a", "user", "some words ".repeat(200_000))));
  await sync(index, root);
  expect(logBytes()).toBeGreaterThan(2_000_000);
  await pass();
  expect(logBytes()).toBe(0);
  index.db.exec("BEGIN");
  index.get("SELECT count(*) FROM message");
  writeFileSync(file, fileOf(header, messageLine("a", "user", "other words ".repeat(200_000))));
  expect(await pass()).not.toHaveProperty("warning");
  index.db.exec("COMMIT");
  await service.close();
  expect(folded(index)).toEqual(["other words ".repeat(200_000)]);
});

test("an abort keeps what was written and throws the reason", async () => {
  const { root, project, index } = await store();
  for (let i = 0; i < 5; i++) {
    writeFileSync(path.join(project, `f${i}.jsonl`), fileOf(header, messageLine("a", "user", `text ${i}`)));
  }
  const abort = new AbortController();
  const reason = new Error("enough");
  const syncing = sync(index, root, {
    signal: abort.signal,
    batchTextChars: 1,
    onProgress: () => abort.abort(reason),
  });
  await expect(syncing).rejects.toBe(reason);
  expect(folded(index)).toHaveLength(1);
  await sync(index, root);
  expect(folded(index)).toHaveLength(5);
});

test.runIf(process.getuid?.() === 0)(
  "a file that cannot be read keeps its rows, is counted and retried",
  async () => {
    const { root, file, index } = await store();
    writeFileSync(file, fileOf(header, messageLine("a", "user", "old")), { mode: 0o600 });
    await sync(index, root);
    writeFileSync(file, fileOf(header, messageLine("a", "user", "new")));
    chmodSync(path.dirname(root), 0o755);
    for (const suffix of ["", "-wal", "-shm"]) chownSync(index.path + suffix, OTHER_USER, OTHER_USER);
    for (const up of [path.dirname(index.path), path.dirname(path.dirname(index.path))]) {
      chownSync(up, OTHER_USER, OTHER_USER);
    }
    process.seteuid?.(OTHER_USER);
    try {
      const result = await sync(index, root);
      expect(result).toMatchObject({ backlogRemaining: 1, unreadableFiles: 1, walkComplete: true });
      expect(result.warning).toBeUndefined();
      const revision = index.revision();
      await sync(index, root);
      expect(index.revision()).toBe(revision);
    } finally {
      process.seteuid?.(0);
    }
    expect(folded(index)).toEqual(["old"]);
    expect((await sync(index, root)).backlogRemaining).toBe(0);
    expect(folded(index)).toEqual(["new"]);
  },
);

test("a full disk fails the sync, keeps what is there, and costs nothing later", async () => {
  const { root, project, file, index } = await store();
  writeFileSync(file, fileOf(header, messageLine("a", "user", "first")));
  await sync(index, root);
  const pages = Number(index.get("PRAGMA page_count")?.["page_count"]);
  index.db.exec(`PRAGMA max_page_count = ${pages + 1}`);
  const much = Array.from({ length: 300 }, (_, i) => messageLine(`m${i}`, "user", `w${i} `.repeat(500)));
  writeFileSync(path.join(project, "b.jsonl"), fileOf(header, ...much));
  expect(await sync(index, root)).toMatchObject({
    backlogRemaining: 1,
    warning: { kind: "sync-failed", error: expect.stringContaining("full") },
  });
  expect(folded(index)).toEqual(["first"]);
  index.db.exec("PRAGMA max_page_count = 1000000");
  expect(await sync(index, root)).not.toHaveProperty("warning");
  expect(contentOf(index)).toEqual(await coldContentOf(root));
});

test("while another process holds the lock a sync gives up in time, and no call waits long", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, fileOf(header, messageLine("a", "user", "first")));
  const other = await openFor(index.path);
  other.db.exec("BEGIN IMMEDIATE");
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const result = await sync(index, root, { budgetMs: 300 });
  delay.disable();
  other.db.exec("ROLLBACK");
  expect(result).toMatchObject({
    backlogRemaining: 1,
    warning: { kind: "sync-failed", error: expect.stringContaining("locked") },
  });
  expect(delay.max / 1e6).toBeLessThan(250);
  expect((await sync(index, root)).backlogRemaining).toBe(0);
});

test("while it is another's turn to write, the backlog is told and nothing fails", async () => {
  const { root, file, index } = await store();
  writeFileSync(file, fileOf(header, messageLine("a", "user", "first")));
  const claim = (untilMs: number) => {
    index.run("UPDATE meta SET value = 'another' WHERE name = 'writer'");
    index.run("UPDATE meta SET value = ? WHERE name = 'writer_until_ms'", [untilMs]);
  };
  claim(Date.now() + 2000);
  const result = await sync(index, root, { budgetMs: 50 });
  expect(result.backlogRemaining).toBe(1);
  expect(result).not.toHaveProperty("warning");
  claim(Date.now() + 3_600_000); // no claim lasts so long: the clock was set back
  expect((await sync(index, root, { budgetMs: 50 })).backlogRemaining).toBe(0);
});

test("words and pages of many deleted messages are given back", async () => {
  const { root, project, file, index } = await store();
  const much = Array.from({ length: 1500 }, (_, i) => messageLine(`m${i}`, "user", `word${i} `.repeat(150)));
  writeFileSync(file, fileOf(header, ...much));
  writeFileSync(path.join(project, "b.jsonl"), fileOf(header, messageLine("b", "user", "stays")));
  await sync(index, root);
  const pages = () => Number(index.get("PRAGMA page_count")?.["page_count"]);
  const before = pages();
  const generation = () => index.get("SELECT value FROM meta WHERE name = 'word_generation'")?.["value"];
  rmSync(file);
  await sync(index, root);
  expect(index.all("SELECT word FROM word")).toMatchObject([{ word: "stays" }]);
  expect(generation()).toBe(1);
  expect(pages()).toBeLessThan(before / 2);
  expect(contentOf(index)).toEqual(await coldContentOf(root));
});
