/** Kill -9 at a random moment of a cold or an incremental sync: the next open needs no hand. */
import assert from "node:assert/strict";
import { existsSync, truncateSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { Random } from "../../bench/random.ts";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { apply, step } from "../../test/index/changes.ts";
import type { SoakCase } from "../case.ts";
import { start } from "../support/children.ts";
import { fill, placeIn, requireRecovery } from "../support/stores.ts";

export const kill: SoakCase = {
  name: "kill",
  what: "kill -9 while the index is opened, built, brought up to date or replaced: sound, complete, no hand needed",
  longRounds: 200,
  shortRounds: 1,
  async run({ seed, isShort, directory, count, atMost }) {
    const random = new Random("kill", seed);
    const place = placeIn(directory);
    const { root, indexPath } = place;
    fill(root, random, isShort ? 8 : 30, isShort ? 20 : 60);
    const kind = random.pick(["cold", "cold", "incremental", "incremental", "replacing"]);
    if (kind !== "cold") {
      const index = await openIndex(indexPath);
      await syncIndex(index, { roots: [root] });
      index.close();
      for (const each of fc.sample(step, { seed, numRuns: 12 })) apply(root, each);
    }
    if (kind === "replacing") truncateSync(indexPath, random.between(100, 20_000));
    const batchTextChars = random.pick([2_000, 20_000, 1_000_000]);
    const child = start("syncing", [root, indexPath, String(batchTextChars)]);
    await child.says("starting");
    await sleep(random.between(0, random.pick([15, 60, isShort ? 60 : 400])));
    child.process.kill("SIGKILL");
    const { signal, out, err } = await child.ended;
    assert.deepEqual({ signal, err }, { signal: "SIGKILL", err: "" });
    assert.doesNotMatch(out, /kind/, "a sync failed before it was killed");
    const moment = out.includes("synced") ? "after" : existsSync(indexPath) ? "during" : "before";
    count(`${kind}: ${moment} the sync`);
    const startMs = performance.now();
    await requireRecovery(place, path.join(directory, "cold.db"));
    atMost("ms to recover", performance.now() - startMs);
  },
};
