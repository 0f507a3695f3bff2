/** Every family of faults, in the order in which they run. */
import type { SoakCase } from "../case.ts";
import { access } from "./access.ts";
import { bytes } from "./bytes.ts";
import { clock, fts5 } from "./clock.ts";
import { confinement } from "./confinement.ts";
import { damage } from "./damage.ts";
import { disk } from "./disk.ts";
import { display } from "./display.ts";
import { errors } from "./errors.ts";
import { history } from "./history.ts";
import { kill } from "./kill.ts";
import { large } from "./large.ts";
import { parallel } from "./parallel.ts";
import { swaps } from "./swaps.ts";

export const CASES: readonly SoakCase[] = [
  ...[history, bytes, large, kill, parallel],
  ...[disk, swaps, errors, damage, clock, fts5],
  ...[confinement, access, display],
];
