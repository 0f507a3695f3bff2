import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import type { SessionEntriesParams, SessionEntry } from "../../src/model.ts";
import { entry, fileOf, header, type Scratch, scratch } from "../support/stores.ts";
import { transcript } from "../support/transcripts.ts";

const read = (tree: Scratch, bytes: string, params: Partial<SessionEntriesParams> = {}) =>
  readSessionEntries(
    { sessionPath: tree.write("s.jsonl", bytes), ...params },
    { sessionsRoot: tree.directory },
  );
const bytesOf = (entries: readonly SessionEntry[]) => Buffer.byteLength(JSON.stringify(entries));

/** Follows `nextLineNo` to the end, and checks what holds for each page. */
async function readPaged(
  tree: Scratch,
  bytes: string,
  params: Partial<SessionEntriesParams>,
  expected: readonly SessionEntry[],
) {
  const rows: SessionEntry[] = [];
  let startLineNo = params.startLineNo;
  for (;;) {
    const { entries, nextLineNo } = await read(tree, bytes, { ...params, startLineNo });
    const isOneLine = new Set(entries.map(({ lineNo }) => lineNo)).size <= 1;
    if (!isOneLine) {
      expect(entries.length).toBeLessThanOrEqual(params.limit ?? Number.POSITIVE_INFINITY);
      expect(bytesOf(entries)).toBeLessThanOrEqual(params.maxBytes ?? Number.POSITIVE_INFINITY);
    }
    rows.push(...entries);
    if (nextLineNo === undefined) return rows;
    const last = entries.at(-1);
    expect(nextLineNo).toBe((last?.lineNo ?? Number.NaN) + 1);
    // The cut is as late as the bounds allow: the next line's rows would not have fitted.
    const following = expected.filter(({ lineNo }) => lineNo >= nextLineNo);
    const nextLine = following.filter(({ lineNo }) => lineNo === following[0]?.lineNo);
    expect(nextLine.length).toBeGreaterThan(0);
    const wouldHave = [...entries, ...nextLine];
    const isOverLimit = wouldHave.length > (params.limit ?? Number.POSITIVE_INFINITY);
    const isOverBytes = bytesOf(wouldHave) > (params.maxBytes ?? Number.POSITIVE_INFINITY);
    expect(isOverLimit || isOverBytes).toBe(true);
    startLineNo = nextLineNo;
  }
}

describe("pages", () => {
  const cut = fc.record(
    { limit: fc.integer({ min: 1, max: 5 }), maxBytes: fc.integer({ min: 1, max: 1200 }) },
    { requiredKeys: [] },
  );
  const filter = fc.constantFrom<Partial<SessionEntriesParams>>(
    {},
    { types: ["message"] },
    { ids: ["a", "g"] },
    { startLineNo: 4 },
    { raw: "none" },
  );

  test("put together are the whole, never part a line, never pass their bounds but for a first line", async () => {
    const tree = scratch();
    await fc.assert(
      fc.asyncProperty(transcript, cut, filter, async (bytes, bounds, wanted) => {
        const whole = await read(tree, bytes, wanted);
        expect(whole).not.toHaveProperty("nextLineNo");
        expect(await readPaged(tree, bytes, { ...wanted, ...bounds }, whole.entries)).toEqual(whole.entries);
      }),
      { numRuns: 300 },
    );
  });

  test("of a branch put together are the branch", async () => {
    const tree = scratch();
    const lines = Array.from({ length: 9 }, (_, i) => entry(`${i}`, i < 2 ? null : `${i - 2}`));
    const bytes = fileOf(header(), ...lines);
    const { entries } = await read(tree, bytes, { branch: "active" });
    expect(entries.map(({ id }) => id)).toEqual(["0", "2", "4", "6", "8"]);
    expect(await readPaged(tree, bytes, { branch: "active", limit: 2 }, entries)).toEqual(entries);
  });
});

