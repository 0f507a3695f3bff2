/**
 * The piece of a message that shows why it was found. Matches are found in the folded text and shown in the raw one,
 * each between « and »; what could drive or deceive a display is left out.
 */
import { fold } from "../index/fold.ts";
import { bestStretch, type Occurrence, STRETCH_CHARS } from "./closeness.ts";
import { isInsidePair, shownText } from "./shownText.ts";
import type { Span } from "./terms.ts";

/** How far a cut moves to stand between words. */
const MAX_WORD_CUT_CHARS = 24;
/** Raw text is passed over in steps of this size up to the snippet. */
const STEP_CHARS = 4096;

/**
 * @param sorted occurrences in `fold(raw)`, as `occurrencesIn` gives them; without any, the beginning is shown
 * @param weights what each term is worth
 */
export function snippetOf(
  raw: string,
  folded: string,
  sorted: readonly Occurrence[],
  weights: readonly number[],
): string {
  const window = windowAround(folded, bestStretch(sorted, weights));
  const spans = disjoint(sorted, window);
  const borders = [window.start, ...spans.flatMap(({ start, end }) => [start, end]), window.end];
  const [first = 0, ...rest] = rawOffsets(raw, borders);
  let shown = "";
  let from = first;
  for (const [i, to] of rest.entries()) {
    const piece = shownText(raw.slice(from, to));
    shown += i % 2 === 1 && piece !== "" ? `«${piece}»` : piece;
    from = to;
  }
  return shown.replace(/ {2,}/g, " ").trim();
}

/** The stretch with as much text on both sides as there is room for, cut between words where one is near. */
function windowAround(folded: string, stretch: Span): Span {
  const room = STRETCH_CHARS - (stretch.end - stretch.start);
  const rest = folded.length - stretch.end;
  // What one side cannot use, the other may.
  const before = Math.min(stretch.start, Math.max(room - rest, Math.floor(room / 2)));
  const start = stretch.start - before;
  const end = Math.min(folded.length, start + STRETCH_CHARS);
  return { start: cutStart(folded, start, stretch.start), end: cutEnd(folded, end, stretch.end) };
}

/** The nearest beginning of a word at or behind `at`, no farther than `limit`. */
function cutStart(folded: string, at: number, limit: number): number {
  if (at === 0) return 0;
  const space = folded.indexOf(" ", at - 1);
  if (space !== -1 && space < limit && space - at < MAX_WORD_CUT_CHARS) return space + 1;
  return isInsidePair(folded, at) ? at + 1 : at;
}

/** The nearest end of a word at or before `at`, no nearer than `limit`. */
function cutEnd(folded: string, at: number, limit: number): number {
  if (at === folded.length) return at;
  const space = folded.lastIndexOf(" ", at);
  if (space >= limit && at - space < MAX_WORD_CUT_CHARS) return space;
  return isInsidePair(folded, at) ? at - 1 : at;
}

/** The matches inside the window, those that overlap or are part of each other as one. */
function disjoint(sorted: readonly Occurrence[], window: Span): readonly Span[] {
  const spans: { start: number; end: number }[] = [];
  for (const match of sorted) {
    const start = Math.max(match.start, window.start);
    const end = Math.min(match.end, window.end);
    if (start >= end) continue;
    const last = spans.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

/**
 * Where the characters at ascending offsets of `fold(raw)` stand in `raw`. What folds to nothing belongs to the
 * character before it, so that a letter keeps its marks.
 */
function rawOffsets(raw: string, foldedOffsets: readonly number[]): readonly number[] {
  const offsets: number[] = [];
  let at = 0;
  let foldedAt = 0;
  let isAfterSpace = false;
  for (const wanted of foldedOffsets) {
    while (at < raw.length && foldedAt <= wanted) {
      const isFar = wanted - foldedAt > STEP_CHARS;
      const width = isFar ? STEP_CHARS : (raw.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      const end = isFar && isInsidePair(raw, at + width) ? at + width + 1 : at + width;
      const piece = fold(raw.slice(at, end));
      // A run of white space that goes on is no further space.
      const length = piece.length - (isAfterSpace && piece.startsWith(" ") ? 1 : 0);
      if (foldedAt === wanted && length > 0) break;
      foldedAt += length;
      if (piece !== "") isAfterSpace = piece.endsWith(" ");
      at = end;
    }
    offsets.push(at);
  }
  return offsets;
}
