/** What a command writes to, and tables and times on it. */
import { styleText } from "node:util";
import { columnsOf, fit, pad } from "../width.ts";

export { columnsOf, fit, pad, wrap } from "../width.ts";

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
