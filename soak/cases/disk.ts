/** A disk that is full or read-only under the index: searches go on with what there is, and later it fills up. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { Random } from "../../bench/random.ts";
import { openIndex } from "../../src/index/open.ts";
import { type SyncResult, syncIndex } from "../../src/index/sync.ts";
import { searchSessions } from "../../src/index.ts";
import { fileOf, messageLine } from "../../test/index/content.ts";
import type { SoakCase } from "../case.ts";
import { fill, placeIn, requireRecovery } from "../support/stores.ts";

export const disk: SoakCase = {
  name: "disk",
  what: "the index on a small file system that fills up, becomes read-only, and gets room again",
  longRounds: 150,
  shortRounds: 1,
  obstacle() {
    if (process.platform !== "linux" || process.getuid?.() !== 0)
      return "only root on Linux can mount a small disk";
    return spawnSync("mount", ["--version"]).status === 0 ? undefined : "no mount command here";
  },
  async run({ seed, isShort, directory, count }) {
    const random = new Random("disk", seed);
    const { root } = placeIn(directory);
    const [first = ""] = fill(root, random, isShort ? 10 : 40, isShort ? 30 : 60);
    const mounted = path.join(directory, "disk");
    const indexPath = path.join(mounted, "pi-retrospect", "index.db");
    const place = { root, indexPath };
    mkdirSync(mounted);
    const kib = random.between(8, isShort ? 400 : 3000);
    mount(["-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", mounted]);
    try {
      const { warning } = await syncOnce(root, indexPath, random.pick([5_000, 1_000_000]));
      assert.ok(warning === undefined || warning.kind === "sync-failed", JSON.stringify(warning));
      count(warning === undefined ? "fitted" : "full");
      const options = { sessionsRoot: root, indexPath, syncBudgetMs: random.pick([0, 300, 5000]) };
      // Only what nobody holds open for writing can become read-only.
      if (random.chance(0.4)) {
        mount(["-o", "remount,ro", mounted]);
        const readOnly = await syncOnce(root, indexPath);
        const isTold = readOnly.warning?.kind === "sync-failed" || readOnly.backlogRemaining === 0;
        assert.ok(isTold, JSON.stringify(readOnly));
        await requireAnswer(options);
        mount(["-o", "remount,rw", mounted]);
        count("read-only");
      }
      await requireAnswer(options);
      mount(["-o", "remount,size=64m", mounted]);
      // First who was there: a connection that was opened read-only makes every other one of its process so, until it writes.
      appendFileSync(first, fileOf(messageLine("last", "user", "roomy again")));
      const found = await searchSessions({ query: "roomy" }, { ...options, syncBudgetMs: 60_000 });
      assert.ok("results" in found && found.syncWarning === undefined, JSON.stringify(found));
      assert.equal(found.results[0]?.path, first);
      await requireRecovery(place, path.join(directory, "cold.db"));
    } finally {
      // The library keeps an index open for a few seconds; a lazy unmount does not wait for it.
      execFileSync("umount", ["-l", mounted], { stdio: "pipe" });
    }
  },
};

async function syncOnce(root: string, indexPath: string, batchTextChars?: number): Promise<SyncResult> {
  const index = await openIndex(indexPath);
  try {
    return await syncIndex(index, { roots: [root], batchTextChars });
  } finally {
    index.close();
  }
}

async function requireAnswer(options: Parameters<typeof searchSessions>[1]): Promise<void> {
  const found = await searchSessions({ query: "deploy" }, options);
  assert.ok("results" in found);
  const isTold = found.syncWarning !== undefined || found.backlogRemaining !== undefined;
  assert.ok(isTold || found.results.length > 0, "nothing is found and nothing is said");
  await searchSessions({}, options);
}

function mount(args: readonly string[]): void {
  execFileSync("mount", args, { stdio: "pipe" });
}