describe("nextLineNo", () => {
  const bytes = fileOf(
    header(),
    entry("a", null),
    "broken",
    entry("b", "a", { type: "label" }),
    entry("c", "b"),
  );

  test("appears only when a row that matches was left out", async () => {
    const tree = scratch();
    expect(await read(tree, bytes, { limit: 3 })).not.toHaveProperty("nextLineNo");
    expect(await read(tree, bytes, { limit: 1, types: ["label"] })).not.toHaveProperty("nextLineNo");
    expect(await read(tree, bytes, { limit: 1, endLineNo: 3 })).not.toHaveProperty("nextLineNo");
    expect(await read(tree, bytes, { limit: 1, search: { terms: ["none"] } })).not.toHaveProperty(
      "nextLineNo",
    );
    expect(await read(tree, bytes, { limit: 1 })).toMatchObject({ nextLineNo: 3 });
    expect(await read(tree, bytes, { limit: 2 })).toMatchObject({ nextLineNo: 5 });
  });

  test("is the line below a glued line that passes the limit whole", async () => {
    const glued = fileOf(header(), entry("a", null) + entry("b", "a") + entry("c", "b"), entry("d", "c"));
    const page = await read(scratch(), glued, { limit: 1 });
    expect(page.entries.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(page.nextLineNo).toBe(3);
  });
});

describe("maxBytes", () => {
  test("counts the UTF-8 bytes of the entries as JSON, to the byte", async () => {
    const tree = scratch();
    const bytes = fileOf(
      header(),
      ...["é", "日本", "😀", "\ud800", "\u0007"].map((label, i) =>
        entry(`${i}`, null, { type: "label", label }),
      ),
    );
    const { entries } = await read(tree, bytes);
    for (let count = 1; count < entries.length; count++) {
      const exact = bytesOf(entries.slice(0, count + 1));
      expect((await read(tree, bytes, { maxBytes: exact })).entries).toHaveLength(count + 1);
      expect((await read(tree, bytes, { maxBytes: exact - 1 })).entries).toHaveLength(count);
    }
  });

  test("always lets at least one line through, however long", async () => {
    const bytes = fileOf(header(), entry("a", null, { data: "x".repeat(100_000) }), entry("b", "a"));
    const page = await read(scratch(), bytes, { maxBytes: 1 });
    expect(page.entries.map(({ id }) => id)).toEqual(["a"]);
    expect(page.nextLineNo).toBe(3);
  });

  test("counts no raw when none is asked for", async () => {
    const bytes = fileOf(
      header(),
      ...Array.from({ length: 5 }, (_, i) => entry(`${i}`, null, { data: "x".repeat(1000) })),
    );
    expect((await read(scratch(), bytes, { maxBytes: 2000 })).entries).toHaveLength(1);
    expect((await read(scratch(), bytes, { maxBytes: 2000, raw: "none" })).entries).toHaveLength(5);
  });

  test("takes what cannot be written as JSON for longer than any bound, so it comes alone", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const bytes = fileOf(header(), entry("a", null), `${entry("b", "a").slice(0, -1)},"data":${deep}}`);
    const tree = scratch();
    const first = await read(tree, bytes, { maxBytes: 1000 });
    expect([first.entries.length, first.nextLineNo]).toEqual([1, 3]);
    const second = await read(tree, bytes, { maxBytes: 1000, startLineNo: 3 });
    expect([second.entries.map(({ id }) => id), second.nextLineNo]).toEqual([["b"], undefined]);
    expect((await read(tree, bytes, { maxBytes: 1000, raw: "none" })).entries).toHaveLength(2);
    expect((await read(tree, bytes)).entries).toHaveLength(2);
  });
});

test("one line may glue more entries than a call takes arguments", async () => {
  const glued = entry("a", null).repeat(150_000);
  const { entries, warnings } = await read(scratch(), fileOf(header(), glued), { raw: "none" });
  expect(entries).toHaveLength(150_000);
  expect(warnings).toHaveLength(1);
});
