/** Every case, in the order of the table. A new case is one file beside this one and one line here. */
import type { BenchCase } from "../case.ts";
import entriesAll from "./entries-all.ts";
import entriesLimit from "./entries-limit.ts";
import eventLoop from "./event-loop.ts";
import extensionLoad from "./extension-load.ts";
import firstAnswer from "./first-answer.ts";
import indexCold from "./index-cold.ts";
import indexHuge from "./index-huge.ts";
import indexLongLines from "./index-long-lines.ts";
import knownItems from "./known-items.ts";
import list from "./list.ts";
import locomo from "./locomo.ts";
import recallKeys from "./recall-keys.ts";
import search from "./search.ts";
import searchCall from "./search-call.ts";
import searchLarge from "./search-large.ts";
import syncAppend from "./sync-append.ts";
import syncUnchanged from "./sync-unchanged.ts";

export const CASES: readonly BenchCase[] = [
  list,
  entriesAll,
  entriesLimit,
  indexCold,
  indexHuge,
  indexLongLines,
  syncUnchanged,
  syncAppend,
  search,
  searchCall,
  searchLarge,
  firstAnswer,
  eventLoop,
  extensionLoad,
  recallKeys,
  knownItems,
  locomo,
];
