/**
 * The palette as lines: a frame with the input, the list and the preview beside it (wide) or under it (narrow), and the
 * keys. Pure, and never wider than asked. Everything that comes from sessions was made visible in the parts.
 */
import type { ThemeBg } from "@earendil-works/pi-coding-agent";
import { isSameRow } from "../found.ts";
import { charactersOf, columnsOf, takeColumnsFromEnd, wrapStrictly } from "../width.ts";
import type { TextInput } from "./input.ts";
import { listLines, ROW_LINES } from "./list.ts";
import { emptyTexts, noteOf, SCOPE_NAMES, statusOf } from "./messages.ts";
import { previewLines } from "./preview.ts";
import { fitLine, type Line, type Paint, paintLine, type Span, shown, widthOf } from "./spans.ts";
import { type RecallState, SCOPES, selectedOf } from "./state.ts";

/** From this inner width on, the preview stands beside the list. */
const BESIDE_COLUMNS = 96;
const MIN_WIDTH = 24;
const MIN_HEIGHT = 8;
const SELECTED: ThemeBg = "selectedBg";

export interface View {
  readonly paint: Paint;
  /** Keys and their effects, most important first. */
  readonly hints: readonly (readonly [key: string, effect: string])[];
  readonly scopeKey: string;
  readonly nowMs: number;
  readonly isFocused: boolean;
}

interface Row {
  readonly line: Line;
  readonly background?: ThemeBg;
}

/** `height` lines of exactly `width` columns; fewer columns or lines than the palette needs are no palette. */
export function render(state: RecallState, width: number, height: number, view: View): readonly string[] {
  if (width < MIN_WIDTH || height < MIN_HEIGHT) {
    const text = fitLine([shown("recall needs more room")], Math.max(1, width));
    return [paintLine(text, view.paint)];
  }
  const inner = width - 4;
  const note = noteOf(state);
  const hints = hintLines(view.hints, inner);
  const head: Row[] = [{ line: inputLine(state, inner, view.isFocused) }];
  const foot: Row[] = [
    ...(note === undefined ? [] : [{ line: fitLine([shown(note.text, note.ink)], inner) }]),
    ...hints.map((line) => ({ line: fitLine(line, inner) })),
  ];
  const bodyHeight = Math.max(1, height - 4 - head.length - foot.length);
  const body = bodyRows(state, inner, bodyHeight, view);
  const rule = ["├", "─".repeat(width - 2), "┤"].join("");
  const framed = (rows: readonly Row[]) => rows.map((row) => frame(row, view.paint));
  return [
    paintLine(topLine(state, width), view.paint),
    ...framed(head),
    view.paint.fg("border", rule),
    ...body.map((row) => frame(row, view.paint)),
    view.paint.fg("border", rule),
    ...framed(foot),
    view.paint.fg("border", `╰${"─".repeat(width - 2)}╯`),
  ].slice(0, height);
}

function frame({ line, background }: Row, paint: Paint): string {
  const border = paint.fg("border", "│");
  return `${border}${paintLine([{ text: " " }, ...line, { text: " " }], paint, background)}${border}`;
}

function topLine({ scope }: RecallState, width: number): Line {
  const scopes = SCOPES.flatMap((name, i): Line => {
    const gap: Line = i === 0 ? [] : [{ text: " · ", ink: "border" }];
    const label = SCOPE_NAMES[name];
    return [
      ...gap,
      name === scope ? { text: label, ink: "accent", isBold: true } : { text: label, ink: "dim" },
    ];
  });
  const title: Line = [
    { text: "╭─ ", ink: "border" },
    { text: "recall", ink: "accent", isBold: true },
    { text: " ", ink: "border" },
  ];
  const tail: Line = [{ text: " " }, ...scopes, { text: " ─╮", ink: "border" }];
  const dashes = width - widthOf(title) - widthOf(tail);
  if (dashes < 1) {
    const active: Line = [
      { text: ` ${SCOPE_NAMES[scope]} `, ink: "accent" },
      { text: "─╮", ink: "border" },
    ];
    const rest = Math.max(0, width - widthOf(title) - widthOf(active));
    return fitLine([...title, { text: "─".repeat(rest), ink: "border" }, ...active], width);
  }
  return [...title, { text: "─".repeat(dashes), ink: "border" }, ...tail];
}

function inputLine(state: RecallState, width: number, isFocused: boolean): Line {
  const status = statusOf(state);
  const room = width - 2 - (status === "" ? 0 : columnsOf(status) + 2);
  const field = fitLine(fieldOf(state.input, room, isFocused), room);
  const tail: Line = status === "" ? [] : [{ text: "  " }, { text: status, ink: "muted" }];
  return fitLine([{ text: "❯ ", ink: "accent" }, ...field, ...tail], width);
}

