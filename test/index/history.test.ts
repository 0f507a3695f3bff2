/** Whatever happened to the files, the index holds what a cold build of them holds. */
import { existsSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { apply, scan, step, whereAndWhat } from "./changes.ts";
import { coldContentOf, contentOf, fixture, openFor, sync } from "./support.ts";

test("after any sequence of changes and syncs the rows are those of a cold build and of a scan", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.constantFrom(1, 40, 1_000_000),
      async (steps, batchTextChars) => {
        const { root, indexPath } = fixture();
        const index = await openFor(indexPath);
        for (const each of steps) {
          if (each.op === "sync") await sync(index, root, { batchTextChars });
          else if (each.op === "peek") await sync(index, root, { batchTextChars, budgetMs: 0 });
          else if (existsSync(root)) apply(root, each);
        }
        const result = await sync(index, root, { batchTextChars });
        expect(result.warning).toBeUndefined();
        expect(result.backlogRemaining).toBe(0);
        const found = contentOf(index);
        index.close();
        expect(found).toEqual(await coldContentOf(root));
        expect(found.missingFromDictionary).toEqual([]);
        expect(found.messages.map(whereAndWhat)).toEqual(await scan(root));
      },
    ),
    { numRuns: Number(process.env["RUNS"] ?? 120) },
  );
});
