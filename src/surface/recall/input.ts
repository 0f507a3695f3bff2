/** One line of text with a cursor, as a person edits it: pure steps on a value. Moves by what a reader takes for a character. */
import { charactersOf } from "../width.ts";

/** As many as a query counts. */
export const MAX_INPUT_CHARS = 512;

export interface TextInput {
  readonly text: string;
  /** Offset in `text`, never inside a character. */
  readonly cursor: number;
}

export type InputStep =
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "start"
  | "end"
  | "deleteLeft"
  | "deleteRight"
  | "deleteWordLeft"
  | "deleteWordRight"
  | "deleteToStart"
  | "deleteToEnd";

export function inputOf(text: string): TextInput {
  return insert({ text: "", cursor: 0 }, text);
}

/** Inserts typed or pasted text as one line. */
export function insert({ text, cursor }: TextInput, added: string): TextInput {
  const room = Math.max(0, MAX_INPUT_CHARS - text.length);
  const line = added
    .replace(/[\s\p{Cc}]+/gu, " ")
    .slice(0, room)
    .replace(/[\ud800-\udbff]$/, "");
  return { text: text.slice(0, cursor) + line + text.slice(cursor), cursor: cursor + line.length };
}

export function step(input: TextInput, kind: InputStep): TextInput {
  const { text, cursor } = input;
  const target = targetOf(input, kind);
  if (!kind.startsWith("delete")) return { text, cursor: target };
  const from = Math.min(cursor, target);
  return { text: text.slice(0, from) + text.slice(Math.max(cursor, target)), cursor: from };
}

function targetOf({ text, cursor }: TextInput, kind: InputStep): number {
  const before = text.slice(0, cursor);
  const after = text.slice(cursor);
  switch (kind) {
    case "left":
    case "deleteLeft":
      return cursor - (charactersOf(before).at(-1)?.length ?? 0);
    case "right":
    case "deleteRight":
      return cursor + (charactersOf(after)[0]?.length ?? 0);
    case "wordLeft":
    case "deleteWordLeft":
      return cursor - (/\S*\s*$/.exec(before)?.[0].length ?? 0);
    case "wordRight":
    case "deleteWordRight":
      return cursor + (/^\s*\S*/.exec(after)?.[0].length ?? 0);
    case "start":
    case "deleteToStart":
      return 0;
    case "end":
    case "deleteToEnd":
      return text.length;
  }
}
