/** `pi-retrospect search` and `show`: hits with the command that opens each, and messages to read. */
import type {
  BrowseOutput,
  DiscoveryOutput,
  ReadOutput,
  ScrollOutput,
  SearchHit,
  SyncState,
  TranscriptMessage,
} from "../../model.ts";
import { projectOf } from "../../session/access.ts";
import { visible } from "../visible.ts";
import { localMinute, localSecond, styled, type Terminal, wrap } from "./terminal.ts";

const INDENT = "   ";

/** `storeFlags` are repeated in the commands, so that they look at the same store. */
export function printHits({ results }: DiscoveryOutput, storeFlags: string, terminal: Terminal): void {
  for (const hit of results) printHit(hit, storeFlags, terminal);
}

function printHit(hit: SearchHit, storeFlags: string, terminal: Terminal): void {
  const { path, name, cwd, timestamp, role, match, snippet, matchMessageId, lineNo } = hit;
  const title = [localMinute(Date.parse(timestamp)), projectName(cwd), name ?? role].map(visible).join("  ");
  const some = match === "some" ? styled(terminal, "yellow", "  some of the words") : "";
  terminal.write(`${String(hit.rank + 1).padStart(2)} ${styled(terminal, "bold", title)}${some}\n`);
  for (const line of wrap(visible(snippet), terminal.columns, INDENT.length)) {
    terminal.write(`${INDENT}${highlighted(line, terminal)}\n`);
  }
  const around = matchMessageId === null ? "" : ` --around ${shellWord(matchMessageId)}`;
  const open =
    matchMessageId === null
      ? `pi-retrospect entries ${shellWord(path)} --start-line-no ${lineNo}`
      : `pi-retrospect show ${shellWord(path)}${around}`;
  terminal.write(`${INDENT}${styled(terminal, "dim", visible(open + storeFlags))}\n`);
}

export function printRecent({ sessions }: BrowseOutput, storeFlags: string, terminal: Terminal): void {
  for (const { path, name, cwd, lastActivityAt, messageCount, preview, subagents } of sessions) {
    const when = lastActivityAt === null ? "-" : localMinute(Date.parse(lastActivityAt));
    const counts = `${messageCount} messages${subagents === undefined ? "" : `, ${subagents} subagents`}`;
    const title = [when, projectName(cwd), name ?? counts].map(visible).join("  ");
    terminal.write(`${styled(terminal, "bold", title)}\n`);
    for (const line of wrap(visible(preview.replace(/\s+/g, " ")), terminal.columns, INDENT.length)) {
      terminal.write(`${INDENT}${line}\n`);
    }
    const open = `pi-retrospect show ${shellWord(path)}${storeFlags}`;
    terminal.write(`${INDENT}${styled(terminal, "dim", visible(open))}\n`);
  }
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

/** What a person should know about the answer, as sentences. */
export function stateNotes({ backlogRemaining, syncWarning }: SyncState): readonly string[] {
  const notes: string[] = [];
  if (backlogRemaining !== undefined) notes.push(`${backlogRemaining} files are not searched yet`);
  if (syncWarning?.kind === "incomplete-walk") notes.push("a part of the store could not be read");
  if (syncWarning?.kind === "sync-failed") notes.push(`the index is not up to date: ${syncWarning.error}`);
  return notes;
}

function projectName(cwd: string | null): string {
  return cwd === null ? "-" : (projectOf(cwd) ?? cwd);
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
