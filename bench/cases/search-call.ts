/** The same queries as whole calls: the store is looked at for changes before each answer. */
import { defineCase, shown } from "../case.ts";
import { measureQueries, type Searched, searchedStore } from "../searching.ts";

export default defineCase<Searched>({
  name: "search-call",
  about: "200 warm calls of searchSessions on the realistic store, each with its sync",
  bars: [shown("p50", "ms"), shown("p95", "ms"), shown("max", "ms", "slowest call")],

  prepare: (stores) => searchedStore(stores, stores.scratch("search-call")),

  async ours({ root, indexPath, queries }, meter) {
    const { searchSessions } = await meter.loadLibrary();
    await measureQueries(queries, meter, (query) =>
      searchSessions({ query }, { sessionsRoot: root, indexPath }),
    );
  },
});
