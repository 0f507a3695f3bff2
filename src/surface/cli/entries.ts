/** `pi-retrospect entries`: entries as readable lines with their line numbers. */
import type { SessionEntriesOutput, SessionEntry } from "../../model.ts";
import { localSecond } from "../labels.ts";
import { visible } from "../visible.ts";
import { styled, type Terminal, wrap } from "./terminal.ts";

export function printEntries(output: SessionEntriesOutput, terminal: Terminal): void {
  const width = String(output.entries.at(-1)?.lineNo ?? 0).length;
  for (const entry of output.entries) printEntry(entry, width, terminal);
}

function printEntry(entry: SessionEntry, width: number, terminal: Terminal): void {
  const { lineNo, type, messageRole, id, timestamp, text } = entry;
  const head = [localSecond(Date.parse(timestamp)), id ?? "-", messageRole ?? type].map(visible).join("  ");
  const number = styled(terminal, "dim", String(lineNo).padStart(width));
  terminal.write(`${number}  ${styled(terminal, "cyan", head)}\n`);
  const indent = " ".repeat(width + 2);
  if (text === null) terminal.write(`${indent}${styled(terminal, "dim", "(no text)")}\n`);
  for (const line of text?.split(/\r\n|\r|\n/) ?? []) {
    const shown = visible(line.replaceAll("\t", "    "));
    for (const piece of wrap(shown, terminal.columns, indent.length)) terminal.write(`${indent}${piece}\n`);
  }
}
