/**
 * Lines of the palette before they are painted: pieces of text, each with its ink. Cutting and padding happen here, on
 * plain text; colours are added last, so no escape sequence is ever cut.
 */
import type { Theme, ThemeBg, ThemeColor } from "@earendil-works/pi-coding-agent";
import { visible } from "../visible.ts";
import { columnsOf, takeColumns, takeColumnsFromEnd } from "../width.ts";

/** What a painted line needs of Pi's theme. */
export type Paint = Pick<Theme, "fg" | "bg" | "bold" | "inverse">;

export interface Span {
  /** Safe to show. */
  readonly text: string;
  readonly ink?: ThemeColor;
  readonly isBold?: true;
  /** The cell of the text cursor. */
  readonly isCursor?: true;
  /** Holds its colours already; must not be cut. */
  readonly isPainted?: true;
}

export type Line = readonly Span[];

/** Where Pi puts the terminal's own cursor, for input methods. Pi takes it out before anything is written. */
const CURSOR_MARKER = "\u001b_pi:c\u0007";

/** Text from a session, a file name or a person, made visible. */
export function shown(text: string, ink?: ThemeColor): Span {
  return { text: visible(text), ...(ink === undefined ? {} : { ink }) };
}

export function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + columnsOf(text), 0);
}

/** Exactly `columns` columns: cut with an ellipsis, or padded with spaces. */
export function fitLine(line: Line, columns: number): Line {
  const width = widthOf(line);
  if (width <= columns) return width === columns ? line : [...line, { text: " ".repeat(columns - width) }];
  const fitted: Span[] = [];
  let left = columns - 1;
  for (const span of line) {
    const text = takeColumns(span.text, left);
    fitted.push(text === span.text ? span : { ...span, text: `${text}…` });
    left -= columnsOf(text);
    if (text !== span.text) break;
  }
  // A wide character may have left a column over.
  return left > 0 ? [...fitted, { text: " ".repeat(left) }] : fitted;
}

export function paintLine(line: Line, paint: Paint, background?: ThemeBg): string {
  const painted = line
    .map(({ text, ink, isBold, isCursor, isPainted }) => {
      if (isPainted || (text === "" && !isCursor)) return text;
      const bold = isBold ? paint.bold(text) : text;
      const colored = ink === undefined ? bold : paint.fg(ink, bold);
      return isCursor ? CURSOR_MARKER + paint.inverse(colored) : colored;
    })
    .join("");
  return background === undefined ? painted : paint.bg(background, painted);
}

/** The spans of a snippet: what stands between `«` and `»` in the accent. */
export function markedSpans(snippet: string, ink?: ThemeColor): Line {
  return snippet
    .split(/(«[^«»]*»)/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      /^«[^«»]*»$/.test(piece)
        ? { ...shown(piece.slice(1, -1), "accent"), isBold: true as const }
        : shown(piece, ink),
    );
}

/** The words that a snippet marks, as they stand in the message. */
export function markedWords(snippet: string): readonly string[] {
  const words = Array.from(snippet.matchAll(/«([^«»]+)»/g), ([, word = ""]) => word);
  return [...new Set(words)];
}

/** Drops the start of a line when its first bold span would otherwise fall off the right end. */
export function aroundMark(line: Line, columns: number): Line {
  const mark = line.findIndex(({ isBold }) => isBold);
  const before = widthOf(line.slice(0, Math.max(0, mark)));
  const markWidth = columnsOf(line[mark]?.text ?? "");
  if (mark < 1 || before + markWidth + 2 <= columns) return line;
  const kept = Math.max(0, Math.min(Math.floor(columns / 3), columns - markWidth - 2));
  const lead = line
    .slice(0, mark)
    .map(({ text }) => text)
    .join("");
  const ink = line[mark - 1]?.ink;
  const start: Span = { text: `…${takeColumnsFromEnd(lead, kept)}`, ...(ink === undefined ? {} : { ink }) };
  return [start, ...line.slice(mark)];
}
