/** Every family of faults, in the order in which they run. */
import type { SoakCase } from "../case.ts";
import { access } from "./access.ts";
import { bytes } from "./bytes.ts";
import { confinement } from "./confinement.ts";
import { damage } from "./damage.ts";
import { display } from "./display.ts";
import { errors } from "./errors.ts";
import { history } from "./history.ts";
import { swaps } from "./swaps.ts";

export const CASES: readonly SoakCase[] = [
  history,
  bytes,
  swaps,
  errors,
  damage,
  confinement,
  access,
  display,
];
