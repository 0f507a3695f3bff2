/** Times of many questions to one index, asked in a process that has answered them before. */
import type { Meter } from "./case.ts";
import { indexOf } from "./indexes.ts";
import { type BenchQuery, queriesFor } from "./queries.ts";
import { median, percentile } from "./statistics.ts";
import type { Stores } from "./stores.ts";

export interface Searched {
  readonly root: string;
  readonly indexPath: string;
  readonly queries: readonly BenchQuery[];
}

/** As many rows as a call gives that does not say. */
const LIMIT = 3;

export async function searchedStore(stores: Stores, directory: string): Promise<Searched> {
  const { root, value } = stores.realistic();
  return { root, indexPath: await indexOf([root], directory), queries: queriesFor(value, stores.seed) };
}

/** Asks every query twice and reports the second times: figures p50, p95, max, and the median of each kind. */
export async function measureQueries(
  queries: readonly BenchQuery[],
  meter: Meter,
  ask: (text: string) => unknown,
): Promise<void> {
  for (const { text } of queries) await ask(text);
  const times: { readonly kind: string; readonly ms: number }[] = [];
  await meter.timed(async () => {
    for (const { kind, text } of queries) {
      const startMs = performance.now();
      await ask(text);
      times.push({ kind, ms: performance.now() - startMs });
    }
  });
  const all = times.map(({ ms }) => ms);
  meter.figure("p50", median(all));
  meter.figure("p95", percentile(all, 0.95));
  meter.figure("max", Math.max(...all));
  for (const kind of new Set(times.map((time) => time.kind))) {
    meter.figure(kind, median(times.filter((time) => time.kind === kind).map(({ ms }) => ms)));
  }
}

/** Our answers without the sync before them: the questions alone. */
export async function measureOurQueries({ root, indexPath, queries }: Searched, meter: Meter): Promise<void> {
  const { openIndex } = await import("../src/index/open.ts");
  const { readerOf } = await import("../src/search/reader.ts");
  const { discover } = await import("../src/search/discovery.ts");
  const index = await openIndex(indexPath);
  const everything = {
    cwdFilter: { directories: undefined, match: "exact" },
    timeRange: { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY },
    limit: LIMIT,
  } as const;
  await measureQueries(queries, meter, (query) =>
    readerOf(index).read([root], (view) => discover(view, { ...everything, query }, {})),
  );
  index.close();
}
