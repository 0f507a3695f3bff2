/** `/recall` where there is no terminal interface: a short list as plain lines. Pure. */
import type { SessionSearchOutput } from "../../model.ts";
import { type Found, headOf, rowsOf } from "../found.ts";
import { stateNotes } from "../notes.ts";
import { visible } from "../visible.ts";
import { fit } from "../width.ts";

const MAX_TEXT_COLUMNS = 100;

/** Lines without colours; every one is safe to print. */
export function plainLines(output: SessionSearchOutput): readonly string[] {
  if (output.mode !== "discovery" && output.mode !== "browse") return [];
  const rows = rowsOf(output);
  const notes = stateNotes(output).map((note) => visible(`(${note})`));
  if (rows.length === 0) {
    return [output.mode === "discovery" ? "No message matches." : "No earlier sessions.", ...notes];
  }
  return [...rows.flatMap(rowLines), ...notes];
}

function rowLines(row: Found): readonly string[] {
  const text = fit(visible(row.snippet.replace(/\s+/g, " ").trim()), MAX_TEXT_COLUMNS);
  return [
    visible(`${headOf(row)}  ${row.facts.join(", ")}`),
    ...(text === "" ? [] : [`  ${text}`]),
    `  ${visible(referenceOf(row))}`,
  ];
}

/** How a person and a model name a place in the past: the path, and the message when one is known. */
export function referenceOf({ path, messageId }: Pick<Found, "path" | "messageId">): string {
  const shown = /\s/.test(path) ? JSON.stringify(path) : path;
  return messageId === null ? shown : `${shown} message ${messageId}`;
}
