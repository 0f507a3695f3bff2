import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import type { SessionEntriesParams, SessionEntry } from "../../src/model.ts";
import { entry, fileOf, header, type Scratch, scratch, userMessage } from "../support/stores.ts";
import { transcript } from "../support/transcripts.ts";

type Filters = Omit<SessionEntriesParams, "sessionPath" | "limit" | "maxBytes" | "branch" | "raw">;

const read = (tree: Scratch, bytes: string, params: Partial<SessionEntriesParams> = {}) =>
  readSessionEntries(
    { sessionPath: tree.write("s.jsonl", bytes), ...params },
    { sessionsRoot: tree.directory },
  );

const some = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const lineNo = fc.integer({ min: 1, max: 14 });
const bounds = fc.oneof(
  fc.constant({}),
  fc.record({ startLineNo: lineNo }),
  fc.record({ endLineNo: lineNo }),
  fc.tuple(lineNo, lineNo).map(([a, b]) => ({ startLineNo: Math.min(a, b), endLineNo: Math.max(a, b) })),
);
const filters: fc.Arbitrary<Filters> = fc
  .tuple(
    bounds,
    fc.record(
      {
        ids: some("a", "b", "g", "A", "", "null", "7"),
        parentIds: some("a", "b", "", "null"),
        types: some("message", "label", "compaction", "custom", "Custom"),
        messageRoles: some("user", "assistant", "User", "null", "7"),
        search: fc.record(
          {
            terms: fc.uniqueArray(
              fc.constantFrom("retry", "RETRY the", "i̇stanbul", "STRASSE", " ", "本", "\n", "e"),
              {
                minLength: 1,
                maxLength: 2,
              },
            ),
            caseSensitive: fc.boolean(),
          },
          { requiredKeys: ["terms"] },
        ),
        startTimestamp: fc.constantFrom("2026-03-02", "2026-05-01T08:00:00Z"),
        endTimestamp: fc.constantFrom("2026-05-01T08:00Z", "2026-05-02T00:00:00.000Z"),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([range, rest]) => ({ ...range, ...rest }));

/** The contract's sentences, one after the other, on rows that were read without any filter. */
function isKept(row: SessionEntry, wanted: Filters): boolean {
  const listed = (values: readonly string[] | undefined, value: string | null) =>
    values === undefined || (value !== null && values.includes(value));
  const folded = (text: string) => (wanted.search?.caseSensitive ? text : text.toLowerCase());
  const instant = Date.parse(row.timestamp);
  const { startTimestamp, endTimestamp, search } = wanted;
  const day = (bound: string) => (/T/.test(bound) ? Date.parse(bound) : new Date(`${bound}T00:00`).getTime());
  return (
    row.lineNo >= (wanted.startLineNo ?? 1) &&
    row.lineNo <= (wanted.endLineNo ?? Number.POSITIVE_INFINITY) &&
    listed(wanted.ids, row.id) &&
    listed(wanted.parentIds, row.parentId) &&
    listed(wanted.types, row.type) &&
    listed(wanted.messageRoles, row.messageRole) &&
    (startTimestamp === undefined || instant >= day(startTimestamp)) &&
    (endTimestamp === undefined || instant <= day(endTimestamp)) &&
    (search === undefined ||
      (row.text !== null && search.terms.some((term) => folded(row.text ?? "").includes(folded(term)))))
  );
}

describe("filters", () => {
  test("give what a plain filter of all rows gives, in any combination, and the same warnings always", async () => {
    const tree = scratch();
    await fc.assert(
      fc.asyncProperty(transcript, fc.array(filters, { minLength: 1, maxLength: 4 }), async (bytes, all) => {
        const whole = await read(tree, bytes);
        for (const wanted of all) {
          const { entries, warnings } = await read(tree, bytes, wanted);
          expect(entries).toEqual(whole.entries.filter((row) => isKept(row, wanted)));
          expect(warnings).toEqual(whole.warnings);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("leave warnings alone also with a branch, a limit, maxBytes and without raw", async () => {
    const tree = scratch();
    const bytes = fileOf(
      header(),
      entry("a", null),
      "broken",
      entry("b", "a"),
      "[]",
      entry("c", "a"),
      entry("d", "c") + entry("e", "d"),
    );
    const { warnings } = await read(tree, bytes);
    expect(warnings.map(({ lineNo }) => lineNo)).toEqual([3, 5, 7]);
    const narrow: Partial<SessionEntriesParams>[] = [
      { branch: "active" },
      { branch: "a" },
      { limit: 1 },
      { maxBytes: 1 },
      { raw: "none" },
      { endLineNo: 2, limit: 1, branch: "b", types: [] },
    ];
    for (const params of narrow) expect((await read(tree, bytes, params)).warnings).toEqual(warnings);
  });

  test("compose with a branch: all categories hold", async () => {
    const tree = scratch();
    const bytes = fileOf(
      header(),
      entry("a", null),
      entry("b", "a", { type: "label" }),
      entry("c", "a"),
      entry("d", "c", { type: "label" }),
    );
    const idsOf = async (params: Partial<SessionEntriesParams>) =>
      (await read(tree, bytes, params)).entries.map(({ id }) => id);
    expect(await idsOf({ branch: "active", types: ["label"] })).toEqual(["d"]);
    expect(await idsOf({ branch: "b", parentIds: ["a"] })).toEqual(["b"]);
    expect(await idsOf({ branch: "active", startLineNo: 3, endLineNo: 4 })).toEqual(["c"]);
  });

  test("that are empty lists select nothing, and nothing found is no error", async () => {
    const tree = scratch();
    const bytes = fileOf(header(), userMessage("a", null, "words"));
    for (const name of ["ids", "parentIds", "types", "messageRoles"]) {
      expect(await read(tree, bytes, { [name]: [] })).toEqual({ entries: [], warnings: [] });
    }
  });
});

describe("search", () => {
  const find = async (text: unknown, ...terms: string[]) => {
    const bytes = fileOf(header(), userMessage("a", null, text));
    return (await read(scratch(), bytes, { search: { terms } })).entries.length === 1;
  };

  test("takes a term literally: no pattern, no words, no trimming", async () => {
    expect(await find("a.c", "a.c")).toBe(true);
    expect(await find("abc", "a.c")).toBe(false);
    expect(await find("some words", "e w")).toBe(true);
    expect(await find("words", "words ")).toBe(false);
    expect(await find("a\nb", "a\nb")).toBe(true);
    expect(await find("100% \\d+ [x]* $&", "% \\d+ [x]* $&")).toBe(true);
    expect(await find("naïve", "naive")).toBe(false);
  });

  test("reaches text alone: not thinking, not tool calls, not shell output, not ids", async () => {
    const hidden = [
      { type: "thinking", thinking: "needle" },
      { type: "toolCall", id: "needle", name: "needle", arguments: { needle: "needle" } },
      { type: "text", text: "hay" },
    ];
    expect(await find(hidden, "needle")).toBe(false);
    expect(await find(hidden, "needle", "HAY")).toBe(true);
  });
});

test('raw "none" gives the same rows with raw: null, "full" the whole line', async () => {
  const tree = scratch();
  await fc.assert(
    fc.asyncProperty(transcript, async (bytes) => {
      const full = await read(tree, bytes, { raw: "full" });
      const none = await read(tree, bytes, { raw: "none" });
      expect(none.entries).toEqual(full.entries.map((row) => ({ ...row, raw: null })));
      expect(none.warnings).toEqual(full.warnings);
      expect(await read(tree, bytes)).toEqual(full);
    }),
    { numRuns: 100 },
  );
});
