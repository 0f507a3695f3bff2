/** A captured terminal screen as cells: text with SGR sequences, as `tmux capture-pane -e` gives it, parsed. Pure. */
import { charactersOf, columnsOf } from "../../src/surface/width.ts";

export interface Cell {
  /** One character, or an empty string for the second half of a wide one. */
  readonly character: string;
  /** `#rrggbb`; undefined is the terminal's own. */
  readonly foreground: string | undefined;
  readonly background: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
}

type Look = Omit<Cell, "character">;

const PLAIN: Look = {
  ...{ foreground: undefined, background: undefined, isBold: false, isDim: false },
  ...{ isItalic: false, isUnderlined: false, isInverse: false },
};
const BASE_COLORS =
  "#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 #666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #ffffff".split(
    " ",
  );

export function parseScreen(captured: string): readonly (readonly Cell[])[] {
  const lines = captured.replace(/\n$/, "").split("\n");
  let look = PLAIN;
  return lines.map((line) => {
    const cells: Cell[] = [];
    for (const piece of line.split(/(\u001b\[[\d;:]*m)/)) {
      const codes = /^\u001b\[([\d;:]*)m$/.exec(piece)?.[1];
      if (codes !== undefined) {
        look = styled(look, codes.split(/[;:]/).map(Number));
        continue;
      }
      for (const character of charactersOf(piece.replace(/\u001b[^a-zA-Z]*[a-zA-Z]/g, ""))) {
        cells.push({ character, ...look });
        for (let i = 1; i < columnsOf(character); i++) cells.push({ character: "", ...look });
      }
    }
    return cells;
  });
}

/** Every occurrence of `from` in a line as `to`, which must be as long: the cells keep their places. */
export function replaced(cells: readonly Cell[], from: string, to: string): readonly Cell[] {
  if (from.length !== to.length) throw new Error(`${from} and ${to} differ in length`);
  const characters = cells.map(({ character }) => (character.length === 1 ? character : "\0"));
  const text = characters.join("").replaceAll(from, to);
  return cells.map((cell, i) => (characters[i] === "\0" ? cell : { ...cell, character: text.charAt(i) }));
}

function styled(before: Look, codes: readonly number[]): Look {
  let look = before;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const isIndexed = codes[i + 1] === 5;
      const color = isIndexed ? indexedColor(codes[i + 2] ?? 0) : hex(codes.slice(i + 2, i + 5));
      look = code === 38 ? { ...look, foreground: color } : { ...look, background: color };
      i += isIndexed ? 2 : 4;
    } else look = withCode(look, code);
  }
  return look;
}

function withCode(look: Look, code: number): Look {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 3) return { ...look, isItalic: true };
  if (code === 4) return { ...look, isUnderlined: true };
  if (code === 7) return { ...look, isInverse: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 23) return { ...look, isItalic: false };
  if (code === 24) return { ...look, isUnderlined: false };
  if (code === 27) return { ...look, isInverse: false };
  if (code === 39) return { ...look, foreground: undefined };
  if (code === 49) return { ...look, background: undefined };
  if (code >= 30 && code <= 37) return { ...look, foreground: BASE_COLORS[code - 30] };
  if (code >= 90 && code <= 97) return { ...look, foreground: BASE_COLORS[code - 82] };
  if (code >= 40 && code <= 47) return { ...look, background: BASE_COLORS[code - 40] };
  if (code >= 100 && code <= 107) return { ...look, background: BASE_COLORS[code - 92] };
  return look;
}

function indexedColor(index: number): string {
  const base = BASE_COLORS[index];
  if (base !== undefined) return base;
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + 10 * (index - 232)));
  const step = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  const cube = index - 16;
  return hex([step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)]);
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
