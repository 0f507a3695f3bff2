/** Syncs again and again, as searches of a running Pi do, and tells how long the event loop had to wait. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";

const [root = "", indexPath = "", rounds = "1"] = process.argv.slice(2);
const delay = monitorEventLoopDelay({ resolution: 5 });
const index = await openIndex(indexPath);
delay.enable();
for (let round = 0; round < Number(rounds); round++) {
  const { warning } = await syncIndex(index, { roots: [root], budgetMs: 300 });
  if (warning !== undefined) console.log(JSON.stringify(warning));
}
delay.disable();
index.close();
console.log(`longest wait ${Math.round(delay.max / 1e6)} ms`);
