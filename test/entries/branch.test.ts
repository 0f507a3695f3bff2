import { copyFileSync } from "node:fs";
import path from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { RECORDED, recorded } from "../support/samples.ts";
import { entry, fileOf, header, scratch, userMessage } from "../support/stores.ts";

/** Ids of the branch that Pi itself opens, on a copy, because Pi may write to what it opens. */
function branchOfPi(sessionPath: string): string[] {
  const copy = scratch().at("copy.jsonl");
  copyFileSync(sessionPath, copy);
  return SessionManager.open(copy, path.dirname(copy))
    .getBranch()
    .map(({ id }) => id);
}

const idsOf = async (sessionPath: string, sessionsRoot: string, branch: string) =>
  (await readSessionEntries({ sessionPath, branch }, { sessionsRoot })).entries.map(({ id }) => id);

test.each(recorded)(
  "active is the branch that Pi opens in the recorded session $name",
  async ({ path: relative }) => {
    const sessionPath = path.join(RECORDED, relative);
    expect(await idsOf(sessionPath, RECORDED, "active")).toEqual(branchOfPi(sessionPath));
  },
);

describe("generated trees", () => {
  /** Each entry hangs on an earlier one, on none, or on one that is nowhere in the file. */
  const shape = fc.array(
    fc.record({
      parent: fc.option(fc.nat(14)),
      kind: fc.constantFrom("custom", "message", "label", "session_info", "unknown", "broken", "noTimestamp"),
    }),
    { maxLength: 14 },
  );

  test("active is the branch that Pi opens, and each tip's branch is its path to the root", async () => {
    const tree = scratch();
    await fc.assert(
      fc.asyncProperty(shape, async (nodes) => {
        const parents = nodes.map(({ parent }, i) =>
          parent === null ? null : parent === i ? "nowhere" : `n${parent % (i + 1)}`,
        );
        const fixed = parents.map((parent, i) => (parent === `n${i}` ? "nowhere" : parent));
        const lines = nodes.map(({ kind }, i) => {
          const parent = fixed[i] ?? null;
          if (kind === "broken") return `{"id":"n${i}"`;
          if (kind === "noTimestamp")
            return JSON.stringify({ type: "custom", id: `n${i}`, parentId: parent });
          if (kind === "message") return userMessage(`n${i}`, parent, "words");
          return entry(`n${i}`, parent, { type: kind, name: "n", label: "l", targetId: "n0" });
        });
        const tail = entry("tail", fixed.length === 0 ? null : `n${fixed.length - 1}`); // so that Pi's tip is an entry
        const sessionPath = tree.write("s.jsonl", fileOf(header(), ...lines, tail));
        const skipped = new Set(nodes.flatMap(({ kind }, i) => (kind === "noTimestamp" ? [`n${i}`] : [])));
        const expected = branchOfPi(sessionPath).filter((id) => !skipped.has(id));
        const inFileOrder = expected.sort((a, b) => rank(a) - rank(b));
        expect(await idsOf(sessionPath, tree.directory, "active")).toEqual(inFileOrder);

        for (const [i, { kind }] of nodes.entries()) {
          if (kind === "broken" || kind === "noTimestamp") continue;
          const path: string[] = [];
          for (let id: string | null = `n${i}`; id !== null; ) {
            const node: number = Number(id.slice(1));
            if (id === "nowhere" || nodes[node]?.kind === "broken") break;
            if (!skipped.has(id)) path.push(id);
            id = fixed[node] ?? null;
          }
          expect(await idsOf(sessionPath, tree.directory, `n${i}`)).toEqual(path.reverse());
        }
      }),
      { numRuns: 60 },
    );
  });

  const rank = (id: string) => (id === "tail" ? Number.POSITIVE_INFINITY : Number(id.slice(1)));
});

describe("a branch that cannot be had", () => {
  const lines = [
    header(),
    entry("a", null),
    JSON.stringify({ type: "", id: "skipped", parentId: "a" }),
    "broken",
  ];

  test.each(["b", "A", "skipped", "s", "", " a", "__proto__", "constructor"])(
    "the id %j names no entry and throws",
    async (branch) => {
      const tree = scratch();
      const sessionPath = tree.write("s.jsonl", fileOf(...lines));
      const call = readSessionEntries({ sessionPath, branch }, { sessionsRoot: tree.directory });
      await expect(call).rejects.toEqual(expect.objectContaining({ name: "ParameterError" }));
      await expect(call).rejects.toThrow(/^branch /);
    },
  );

  test("of a version 1 file throws, active too, and says which version it needs", async () => {
    const tree = scratch();
    for (const version of [1, undefined]) {
      const sessionPath = tree.write("s.jsonl", fileOf(header({ version }), entry("a", null)));
      for (const branch of ["active", "a"]) {
        const call = readSessionEntries({ sessionPath, branch }, { sessionsRoot: tree.directory });
        await expect(call).rejects.toThrow(/^branch needs a file of version 2 or later/);
      }
    }
  });

  test("the active one of a file without addressable entries is empty, and no error", async () => {
    const tree = scratch();
    const bare = JSON.stringify({ type: "custom", timestamp: "2026-05-01" });
    const sessionPath = tree.write("s.jsonl", fileOf(header(), bare, "broken"));
    const output = await readSessionEntries(
      { sessionPath, branch: "active" },
      { sessionsRoot: tree.directory },
    );
    expect(output).toMatchObject({ entries: [], warnings: [{ lineNo: 3 }] });
  });
});
