/** Memory while a session file of 1 GB is indexed. */
import { rmSync } from "node:fs";
import { defineCase, peakMemory, shown } from "../case.ts";
import { writeSingleSession } from "../store.ts";

export default defineCase<{ readonly root: string; readonly directory: string }>({
  name: "index-huge",
  about: "cold index of one session of 1 GB, no line beyond 1 MB",
  bars: [peakMemory(100), shown("seconds", "s", "time")],
  runs: 2,

  prepare(stores) {
    const request = { seed: stores.seed, bytes: Math.round(1e9 * stores.scale) };
    const { root } = stores.cached("session", request, (root) => writeSingleSession(root, request));
    return { root, directory: stores.scratch("index-huge") };
  },

  async ours({ root, directory }, meter) {
    const { openIndex } = await import("../../src/index/open.ts");
    const { syncIndex } = await import("../../src/index/sync.ts");
    rmSync(`${directory}/ours`, { recursive: true, force: true });
    const startMs = performance.now();
    const index = await openIndex(`${directory}/ours/index.db`);
    const { backlogRemaining } = await meter.timed(() => syncIndex(index, { roots: [root] }));
    if (backlogRemaining > 0) throw new Error("the session was not indexed");
    meter.figure("seconds", (performance.now() - startMs) / 1000);
    index.close();
  },
});
