import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryTree } from "../../src/session/tree.ts";

interface Link {
  readonly id: string | null;
  readonly parentId: string | null;
}

/** Follows parents with nothing but an array: of equal ids the last stands for all. */
function slowPath(links: readonly Link[], tipId: string): { path: number[]; isCyclic: boolean } {
  const path: number[] = [];
  for (let id: string | null = tipId; id !== null; ) {
    const at = links.findLastIndex((link) => link.id === id);
    if (at === -1) return { path, isCyclic: false };
    if (path.includes(at)) return { path, isCyclic: true };
    path.push(at);
    id = links[at]?.parentId ?? null;
  }
  return { path, isCyclic: false };
}

const name = fc.option(fc.constantFrom("a", "b", "c", "d", "__proto__", "constructor", "toString"), {
  freq: 6,
});
const linksArbitrary = fc.array(fc.record({ id: name, parentId: name }), { maxLength: 12 });

function treeOf(links: readonly Link[]): EntryTree<number> {
  const tree = new EntryTree<number>();
  links.forEach((link, i) => {
    tree.add(link, i);
  });
  return tree;
}

test("every path equals that of a slow walk, with cycles, gaps and duplicate ids", () => {
  fc.assert(
    fc.property(linksArbitrary, (links) => {
      const tree = treeOf(links);
      for (const { id } of links) if (id !== null) expect(tree.pathFrom(id)).toEqual(slowPath(links, id));
      expect(tree.activeTipId).toBe(links.findLast(({ id }) => id !== null)?.id ?? undefined);
    }),
    { numRuns: 1000 },
  );
});

test("a skipped line is led through, but is neither a tip nor on the path", () => {
  const tree = treeOf([{ id: "a", parentId: null }]);
  tree.addSkipped({ id: "b", parentId: "a" });
  tree.add({ id: "c", parentId: "b" }, 1);
  tree.addSkipped({ id: "d", parentId: "c" });
  expect(tree.pathFrom("c").path).toEqual([1, 0]);
  expect(tree.activeTipId).toBe("c");
  expect([tree.has("b"), tree.has("d"), tree.has("a"), tree.has("never")]).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

test("a chain of 200,000 entries is followed to its root", () => {
  const length = 200_000;
  const links = Array.from({ length }, (_, i) => ({ id: `${i}`, parentId: i === 0 ? null : `${i - 1}` }));
  expect(treeOf(links).pathFrom(`${length - 1}`).path).toHaveLength(length);
});
