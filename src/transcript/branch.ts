/** Which entries of an outline stand on one branch, and which branch is meant. Pure. */
import type { TranscriptWarning } from "../model.ts";
import { describe } from "../session/header.ts";
import type { Outline } from "./outline.ts";

export interface Branch {
  /** Ordinals of the branch's messages, the first one first. */
  readonly messages: readonly number[];
  /** Why the branch begins where it does, when that is not its root. */
  readonly warnings: readonly TranscriptWarning[];
}

/** The path from the root to `tip`; nothing when there is no tip. */
export function branchOf(outline: Outline, tip: number | undefined): Branch {
  if (tip === undefined) return { messages: [], warnings: [] };
  const { ordinals, fault } = outline.pathFrom(tip);
  const messages = ordinals.filter((ordinal) => outline.isMessage(ordinal)).reverse();
  const first = ordinals.at(-1);
  if (fault === undefined || first === undefined) return { messages, warnings: [] };
  const why = fault === "parent_cycle" ? "is one of its own descendants" : "is no entry of this file";
  const reason = `the branch begins here: the parent ${describe(outline.parentIdOf(first))} ${why}`;
  return { messages, warnings: [{ lineNo: outline.lineOf(first).number, code: fault, reason }] };
}

/** The entry itself when it is a message, else its nearest message ancestor. */
export function nearestMessage(outline: Outline, entry: number): number | undefined {
  return outline.pathFrom(entry).ordinals.find((ordinal) => outline.isMessage(ordinal));
}

/**
 * The last entry in file order whose path to the root meets `entry`: the end of the newest branch through it. Each entry
 * is visited once, whatever the shape of the links.
 */
export function newestTipThrough(outline: Outline, entry: number): number {
  const isElsewhere = new Uint8Array(outline.entryCount);
  for (let tip = outline.entryCount - 1; tip >= 0; tip--) {
    const id = outline.idOf(tip);
    if (id === null || outline.ordinalOf(id) !== tip) continue; // unaddressed, or replaced by a later entry
    let at: number | undefined = tip;
    while (at !== undefined && isElsewhere[at] === 0) {
      if (at === entry) return tip;
      isElsewhere[at] = 1;
      at = outline.parentOf(at);
    }
  }
  return entry;
}
