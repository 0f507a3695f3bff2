import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scrollTranscript } from "../../src/transcript/scrollTranscript.ts";
import { chain, entry, makeStore, message } from "./store.ts";

const store = makeStore();
const scroll = (
  sessionId: string,
  aroundMessageId: string,
  more: { branchTip?: string; window?: number } = {},
) =>
  scrollTranscript(
    { sessionId, aroundMessageId, branchTip: more.branchTip, window: more.window ?? 5 },
    store.options,
  );
const idsOf = (output: { messages: readonly { id: string | null }[] }) => output.messages.map(({ id }) => id);

/** A trunk a, b with two branches: the older to old2, the newer to new2. */
const FORKED = [
  message("a", null),
  message("b", "a"),
  message("old1", "b"),
  message("old2", "old1"),
  entry("branch_summary", "sum", "b", { summary: "left" }),
  message("new1", "sum"),
  message("new2", "new1"),
];

describe("the window", () => {
  test("holds up to `window` messages on either side, the anchor marked, and says what lies beyond", async () => {
    const output = await scroll(store.write(chain(20)), "m9", { window: 2 });
    expect(idsOf(output)).toEqual(["m7", "m8", "m9", "m10", "m11"]);
    expect(output.messages.map(({ anchor }) => anchor)).toEqual([
      undefined,
      undefined,
      true,
      undefined,
      undefined,
    ]);
    expect(output).toMatchObject({ mode: "scroll", branchTip: "m19", messagesBefore: 7, messagesAfter: 8 });
  });

  test("ends where the branch ends", async () => {
    const file = store.write(chain(6));
    expect(await scroll(file, "m0")).toMatchObject({ messagesBefore: 0, messagesAfter: 0 });
    expect(idsOf(await scroll(file, "m5", { window: 1 }))).toEqual(["m4", "m5"]);
  });

  test("going on from the first and last id returned reaches every message of the branch", async () => {
    const file = store.write(chain(50));
    const seen = new Set<string | null>();
    let around = "m25";
    for (
      let page = await scroll(file, around);
      ;
      page = await scroll(file, around, { branchTip: page.branchTip })
    ) {
      for (const id of idsOf(page)) seen.add(id);
      around = page.messages.at(-1)?.id ?? "";
      if (page.messagesAfter === 0) break;
    }
    around = "m25";
    for (let page = await scroll(file, around); page.messagesBefore > 0; page = await scroll(file, around)) {
      around = page.messages[0]?.id ?? "";
      for (const id of idsOf(page)) seen.add(id);
    }
    for (const id of idsOf(await scroll(file, around))) seen.add(id);
    expect(seen.size).toBe(50);
  });
});

describe("the branch", () => {
  test("is the newest one through the anchor", async () => {
    const file = store.write(FORKED);
    expect(await scroll(file, "b")).toMatchObject({ branchTip: "new2" });
    expect(idsOf(await scroll(file, "b"))).toEqual(["a", "b", "new1", "new2"]);
    expect(idsOf(await scroll(file, "old1"))).toEqual(["a", "b", "old1", "old2"]);
  });

  test("is that of branchTip when one is given, and ends there", async () => {
    const file = store.write(FORKED);
    const output = await scroll(file, "b", { branchTip: "old1" });
    expect(idsOf(output)).toEqual(["a", "b", "old1"]);
    expect(output.branchTip).toBe("old1");
  });

  test("an anchor off the branch and an unknown id are errors that name the parameter", async () => {
    const file = store.write(FORKED);
    await expect(scroll(file, "new1", { branchTip: "old2" })).rejects.toThrow(
      /aroundMessageId "new1" is not on the branch that ends at branchTip "old2"/,
    );
    await expect(scroll(file, "nope")).rejects.toThrow(/aroundMessageId "nope" is no entry id/);
    await expect(scroll(file, "a", { branchTip: "nope" })).rejects.toThrow(/branchTip "nope" is no entry id/);
    await expect(scroll(file, "x".repeat(500))).rejects.toThrow(/^.{0,300}$/);
  });

  test("an entry that is no message stands for its nearest message ancestor, on the newest branch through itself", async () => {
    const file = store.write([
      ...FORKED,
      entry("label", "l", "old2", { label: "x" }),
      message("last", "new2"),
    ]);
    const output = await scroll(file, "l");
    expect(output.branchTip).toBe("l");
    expect(output.messages.find(({ anchor }) => anchor)?.id).toBe("old2");
    expect((await scroll(file, "sum")).messages.find(({ anchor }) => anchor)?.id).toBe("b");
    expect(idsOf(await scroll(file, "sum", { branchTip: "old2" }))).toEqual(["a", "b", "old1", "old2"]);
  });

  test("an entry with no message above it is an error", async () => {
    const file = store.write([entry("model_change", "m", null), message("a", "m")]);
    await expect(scroll(file, "m")).rejects.toThrow(/no message above it/);
  });

  test("a version 1 file is refused with the way on", async () => {
    const file = store.write([message("a", null)], 1);
    await expect(scroll(file, "a")).rejects.toThrow(/version 1.*session_entries with startLineNo/);
  });

  test("a cycle ends the walk with a warning and still shows the anchor", async () => {
    const file = store.write([message("a", "c"), message("b", "a"), message("c", "b"), message("d", "b")]);
    const output = await scroll(file, "c");
    expect(idsOf(output)).toEqual(["c", "a", "b", "d"]);
    expect(output.warnings).toMatchObject([{ code: "parent_cycle" }]);
  });
});

