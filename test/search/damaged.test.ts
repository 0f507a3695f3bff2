/** What a search does when the index turns out to be unusable in the middle of it. */
import { closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openIndex } from "../../src/index/open.ts";
import { APPLICATION_ID, CREATION_PRAGMAS, PAGE_BYTES } from "../../src/index/schema.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { searchSessions } from "../../src/index.ts";
import { fileOf, fixture, headerLine, messageLine, openFor, sync } from "../index/support.ts";

async function filled() {
  const { root, project, indexPath } = fixture();
  const lines = Array.from({ length: 300 }, (_, i) =>
    messageLine(`m${i}`, "user", `deploy word${i} `.repeat(20)),
  );
  writeFileSync(path.join(project, "a.jsonl"), fileOf(headerLine(), ...lines));
  const index = await openIndex(indexPath);
  await sync(index, root);
  index.close();
  return { root, indexPath };
}

test("a database that is damaged where only a search reads is rebuilt, and the search answers", async () => {
  const { root, indexPath } = await filled();
  const options = { sessionsRoot: root, syncBudgetMs: 30_000 };
  const expected = await searchSessions({ query: "deploy" }, options);
  const db = new DatabaseSync(indexPath, { readOnly: true });
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'message'").get()?.["rootpage"];
  db.close();
  const fd = openSync(indexPath, "r+");
  writeSync(fd, Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, (Number(page) - 1) * PAGE_BYTES);
  closeSync(fd);
  expect(await searchSessions({ query: "deploy" }, { ...options, indexPath })).toEqual(expected);
  expect(await searchSessions({ query: "word299" }, { ...options, indexPath })).toMatchObject({
    results: [{ matchMessageId: "m299" }],
  });
});

test("an index whose making was broken off before it was marked is made, not refused", async () => {
  const { root, indexPath } = await filled();
  for (const name of readdirSync(path.dirname(indexPath))) rmSync(path.join(path.dirname(indexPath), name));
  const db = new DatabaseSync(indexPath);
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL;`);
  db.close();
  expect(statSync(indexPath).size).toBe(PAGE_BYTES);
  const index = await openFor(indexPath);
  expect(await sync(index, root)).not.toHaveProperty("warning");
  expect(index.isWritable).toBe(true);
});

test("the making of an index leaves no moment at which its file is not marked", () => {
  const { indexPath } = fixture();
  const db = new DatabaseSync(indexPath.replace(/config.*$/, "made.db"));
  const seen: unknown[] = [];
  for (const statement of CREATION_PRAGMAS.split(";").filter((each) => each.trim() !== "")) {
    db.exec(statement);
    const isStored = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]) > 0 && !db.isTransaction;
    if (isStored) seen.push(db.prepare("PRAGMA application_id").get()?.["application_id"]);
  }
  db.close();
  expect(seen).toEqual([APPLICATION_ID]);
});

test("an index whose place was taken can be closed, and goes on when the place is free again", async () => {
  const { root, indexPath } = await filled();
  const index = await openFor(indexPath);
  const clear = () => {
    for (const name of readdirSync(path.dirname(indexPath))) rmSync(path.join(path.dirname(indexPath), name));
  };
  clear();
  writeFileSync(indexPath, "my notes\n".repeat(500));
  const roots = { roots: [root] };
  await expect(syncIndex(index, roots)).rejects.toThrow(/not an index of pi-retrospect/);
  await expect(syncIndex(index, roots)).rejects.toThrow(/not an index of pi-retrospect/);
  clear();
  expect(await syncIndex(index, roots)).toMatchObject({ backlogRemaining: 0, walkComplete: true });
  expect(() => index.close()).not.toThrow();
});

test("where no index can be made, the files answer, and the answer says so", async () => {
  const { root } = await filled();
  const inTheWay = path.join(root, "..", "in-the-way");
  writeFileSync(inTheWay, "not a directory");
  const answer = await searchSessions(
    { query: "word299" },
    { sessionsRoot: root, indexPath: path.join(inTheWay, "index.db"), syncBudgetMs: 30_000 },
  );
  expect(answer).toMatchObject({
    results: [{ matchMessageId: "m299" }],
    syncWarning: { kind: "sync-failed", error: expect.stringContaining("in-the-way") },
  });
  expect(
    await searchSessions({}, { sessionsRoot: root, indexPath: path.join(inTheWay, "index.db") }),
  ).toMatchObject({ sessions: [{ messageCount: 300 }] });
});
