import path from "node:path";
import { expect, test } from "vitest";
import { readSessionEntries, searchSessions } from "../../src/index.ts";

const store = {
  sessionsRoot: path.resolve(import.meta.dirname, "..", "..", "samples", "generated", "store"),
};
const name = "2026-06-01T09-00-00-000Z_branch-through-skipped.jsonl";

test("read shows the branch that session_entries gives, also where it leads through a skipped line", async () => {
  const file = path.join(store.sessionsRoot, "--srv-entries--", name);
  const { entries } = await readSessionEntries(
    { sessionPath: file, branch: "active", types: ["message"] },
    store,
  );
  const read = await searchSessions({ sessionId: file }, store);
  if (read.mode !== "read") throw new Error("not read");
  expect(entries.length).toBeGreaterThan(1);
  expect(read.messages.map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
  expect(read.warnings?.map(({ code }) => code)).toEqual(["invalid_entry"]);
});