/** The text with its cursor in sight: of a long one, the end before the cursor. */
function fieldOf({ text, cursor }: TextInput, columns: number, isFocused: boolean): Line {
  if (text === "") {
    const hint: Span = { text: "words to look for", ink: "dim" };
    return isFocused ? [{ text: " ", isCursor: true }, hint] : [hint];
  }
  const rest = shown(text.slice(cursor)).text;
  const restColumns = Math.min(columnsOf(rest), columns >> 2);
  const before = takeColumnsFromEnd(shown(text.slice(0, cursor)).text, columns - 2 - restColumns);
  const at = charactersOf(rest)[0] ?? " ";
  const after = rest.slice(at.length);
  if (!isFocused) return [{ text: before }, { text: at + after }];
  return [{ text: before }, { text: at, isCursor: true }, { text: after }];
}

function bodyRows(state: RecallState, width: number, height: number, view: View): readonly Row[] {
  if (state.rows.length === 0) return emptyRows(state, width, height, view.scopeKey);
  const row = selectedOf(state);
  const preview = isSameRow(state.preview?.row, row) ? state.preview : undefined;
  const list = (columns: number, lines: number): Row[] =>
    listLines(state, columns, lines, view.nowMs).map(({ line, isSelected }) => ({
      line: fitLine(line, columns),
      ...(isSelected ? { background: SELECTED } : {}),
    }));
  if (width >= BESIDE_COLUMNS) {
    const listColumns = Math.min(72, Math.floor(width * 0.42));
    const previewColumns = width - listColumns - 3;
    const left = list(listColumns, height);
    const right = previewLines(row, preview, previewColumns, height);
    return Array.from({ length: height }, (_, i) =>
      beside(left[i], right[i], listColumns, previewColumns, view),
    );
  }
  const listHeight = Math.min(
    state.rows.length * ROW_LINES,
    ROW_LINES * Math.max(1, Math.round((height - 1) / 2 / ROW_LINES)),
  );
  const top = list(width, listHeight);
  const previewHeight = Math.max(0, height - top.length - 1);
  const separator: Row[] =
    previewHeight === 0 ? [] : [{ line: [{ text: "─".repeat(width), ink: "borderMuted" }] }];
  const bottom = previewLines(row, preview, width, previewHeight).map((line) => ({
    line: fitLine(line, width),
  }));
  return filled([...top, ...separator, ...bottom], width, height);
}

function beside(
  left: Row | undefined,
  right: Line | undefined,
  leftColumns: number,
  rightColumns: number,
  { paint }: View,
): Row {
  const painted = paintLine(left?.line ?? fitLine([], leftColumns), paint, left?.background);
  // Painted here, because the background of a selected row ends at the separator.
  return {
    line: [
      { text: painted, isPainted: true },
      { text: " │ ", ink: "borderMuted" },
      ...fitLine(right ?? [], rightColumns),
    ],
  };
}

function emptyRows(state: RecallState, width: number, height: number, scopeKey: string): readonly Row[] {
  const texts = emptyTexts(state, scopeKey).map((text, i) => ({
    lines: wrapStrictly(text, width),
    isFirst: i === 0,
  }));
  const count = texts.reduce((sum, { lines }) => sum + lines.length, 0);
  const above = Math.max(0, Math.floor((height - count) / 3));
  const blank: Row[] = Array.from({ length: above }, () => ({ line: fitLine([], width) }));
  const lines = texts.flatMap(({ lines: pieces, isFirst }) =>
    pieces.map((text): Row => {
      const indent = { text: " ".repeat(Math.max(0, (width - columnsOf(text)) >> 1)) };
      return { line: fitLine([indent, shown(text, isFirst ? "text" : "muted")], width) };
    }),
  );
  return filled([...blank, ...lines], width, height);
}

function filled(rows: readonly Row[], width: number, height: number): readonly Row[] {
  const missing = Math.max(0, height - rows.length);
  const blank: Row = { line: fitLine([], width) };
  return [...rows.slice(0, height), ...Array.from({ length: missing }, () => blank)];
}

/** The keys in as many lines as they need, at most two. */
function hintLines(hints: View["hints"], width: number): readonly Line[] {
  const lines: Line[] = [];
  let line: Line = [];
  for (const [key, effect] of hints) {
    const gap: Line = line.length === 0 ? [] : [{ text: "  " }];
    const next: Line = [...line, ...gap, { text: key, ink: "text" }, { text: ` ${effect}`, ink: "dim" }];
    if (widthOf(next) <= width || line.length === 0) {
      line = next;
      continue;
    }
    lines.push(line);
    line = [
      { text: key, ink: "text" },
      { text: ` ${effect}`, ink: "dim" },
    ];
  }
  return [...lines, line].slice(0, 2);
}
