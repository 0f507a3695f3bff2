/** Every case, in the order of the table. A new case is one file beside this one and one line here. */
import type { BenchCase } from "../case.ts";
import entriesAll from "./entries-all.ts";
import entriesLimit from "./entries-limit.ts";
import list from "./list.ts";

export const CASES: readonly BenchCase[] = [list, entriesAll, entriesLimit];
