/** Index equals scan after any sequence of changes to the files. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { apply, resetChanges, step } from "../../test/index/changes.ts";
import type { SoakCase } from "../case.ts";
import { placeIn, requireComplete } from "../support/stores.ts";

const sequence = fc.array(step, { minLength: 3, maxLength: 30 });
const batchSize = fc.constantFrom(1, 40, 1_000_000);

export const history: SoakCase = {
  name: "history",
  what: "append, tear, rewrite, truncate, replace, delete, rename, with syncs between: the index equals a scan",
  longRounds: 100,
  shortRounds: 1,
  async run({ seed, isShort, directory, count }) {
    let run = 0;
    const property = fc.asyncProperty(sequence, batchSize, async (steps, batchTextChars) => {
      resetChanges();
      const own = path.join(directory, String(run++));
      mkdirSync(own);
      const { root, indexPath } = placeIn(own);
      const index = await openIndex(indexPath);
      try {
        for (const each of steps) {
          const sync = { roots: [root], batchTextChars };
          if (each.op === "sync") await syncIndex(index, sync);
          else if (each.op === "peek") await syncIndex(index, { ...sync, budgetMs: 0 });
          else if (existsSync(root)) apply(root, each);
          count("steps");
        }
        await requireComplete(index, root, path.join(own, "cold.db"));
      } finally {
        index.close();
      }
      count("sequences");
    });
    await fc.assert(property, { seed, numRuns: isShort ? 4 : 20 });
    assert.ok(run > 0);
  },
};
