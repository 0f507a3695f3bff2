/** What a search does when the index turns out to be unusable in the middle of it. */
import { closeSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openIndex } from "../../src/index/open.ts";
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
  const pageBytes = Number(db.prepare("PRAGMA page_size").get()?.["page_size"]);
  db.close();
  const fd = openSync(indexPath, "r+");
  writeSync(fd, Buffer.alloc(pageBytes, 7), 0, pageBytes, (Number(page) - 1) * pageBytes);
  closeSync(fd);
  expect(await searchSessions({ query: "deploy" }, { ...options, indexPath })).toEqual(expected);
  expect(await searchSessions({ query: "word299" }, { ...options, indexPath })).toMatchObject({
    results: [{ matchMessageId: "m299" }],
  });
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
