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

/** The path from the root to `tipId`, which must be an id of the outline. */
export function branchOf(outline: Outline, tipId: string): Branch {
  const { path, isCyclic } = outline.tree.pathFrom(tipId);
  const messages = path.filter((ordinal) => outline.isMessage(ordinal)).reverse();
  const first = path.at(-1);
  const parentId = first === undefined ? null : (outline.parentIds[first] ?? null);
  if (first === undefined || parentId === null) return { messages, warnings: [] };
  const code = isCyclic ? "parent_cycle" : "missing_parent";
  const fault = isCyclic ? "is one of its own descendants" : "is no entry of this file";
  const reason = `the branch begins here: the parent ${describe(parentId)} ${fault}`;
  return { messages, warnings: [{ lineNo: outline.lineOf(first).number, code, reason }] };
}

/** Ordinal of the entry itself when it is a message, else of its nearest message ancestor. */
export function nearestMessage(outline: Outline, entryId: string): number | undefined {
  return outline.tree.pathFrom(entryId).path.find((ordinal) => outline.isMessage(ordinal));
}

/**
 * Id of the last entry in file order whose path to the root meets `entryId`: the end of the newest branch through it.
 * Each entry is visited once, whatever the shape of the links.
 */
export function newestTipThrough(outline: Outline, entryId: string): string {
  const ordinalOf = new Map<string, number>();
  outline.ids.forEach((id, ordinal) => {
    if (id !== null) ordinalOf.set(id, ordinal); // of duplicate ids the last wins
  });
  const isElsewhere = new Uint8Array(outline.entryCount);
  for (let tip = outline.entryCount - 1; tip >= 0; tip--) {
    const tipId = outline.ids[tip] ?? null;
    if (tipId === null || ordinalOf.get(tipId) !== tip) continue;
    let at: number | undefined = tip;
    while (at !== undefined && isElsewhere[at] === 0) {
      if (outline.ids[at] === entryId) return tipId;
      isElsewhere[at] = 1;
      const parentId: string | null = outline.parentIds[at] ?? null;
      at = parentId === null ? undefined : ordinalOf.get(parentId);
    }
  }
  return entryId;
}
