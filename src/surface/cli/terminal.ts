/** What a command writes to, and how wide text is there. */
import { stripVTControlCharacters, styleText } from "node:util";

export type Style = "bold" | "dim" | "cyan" | "yellow" | "red";

export interface Terminal {
  readonly write: (text: string) => void;
  /** Columns of the terminal; undefined when the output is no terminal. */
  readonly columns: number | undefined;
  readonly hasColor: boolean;
}

export function styled(terminal: Terminal, style: Style, text: string): string {
  return terminal.hasColor ? styleText(style, text, { validateStream: false }) : text;
}

const segmenter = new Intl.Segmenter();
/** East Asian wide and fullwidth forms, and emoji, take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Columns that `text` takes. */
export function columnsOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(plain)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

/** `text` in at most `columns` columns, cut at a character border and marked with an ellipsis. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segmenter.segment(text)) {
    used += WIDE.test(segment) ? 2 : 1;
    if (used > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * Rows under a heading. Every column but the last is as wide as its widest cell, on a terminal at most a quarter of it;
 * the last takes what is left.
 */
export function table(
  terminal: Terminal,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const widest =
    terminal.columns === undefined ? Number.POSITIVE_INFINITY : Math.max(16, terminal.columns >> 2);
  const widths = heading.map((title, i) =>
    rows.reduce((width, row) => Math.max(width, Math.min(widest, columnsOf(row[i] ?? ""))), columnsOf(title)),
  );
  const fixed = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const last =
    terminal.columns === undefined ? Number.POSITIVE_INFINITY : Math.max(16, terminal.columns - fixed);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) =>
        i === cells.length - 1 ? fit(cell, last) : pad(fit(cell, widths[i] ?? 0), widths[i] ?? 0),
      )
      .join("  ");
  return [styled(terminal, "bold", line(heading)), ...rows.map(line)];
}

/** `text` in pieces that fit behind an indent, broken at spaces; whole when the output is no terminal. */
export function wrap(text: string, columns: number | undefined, indentColumns: number): readonly string[] {
  if (columns === undefined || indentColumns + columnsOf(text) <= columns) return [text];
  const room = Math.max(16, columns - indentColumns);
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const word of text.split(/(?<= )/)) {
    const width = columnsOf(word);
    if (used > 0 && used + columnsOf(word.trimEnd()) > room) {
      pieces.push(piece.trimEnd());
      piece = "";
      used = 0;
    }
    piece += word;
    used += width;
  }
  return [...pieces, piece];
}

/** `2026-11-30 19:41:07` in the host's timezone. */
export function localSecond(timestampMs: number): string {
  return `${localMinute(timestampMs)}:${String(new Date(timestampMs).getSeconds()).padStart(2, "0")}`;
}

/** `2026-11-30 19:41` in the host's timezone. */
export function localMinute(timestampMs: number): string {
  const date = new Date(timestampMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
