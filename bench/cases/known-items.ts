/** Whether what was planted in the realistic store is found: on the first page, and in the first place. */
import { defineCase, figureBar, shown } from "../case.ts";
import { indexOf } from "../indexes.ts";
import type { KnownItem } from "../store.ts";

interface Input {
  readonly root: string;
  readonly indexPath: string;
  readonly items: readonly KnownItem[];
}

/** As many rows as a call may ask for. */
const PAGE = 10;

export default defineCase<Input>({
  name: "known-items",
  about: "known items of six kinds through searchSessions",
  bars: [
    figureBar("first page", "least", 99, "%", "on the first page of 10"),
    figureBar("first place", "least", 90, "%"),
    shown("first 3", "%", "among the first 3, the default page"),
    shown("items", ""),
  ],
  runs: 1,

  async prepare(stores) {
    const { root, value } = stores.realistic();
    return { root, indexPath: await indexOf([root], stores.scratch("known-items")), items: value.items };
  },

  async ours({ root, indexPath, items }, meter) {
    const { searchSessions } = await meter.loadLibrary();
    let onPage = 0;
    let first = 0;
    let amongThree = 0;
    await meter.timed(async () => {
      for (const { kind, query, path } of items) {
        const answer = await searchSessions({ query, limit: PAGE }, { sessionsRoot: root, indexPath });
        if (answer.mode !== "discovery") throw new Error(`an answer of mode ${answer.mode}`);
        const rank = answer.results.findIndex((hit) => hit.path === `${root}/${path}`);
        if (rank !== -1) onPage++;
        if (rank !== -1 && rank < 3) amongThree++;
        if (rank === 0) first++;
        else console.error(`  ${rank === -1 ? "not found" : `in place ${rank + 1}`}: ${kind} ${query}`);
      }
    });
    meter.figure("first page", (100 * onPage) / items.length);
    meter.figure("first place", (100 * first) / items.length);
    meter.figure("first 3", (100 * amongThree) / items.length);
    meter.figure("items", items.length);
  },
});
