/** Every family of faults, in the order in which they run. */
import type { SoakCase } from "../case.ts";
import { access } from "./access.ts";
import { bytes } from "./bytes.ts";
import { confinement } from "./confinement.ts";
import { display } from "./display.ts";
import { history } from "./history.ts";

export const CASES: readonly SoakCase[] = [history, bytes, confinement, access, display];
