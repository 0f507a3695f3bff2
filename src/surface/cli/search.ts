/** `pi-retrospect search` and `show`: hits with the command that opens each, and messages to read. */
import type {
  BrowseOutput,
  DiscoveryOutput,
  ReadOutput,
  ScrollOutput,
  TranscriptMessage,
} from "../../model.ts";
import { type Found, headOf, rowsOf } from "../found.ts";
import { localSecond } from "../labels.ts";
import { visible } from "../visible.ts";
import { styled, type Terminal, wrap } from "./terminal.ts";

const INDENT = "   ";

/** `storeFlags` are repeated in the commands, so that they look at the same store. */
export function printFound(
  output: DiscoveryOutput | BrowseOutput,
  storeFlags: string,
  terminal: Terminal,
): void {
  for (const [i, row] of rowsOf(output).entries()) {
    const rank = output.mode === "discovery" ? `${String(i + 1).padStart(2)} ` : "";
    const head = [headOf(row), row.facts.join(", ")].map(visible);
    terminal.write(
      `${rank}${styled(terminal, "bold", head[0] ?? "")}  ${styled(terminal, "dim", head[1] ?? "")}\n`,
    );
    const text = visible(row.snippet.replace(/\s+/g, " ").trim());
    for (const line of text === "" ? [] : wrap(text, terminal.columns, INDENT.length)) {
      terminal.write(`${INDENT}${highlighted(line, terminal)}\n`);
    }
    terminal.write(`${INDENT}${styled(terminal, "dim", visible(openCommandOf(row) + storeFlags))}\n`);
  }
}

function openCommandOf({ path, messageId, lineNo }: Found): string {
  if (messageId !== null) return `pi-retrospect show ${shellWord(path)} --around ${shellWord(messageId)}`;
  if (lineNo !== null) return `pi-retrospect entries ${shellWord(path)} --start-line-no ${lineNo}`;
  return `pi-retrospect show ${shellWord(path)}`;
}

export function printMessages({ messages }: ReadOutput | ScrollOutput, terminal: Terminal): void {
  let previous: TranscriptMessage | undefined;
  for (const message of messages) {
    const { lineNo, id, role, timestamp, content, toolName, isError, anchor } = message;
    const isGap = previous !== undefined && lineNo - previous.lineNo > messages.length && role === "user";
    if (isGap && previous?.anchor) terminal.write("\n");
    previous = message;
    const who = [role, toolName, isError ? "error" : undefined]
      .filter((part) => part !== undefined)
      .join(" ");
    const head = [String(lineNo), localSecond(Date.parse(timestamp)), id ?? "-", who].map(visible).join("  ");
    const mark = anchor ? "▶ " : "  ";
    terminal.write(`${styled(terminal, anchor ? "bold" : "cyan", mark + head)}\n`);
    for (const line of content.split("\n")) {
      const shown = visible(line.replaceAll("\t", "    "));
      for (const piece of wrap(shown, terminal.columns, INDENT.length)) terminal.write(`${INDENT}${piece}\n`);
    }
  }
}

/** The marks around matched words become a style where there is one. */
function highlighted(line: string, terminal: Terminal): string {
  if (!terminal.hasColor) return line;
  return line.replace(/«([^»]*)»/g, (_, word: string) =>
    styled(terminal, "cyan", styled(terminal, "bold", word)),
  );
}

/** A word as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
