import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { listSessions } from "../../src/list/listSessions.ts";
import { entry, fileOf, header, scratch, userMessage } from "../support/stores.ts";

/** How often LF, CRLF or a lone CR ends a line, and once more for a last line without one. */
function countLines(bytes: Buffer): number {
  const text = bytes.toString("latin1");
  return text === "" ? 0 : text.split(/\r\n|\r|\n/).length - (/[\r\n]$/.test(text) ? 1 : 0);
}

const good = Buffer.from(
  fileOf(
    header(),
    userMessage("a", null, 'say "hi" {"type":"custom"} \\ \u2028 é😀'),
    entry("b", "a", {
      type: "message",
      message: { role: "assistant", content: [{ type: "text", text: "x" }] },
    }),
    entry("__proto__", "b", { constructor: { prototype: 1 }, n: 1e300 }),
    entry("b", "__proto__"),
  ),
);
const place = fc.nat(good.length);
const piece = fc.oneof(
  fc.constantFrom(
    "\0\0\0\0",
    "\ufeff",
    "\r",
    "\r\n",
    "\n",
    "\u2028",
    '"',
    "{",
    "}",
    "\\",
    header(),
    entry("c", "b"),
    "[".repeat(5000),
  ),
  fc.uint8Array({ minLength: 1, maxLength: 4 }),
);
const mutation = fc.oneof(
  fc.record({ cut: place }),
  fc.record({ remove: place, count: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ insert: place, piece }),
  fc.record({ flip: fc.nat(good.length - 1), byte: fc.integer({ min: 0, max: 255 }) }),
);

function mutate(bytes: Buffer, change: typeof mutation extends fc.Arbitrary<infer T> ? T : never): Buffer {
  if ("cut" in change) return bytes.subarray(0, change.cut);
  if ("remove" in change) {
    return Buffer.concat([bytes.subarray(0, change.remove), bytes.subarray(change.remove + change.count)]);
  }
  if ("insert" in change) {
    const { insert, piece: added } = change;
    return Buffer.concat([bytes.subarray(0, insert), Buffer.from(added as string), bytes.subarray(insert)]);
  }
  const flipped = Buffer.from(bytes);
  if (change.flip < flipped.length) flipped[change.flip] = change.byte;
  return flipped;
}

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
