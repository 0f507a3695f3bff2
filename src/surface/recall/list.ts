/** The list of the palette: two lines for each row, the selected one always among them. Pure. */

import type { Found } from "../found.ts";
import { ageLabel, projectLabel } from "../labels.ts";
import { visible } from "../visible.ts";
import { pad, takeColumns } from "../width.ts";
import { aroundMark, type Line, markedSpans, type Span, shown } from "./spans.ts";
import type { RecallState } from "./state.ts";

export const ROW_LINES = 2;
const AGE_COLUMNS = 4;
const MARK_COLUMNS = 2;

export interface ListLine {
  readonly line: Line;
  readonly isSelected: boolean;
}

/** Rows that fit into `height` lines. */
export function visibleRows(height: number): number {
  return Math.max(1, Math.floor(height / ROW_LINES));
}

/** At most `height` lines for `width` columns. */
export function listLines(
  state: RecallState,
  width: number,
  height: number,
  nowMs: number,
): readonly ListLine[] {
  const { rows, selected } = state;
  const count = visibleRows(height);
  const first = Math.max(0, Math.min(selected - Math.floor(count / 2), rows.length - count));
  return rows.slice(first, first + count).flatMap((row, i) => {
    const isSelected = first + i === selected;
    const lines = [headLine(row, isSelected, width, nowMs), snippetLine(row, width)];
    return lines.map((line) => ({ line, isSelected })).slice(0, height);
  });
}

function headLine(row: Found, isSelected: boolean, width: number, nowMs: number): Line {
  const projectColumns = Math.max(8, Math.min(22, Math.floor(width / 4)));
  const project = takeColumns(visible(projectLabel(row.cwd)), projectColumns);
  const facts = row.facts.join(", ");
  const title: Line =
    row.name === ""
      ? [shown(facts, "muted")]
      : [{ ...shown(row.name), isBold: true }, shown(`  ${facts}`, "dim")];
  const mark: Span = isSelected ? { text: "▸ ", ink: "accent" } : { text: "  " };
  const age: Span = { text: pad(ageLabel(row.timeMs, nowMs), AGE_COLUMNS), ink: "muted" };
  return [mark, age, { text: " " }, { text: project, ink: "mdLink" }, { text: "  " }, ...title];
}

function snippetLine({ snippet }: Found, width: number): Line {
  const indent = " ".repeat(MARK_COLUMNS + AGE_COLUMNS + 1);
  const oneLine = snippet.replace(/\s+/g, " ").trim();
  return [{ text: indent }, ...aroundMark(markedSpans(oneLine, "muted"), width - indent.length)];
}
