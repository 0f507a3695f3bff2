/**
 * The preview beside or under the list: the messages around the best match, or the end of a recent session. Pure; the
 * cost is bounded whatever a message holds, because of long ones only the part around the match is broken into lines.
 */
import type { ThemeColor } from "@earendil-works/pi-coding-agent";
import type { MessageRole, TranscriptMessage } from "../../model.ts";
import type { Found } from "../found.ts";
import { localMinute } from "../labels.ts";
import { visible } from "../visible.ts";
import { columnsOf, wrapStrictly } from "../width.ts";
import { type Line, markedWords, type Span, shown } from "./spans.ts";
import type { Preview } from "./state.ts";

/** Of a message, at most this much is looked at: enough to fill any screen. */
const MAX_SHOWN_CHARS = 6_000;
/** Of a message that is not the match. */
const MAX_NEIGHBOUR_LINES = 8;
const INDENT = "  ";

const ROLE_INKS: Readonly<Record<MessageRole, ThemeColor>> = {
  user: "accent",
  assistant: "success",
  toolResult: "muted",
  bashExecution: "muted",
  custom: "muted",
};

/** At most `height` lines of at most `width` columns. */
export function previewLines(
  row: Found | undefined,
  preview: Preview | undefined,
  width: number,
  height: number,
): readonly Line[] {
  if (row === undefined || height < 1) return [];
  const head = headOf(row, width, height);
  const room = height - head.length;
  if (preview === undefined)
    return [...head, [{ text: `${INDENT}reading…`, ink: "dim" as const }]].slice(0, height);
  if ("error" in preview) {
    const lines = wrapStrictly(visible(preview.error), width - INDENT.length);
    return [...head, ...lines.map((text) => [{ text: INDENT + text, ink: "error" as const }])].slice(
      0,
      height,
    );
  }
  const words = markedWords(row.snippet);
  const lines: Line[] = [];
  let focus: Focus | undefined;
  for (const message of preview.output.messages) {
    const isMatch = message.anchor === true;
    const content = contentLines(message, isMatch ? words : [], width - INDENT.length);
    const limit = isMatch ? content.length : MAX_NEIGHBOUR_LINES;
    if (isMatch) {
      const marked = content.findIndex((line) => line.some(({ isBold }) => isBold));
      focus = { label: lines.length, line: lines.length + 1 + Math.max(0, marked) };
    }
    lines.push(labelOf(message));
    for (const line of content.slice(0, limit)) lines.push([{ text: INDENT }, ...line]);
    if (content.length > limit) lines.push([{ text: `${INDENT}…`, ink: "dim" }]);
  }
  if (lines.length === 0)
    return [...head, [{ text: `${INDENT}no messages`, ink: "dim" as const }]].slice(0, height);
  return [...head, ...windowOf(lines, focus, room)];
}

/** Where the match stands among the lines: its message's label and the first line with a matched word. */
interface Focus {
  readonly label: number;
  readonly line: number;
}

/** Around the match, with its label when both fit; without one, the end. */
function windowOf(lines: readonly Line[], focus: Focus | undefined, room: number): readonly Line[] {
  const last = Math.max(0, lines.length - room);
  if (focus === undefined) return lines.slice(last);
  const wanted = focus.line - Math.floor(room / 3);
  const isLabelNear = focus.line - focus.label < room - 1;
  const start = Math.max(0, Math.min(last, isLabelNear ? Math.min(wanted, focus.label) : wanted));
  return lines.slice(start, start + room);
}

function headOf(row: Found, width: number, height: number): readonly Line[] {
  if (height < 6) return [];
  const when = Number.isFinite(row.timeMs) ? localMinute(row.timeMs) : "";
  const title = [row.name, when].filter((part) => part !== "").join(" · ");
  const cwd = row.cwd ?? "";
  const both = [title, cwd].filter((part) => part !== "").join(" · ");
  const where = columnsOf(visible(both)) <= width ? both : title;
  return where === "" ? [] : [[shown(where, "muted")]];
}

function labelOf({ role, toolName, timestamp, isError, anchor }: TranscriptMessage): Line {
  const name = role === "toolResult" && toolName !== undefined ? toolName : role;
  const timeMs = Date.parse(timestamp);
  const mark: Span = anchor ? { text: "▌ ", ink: "accent" } : { text: "  " };
  const role_: Span = { ...shown(name, isError ? "error" : ROLE_INKS[role]), isBold: true };
  return [mark, role_, ...(Number.isFinite(timeMs) ? [shown(`  ${localMinute(timeMs)}`, "dim")] : [])];
}

function contentLines(message: TranscriptMessage, words: readonly string[], width: number): readonly Line[] {
  const { content, role } = message;
  const ink: ThemeColor | undefined = role === "user" || role === "assistant" ? undefined : "muted";
  const at = words.length === 0 ? 0 : Math.max(0, firstOf(words, content));
  const from = at > MAX_SHOWN_CHARS / 2 ? content.indexOf("\n", at - MAX_SHOWN_CHARS / 2) + 1 : 0;
  const start = from > at ? at - 200 : from;
  const text = content.slice(start, start + MAX_SHOWN_CHARS);
  const pieces = (start > 0 ? `…\n${text}` : text)
    .trimEnd()
    .split(/\r\n?|\n/)
    .flatMap((line) => wrapStrictly(visible(line.replaceAll("\t", "  ")), width));
  const highlight = wordPattern(words);
  return pieces.map((piece) => highlighted(piece, highlight, ink));
}

function firstOf(words: readonly string[], content: string): number {
  const places = words.map((word) => content.indexOf(word)).filter((at) => at >= 0);
  return places.length === 0 ? 0 : Math.min(...places);
}

function wordPattern(words: readonly string[]): RegExp | undefined {
  const usable = words.map((word) => visible(word.trim())).filter((word) => word !== "");
  if (usable.length === 0) return undefined;
  const longestFirst = usable.sort((a, b) => b.length - a.length);
  return new RegExp(`(${longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})`);
}

function highlighted(text: string, words: RegExp | undefined, ink: ThemeColor | undefined): Line {
  if (words === undefined) return [{ text, ...(ink === undefined ? {} : { ink }) }];
  return text
    .split(words)
    .map((piece, i) =>
      i % 2 === 1
        ? { text: piece, ink: "accent" as const, isBold: true as const }
        : { text: piece, ...(ink === undefined ? {} : { ink }) },
    );
}
