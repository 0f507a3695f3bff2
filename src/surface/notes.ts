/** What a person who searches should know about an answer, in the same words in a shell and in the palette. */
import type { SyncState } from "../model.ts";
import { countOf } from "./labels.ts";

/** As sentences without a full stop; not yet made visible. */
export function stateNotes({ backlogRemaining, syncWarning }: SyncState): readonly string[] {
  const notes: string[] = [];
  if (backlogRemaining !== undefined) {
    notes.push(
      `${countOf(backlogRemaining, "file")} ${backlogRemaining === 1 ? "is" : "are"} still to be searched`,
    );
  }
  if (syncWarning?.kind === "incomplete-walk") notes.push("a part of the store could not be read");
  if (syncWarning?.kind === "sync-failed") notes.push(`the index is not up to date: ${syncWarning.error}`);
  return notes;
}
