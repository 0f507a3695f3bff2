import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { listSessions } from "../../src/list/listSessions.ts";
import { countLines, good, mutate, mutation } from "../support/mutations.ts";
import { scratch } from "../support/stores.ts";

test("whatever bytes a file holds, each line is an entry or a warning, and listing gives a row or a warning", async () => {
  const tree = scratch();
  const sessionPath = tree.write("--p--/a.jsonl", "");
  const options = { sessionsRoot: tree.directory };
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      const bytes = mutations.reduce(mutate, good);
      writeFileSync(sessionPath, bytes);

      const { sessions, warnings } = await listSessions({}, options);
      expect(sessions.length + warnings.length).toBe(1);

      const read = await readSessionEntries({ sessionPath }, options).catch((error: Error) => error);
      if (read instanceof Error) {
        expect(read.message).toMatch(/^not a Pi session file: /);
        return;
      }
      const whole = read.entries.map(({ lineNo }) => lineNo);
      const warned = read.warnings.filter(({ lineNo }) => lineNo !== null);
      const skipped = warned.filter(({ code }) => code !== "recovered_entry").map(({ lineNo }) => lineNo);
      const lines = Array.from({ length: Math.max(0, countLines(bytes) - 1) }, (_, i) => i + 2);
      expect([...new Set([...whole, ...skipped])].sort((a, b) => Number(a) - Number(b))).toEqual(lines);
      expect(whole.filter((lineNo) => skipped.includes(lineNo))).toEqual([]);
      expect(new Set(warned.map(({ lineNo }) => lineNo)).size).toBe(warned.length);
      const active = await readSessionEntries({ sessionPath, branch: "active" }, options).catch(
        () => undefined,
      );
      expect(active?.entries.every((row) => whole.includes(row.lineNo)) ?? true).toBe(true);
    }),
    { numRuns: 500 },
  );
});
