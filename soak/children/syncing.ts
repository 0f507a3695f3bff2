/** Opens the index and syncs again and again, until it is killed. Says when it starts and when a sync is done. */
import { writeSync } from "node:fs";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";

const [root = "", indexPath = "", batchTextChars = "1000000"] = process.argv.slice(2);
writeSync(1, "starting\n");
const index = await openIndex(indexPath);
for (;;) {
  const { warning } = await syncIndex(index, { roots: [root], batchTextChars: Number(batchTextChars) });
  writeSync(1, warning === undefined ? "synced\n" : `${JSON.stringify(warning)}\n`);
}
