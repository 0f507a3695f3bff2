/** `pi-retrospect entries`: entries as readable lines with their line numbers. */
import type { SessionEntriesOutput, SessionEntry } from "../../model.ts";
import { visible } from "../visible.ts";
import { styled, type Terminal } from "./terminal.ts";

export function printEntries(output: SessionEntriesOutput, terminal: Terminal): void {
  const width = String(output.entries.at(-1)?.lineNo ?? 0).length;
  for (const entry of output.entries) printEntry(entry, width, terminal);
  if (output.entries.length === 0) terminal.write("No entries match.\n");
  if (output.nextLineNo !== undefined) {
    terminal.write(styled(terminal, "dim", `more with: --start-line-no ${output.nextLineNo}\n`));
  }
}

function printEntry(entry: SessionEntry, width: number, terminal: Terminal): void {
  const { lineNo, type, messageRole, id, timestamp, text } = entry;
  const head = [messageRole ?? type, id, timestamp].filter((column) => column !== null);
  const number = styled(terminal, "dim", String(lineNo).padStart(width));
  terminal.write(`${number}  ${styled(terminal, "cyan", head.map(visible).join("  "))}\n`);
  for (const line of text?.split(/\r\n|\r|\n/) ?? []) {
    terminal.write(`${" ".repeat(width + 2)}${visible(line.replaceAll("\t", "    "))}\n`);
  }
}
