/** A sync that finds nothing changed among 10,000 files. */
import { readdirSync, statSync } from "node:fs";
import { defineCase, figureBar } from "../case.ts";
import { indexOf } from "../indexes.ts";
import { medianTimeOf } from "../statistics.ts";
import { listStore } from "./list.ts";

const TIMES = 9;

export default defineCase<{ readonly root: string; readonly indexPath: string }>({
  name: "sync-unchanged",
  about: "sync of 10,000 unchanged files | readdir, and stat of each file",
  bars: [{ ...figureBar("ms", "ratio", 1.5, "ms", "time"), isTime: true }],

  async prepare(stores) {
    const root = listStore(stores);
    return { root, indexPath: await indexOf([root], stores.scratch("sync-unchanged")) };
  },

  async ours({ root, indexPath }, meter) {
    const { openIndex } = await import("../../src/index/open.ts");
    const { syncIndex } = await import("../../src/index/sync.ts");
    const index = await openIndex(indexPath);
    const sync = () => syncIndex(index, { roots: [root] });
    await medianTimeOf(2, sync);
    meter.figure("ms", await meter.timed(() => medianTimeOf(TIMES, sync)));
    meter.figure("read", (await sync()).bytesRead);
    index.close();
  },

  async floor({ root }, meter) {
    const survey = () => {
      let bytes = 0;
      for (const project of readdirSync(root)) {
        for (const name of readdirSync(`${root}/${project}`))
          bytes += statSync(`${root}/${project}/${name}`).size;
      }
      return bytes;
    };
    await medianTimeOf(2, survey);
    meter.figure("ms", await meter.timed(() => medianTimeOf(TIMES, survey)));
  },
});
