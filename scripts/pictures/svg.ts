/** Terminal cells as an SVG text file: runs of one look, each at its column, so that no font moves the grid. Pure. */
import type { Cell } from "./screen.ts";

export interface Palette {
  readonly foreground: string;
  readonly background: string;
}

export const DARK: Palette = { foreground: "#d4d4d4", background: "#1e1e1e" };
export const LIGHT: Palette = { foreground: "#2e2e2e", background: "#ffffff" };

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 16.5;
const FONT_SIZE = 14;
const MARGIN = 14;
/** Where the baseline lies in a line. */
const BASELINE = 12.8;

export function svgOf(
  screen: readonly (readonly Cell[])[],
  columns: number,
  { foreground, background }: Palette,
  title: string,
): string {
  const width = round(columns * CELL_WIDTH + 2 * MARGIN);
  const height = round(screen.length * LINE_HEIGHT + 2 * MARGIN);
  const lines = screen.flatMap((cells, row) =>
    runsOf(cells).flatMap((run) => drawRun(run, row, { foreground, background })),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:${FONT_SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}

interface Run {
  readonly column: number;
  readonly cells: readonly Cell[];
}

/**
 * Neighbours of one look. Text beyond ASCII stands alone, because a font may draw it wider than its cell, and so do
 * spaces, which viewers treat differently.
 */
function runsOf(cells: readonly Cell[]): readonly Run[] {
  const runs: { column: number; cells: Cell[] }[] = [];
  cells.forEach((cell, column) => {
    const last = runs.at(-1);
    const before = last?.cells.at(-1);
    if (last !== undefined && before !== undefined && lookOf(before) === lookOf(cell)) last.cells.push(cell);
    else runs.push({ column, cells: [cell] });
  });
  return runs;
}

function lookOf({ character, ...look }: Cell): string {
  const kind = /^[\x21-\x7e]?$/.test(character) ? "ascii" : character;
  return JSON.stringify([kind, look]);
}

function drawRun({ column, cells }: Run, row: number, palette: Palette): readonly string[] {
  const [first] = cells;
  if (first === undefined) return [];
  const own = { foreground: first.foreground ?? palette.foreground, background: first.background };
  const ink = first.isInverse ? (own.background ?? palette.background) : own.foreground;
  const paper = first.isInverse ? own.foreground : own.background;
  const x = round(MARGIN + column * CELL_WIDTH);
  const y = round(MARGIN + row * LINE_HEIGHT);
  const width = round(cells.length * CELL_WIDTH);
  const text = cells.map(({ character }) => character).join("");
  const drawn: string[] = [];
  if (paper !== undefined)
    drawn.push(`<rect x="${x}" y="${y}" width="${width}" height="${LINE_HEIGHT}" fill="${paper}"/>`);
  if (text.trim() === "") return drawn;
  const look = [
    ` fill="${ink}"`,
    first.isBold ? ' font-weight="bold"' : "",
    first.isDim ? ' opacity="0.65"' : "",
    first.isItalic ? ' font-style="italic"' : "",
    first.isUnderlined ? ' text-decoration="underline"' : "",
  ].join("");
  const fixed = `textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  drawn.push(`<text x="${x}" y="${round(y + BASELINE)}" ${fixed}${look}>${escaped(text)}</text>`);
  return drawn;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
