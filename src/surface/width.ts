/**
 * How many columns text takes on a terminal, and text cut, padded and broken to fit. Counts a character as Pi counts it
 * (Pi ends with an error when a line is too wide), without importing Pi. Text must have been made visible before.
 */
import { stripVTControlCharacters } from "node:util";

/** Unicode 17: East Asian wide and fullwidth forms, regional indicators, and emoji take two columns. */
const WIDE =
  /[\u1100-\u115f\u2329-\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u303e\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u3131-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247\u3250-\ua48c\ua490-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe52\ufe54-\ufe66\ufe68-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fe4}\u{16ff0}-\u{16ff6}\u{17000}-\u{18cd5}\u{18cff}-\u{18d1e}\u{18d80}-\u{18df2}\u{1aff0}-\u{1aff3}\u{1aff5}-\u{1affb}\u{1affd}-\u{1affe}\u{1b000}-\u{1b122}\u{1b132}\u{1b150}-\u{1b152}\u{1b155}\u{1b164}-\u{1b167}\u{1b170}-\u{1b2fb}\u{1d300}-\u{1d356}\u{1d360}-\u{1d376}\u{1f1e6}-\u{1f1ff}\u{1f200}\u{1f202}\u{1f210}-\u{1f219}\u{1f21b}-\u{1f22e}\u{1f230}-\u{1f231}\u{1f237}\u{1f23b}\u{1f240}-\u{1f248}\u{1f260}-\u{1f265}\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Marks for which terminals take a column of their own. */
const SPACING_MARK =
  /^[[\p{Spacing_Mark}--[\u1734\u302e\u302f]]\u065f\u0f7f\u102b\u102c\u1031\u1033-\u1035\u1038\u103a-\u103e]+$/v;
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\p{Cs}]+$/u;
const LEADING_INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\p{Cs}]+/u;
const REGIONAL_INDICATOR = /^[\u{1f1e6}-\u{1f1ff}]/u;
const MARK = /^\p{M}$/u;
const EMOJI = /^\p{RGI_Emoji}$/v;
/** Joined to the character before them, yet drawn beside it: half and full width forms, Thai and Lao AM. */
const BESIDE = /^[\uff00-\uffef\u0e33\u0eb3]$/u;
const PLAIN = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character each. */
export function charactersOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function columnsOfCharacter(character: string): number {
  if (PLAIN.test(character)) return character.length;
  if (SPACING_MARK.test(character)) return [...character].length;
  if (INVISIBLE.test(character)) return 0;
  if (EMOJI.test(character)) return 2;
  const [base = "", ...rest] = character.replace(LEADING_INVISIBLE, "");
  let columns = WIDE.test(base) ? 2 : 1;
  if (REGIONAL_INDICATOR.test(base)) return columns;
  let followsMark = false;
  for (const point of rest) {
    if (SPACING_MARK.test(point)) columns += 1;
    else if (!INVISIBLE.test(point) && (followsMark || BESIDE.test(point)))
      columns += WIDE.test(point) ? 2 : 1;
    followsMark = MARK.test(point) && !SPACING_MARK.test(point);
  }
  return columns;
}

/** Columns that `text` takes. */
export function columnsOf(text: string): number {
  const plain = text.includes("\u001b") ? stripVTControlCharacters(text) : text;
  if (PLAIN.test(plain)) return plain.length;
  return charactersOf(plain).reduce((sum, character) => sum + columnsOfCharacter(character), 0);
}

/** `text` in at most `columns` columns, cut at a character border and marked with an ellipsis. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return columns < 1 ? "" : `${takeColumns(text, columns - 1)}…`;
}

/** The longest start of `text` that takes at most `columns` columns. */
export function takeColumns(text: string, columns: number): string {
  let kept = "";
  let used = 0;
  for (const character of charactersOf(text)) {
    used += columnsOfCharacter(character);
    if (used > columns) break;
    kept += character;
  }
  return kept;
}

/** The longest end of `text` that takes at most `columns` columns. */
export function takeColumnsFromEnd(text: string, columns: number): string {
  let kept = "";
  let used = 0;
  for (const character of charactersOf(text).toReversed()) {
    used += columnsOfCharacter(character);
    if (used > columns) break;
    kept = character + kept;
  }
  return kept;
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
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

/**
 * One line of text in pieces of at most `columns` columns: broken at spaces, inside of a word only when no line could
 * hold it. Later pieces are indented as the first.
 */
export function wrapStrictly(text: string, columns: number): readonly string[] {
  if (columnsOf(text) <= columns) return [text];
  const indent = takeColumns(/^ */.exec(text)?.[0] ?? "", Math.min(columns >> 1, columns - 2));
  const pieces: string[] = [];
  let piece = indent;
  let used = indent.length;
  const next = () => {
    pieces.push(piece.trimEnd());
    piece = indent;
    used = indent.length;
  };
  for (const word of text.slice(indent.length).split(/(?<= )/)) {
    let rest = word;
    const fits = () => used + columnsOf(rest.trimEnd()) <= columns;
    if (!fits() && indent.length + columnsOf(rest.trimEnd()) <= columns) next();
    while (!fits()) {
      const start = takeColumns(rest, columns - used);
      // Nothing narrower than one character can be made of it.
      const taken = start || (piece === indent ? (charactersOf(rest)[0] ?? rest) : "");
      piece += taken;
      rest = rest.slice(taken.length);
      next();
    }
    piece += rest;
    used += columnsOf(rest);
  }
  return piece.trim() === "" && pieces.length > 0 ? pieces : [...pieces, piece.trimEnd()];
}
