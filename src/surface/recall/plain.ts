/** `/recall` where there is no terminal interface: a short list as plain lines. Pure. */
import type { SessionSearchOutput } from "../../model.ts";
import { localMinute } from "../cli/terminal.ts";
import { projectLabel } from "../labels.ts";
import { visible } from "../visible.ts";
import { fit } from "../width.ts";
import { type Found, rowsOf } from "./found.ts";

const MAX_TEXT_COLUMNS = 100;

/** Lines without colours; every one is safe to print. */
export function plainLines(output: SessionSearchOutput): readonly string[] {
  if (output.mode !== "discovery" && output.mode !== "browse") return [];
  const rows = rowsOf(output);
  const backlog = output.backlogRemaining;
  const building = backlog === undefined ? [] : [`(the index is being built: ${backlog} files to come)`];
  if (rows.length === 0) {
    return [output.mode === "discovery" ? "No message matches." : "No earlier sessions.", ...building];
  }
  return [...rows.flatMap(rowLines), ...building];
}

function rowLines(row: Found): readonly string[] {
  const when = Number.isFinite(row.timeMs) ? localMinute(row.timeMs) : "";
  const head = [when, projectLabel(row.cwd), row.name || row.facts.join(", ")].filter((part) => part !== "");
  const text = fit(visible(row.snippet.replace(/\s+/g, " ").trim()), MAX_TEXT_COLUMNS);
  return [
    head.map(visible).join("  "),
    ...(text === "" ? [] : [`  ${text}`]),
    `  ${visible(referenceOf(row))}`,
  ];
}

/** How a person and a model name a place in the past: the path, and the message when one is known. */
export function referenceOf({ path, messageId }: Pick<Found, "path" | "messageId">): string {
  const shown = /\s/.test(path) ? JSON.stringify(path) : path;
  return messageId === null ? shown : `${shown} message ${messageId}`;
}