describe("against an oracle", () => {
  interface Node {
    readonly id: string;
    readonly parentId: string | null;
    readonly isMessage: boolean;
  }

  /** The same answer from whole paths, found by walking up from every entry. */
  function oracle(nodes: readonly Node[], around: string, branchTip: string | undefined, window: number) {
    const last = new Map(nodes.map((node) => [node.id, node]));
    const pathTo = (id: string): Node[] => {
      const path: Node[] = [];
      for (let node = last.get(id); node !== undefined && !path.includes(node); ) {
        path.push(node);
        node = node.parentId === null ? undefined : last.get(node.parentId);
      }
      return path;
    };
    const centre = pathTo(around).find(({ isMessage }) => isMessage);
    if (centre === undefined) return undefined;
    const tips = nodes.filter((node) => last.get(node.id) === node);
    const through = tips.filter(({ id }) => pathTo(id).some((node) => node.id === around));
    const tip = branchTip ?? through.at(-1)?.id ?? "";
    const messages = pathTo(tip)
      .filter(({ isMessage }) => isMessage)
      .reverse();
    const at = messages.indexOf(centre);
    if (at === -1) return undefined;
    const first = Math.max(0, at - window);
    const shown = messages.slice(first, at + window + 1);
    return {
      branchTip: tip,
      ids: shown.map(({ id }) => id),
      anchor: centre.id,
      messagesBefore: first,
      messagesAfter: messages.length - first - shown.length,
    };
  }

  // Parents are mostly earlier entries, but may be later, missing or the entry itself; ids may repeat.
  const nodes = fc.integer({ min: 1, max: 14 }).chain((size) =>
    fc.array(
      fc.record({
        id: fc.integer({ min: 0, max: size }).map((n) => `e${n}`),
        parentId: fc.option(fc.integer({ min: 0, max: size + 1 }).map((n) => `e${n}`)),
        isMessage: fc.boolean(),
      }),
      { minLength: 1, maxLength: size },
    ),
  );

  test("every window over every tree equals an obvious walk", async () => {
    await fc.assert(
      fc.asyncProperty(
        nodes,
        fc.nat(),
        fc.option(fc.nat()),
        fc.integer({ min: 1, max: 4 }),
        async (tree, a, t, window) => {
          const pick = (n: number) => tree[n % tree.length]?.id ?? "";
          const branchTip = t === null ? undefined : pick(t);
          const expected = oracle(tree, pick(a), branchTip, window);
          const lines = tree.map(({ id, parentId, isMessage }) =>
            isMessage ? message(id, parentId) : entry("custom", id, parentId),
          );
          const more = branchTip === undefined ? { window } : { branchTip, window };
          const answer = scroll(store.write(lines), pick(a), more);
          if (expected === undefined) {
            await expect(answer).rejects.toThrow(/aroundMessageId/);
            return;
          }
          const { messages, ...output } = await answer;
          expect({
            branchTip: output.branchTip,
            ids: messages.map(({ id }) => id),
            anchor: messages.find(({ anchor }) => anchor)?.id,
            messagesBefore: output.messagesBefore,
            messagesAfter: output.messagesAfter,
          }).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
