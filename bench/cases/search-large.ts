/** 200 warm queries on ten times the realistic store. */
import { defineCase, figureBar, shown } from "../case.ts";
import { measureOurQueries, type Searched, searchedStore } from "../searching.ts";

export default defineCase<{ readonly large: Searched; readonly usual: Searched }>({
  name: "search-large",
  about: "200 warm queries on 10 × the realistic store | the same on the realistic store",
  bars: [
    figureBar("p95", "ratio", 6, "ms"),
    shown("p50", "ms"),
    shown("max", "ms", "slowest query"),
    ...["rare word", "common word", "two words", "identifier inside", "plain question"].map((kind) =>
      shown(kind, "ms", `median of: ${kind}`),
    ),
  ],
  isLong: true,
  runs: 3,

  async prepare(stores) {
    const usual = await searchedStore(stores, stores.scratch("search-usual"));
    return { usual, large: await searchedStore(stores.times(10), stores.scratch("search-large")) };
  },

  ours: ({ large }, meter) => measureOurQueries(large, meter),
  floor: ({ usual }, meter) => measureOurQueries(usual, meter),
});
