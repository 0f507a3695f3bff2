/**
 * What a key means in the palette, and how keys are named in its footer. Pi's own bindings decide both; no key of its
 * own, so that whoever changed Pi's keys finds them here too.
 */
import type { KeybindingsManager } from "@earendil-works/pi-coding-agent";
import type { InputStep } from "./input.ts";

export type Keybindings = Pick<KeybindingsManager, "matches" | "getKeys">;
type Binding = Parameters<Keybindings["getKeys"]>[0];

/** What ends the palette. */
export type Ending =
  | { readonly kind: "resume" }
  | { readonly kind: "reference" }
  | { readonly kind: "close" };

export type Editing =
  | { readonly kind: "move"; readonly by: number }
  | { readonly kind: "page"; readonly by: number }
  | { readonly kind: "scope" }
  | { readonly kind: "input"; readonly step: InputStep }
  | { readonly kind: "text"; readonly text: string };

const REFERENCE: readonly Binding[] = ["app.message.followUp", "tui.input.newLine"];

/** In this order: a key that several actions have means the first. */
const MEANINGS: readonly (readonly [readonly Binding[], Editing | Ending])[] = [
  [["tui.select.cancel"], { kind: "close" }],
  [["tui.select.confirm"], { kind: "resume" }],
  [REFERENCE, { kind: "reference" }],
  [["tui.input.tab"], { kind: "scope" }],
  [["tui.select.up"], { kind: "move", by: -1 }],
  [["tui.select.down"], { kind: "move", by: 1 }],
  [["tui.select.pageUp"], { kind: "page", by: -1 }],
  [["tui.select.pageDown"], { kind: "page", by: 1 }],
  [["tui.editor.deleteCharBackward"], { kind: "input", step: "deleteLeft" }],
  [["tui.editor.deleteCharForward"], { kind: "input", step: "deleteRight" }],
  [["tui.editor.deleteWordBackward"], { kind: "input", step: "deleteWordLeft" }],
  [["tui.editor.deleteWordForward"], { kind: "input", step: "deleteWordRight" }],
  [["tui.editor.deleteToLineStart"], { kind: "input", step: "deleteToStart" }],
  [["tui.editor.deleteToLineEnd"], { kind: "input", step: "deleteToEnd" }],
  [["tui.editor.cursorWordLeft"], { kind: "input", step: "wordLeft" }],
  [["tui.editor.cursorWordRight"], { kind: "input", step: "wordRight" }],
  [["tui.editor.cursorLeft"], { kind: "input", step: "left" }],
  [["tui.editor.cursorRight"], { kind: "input", step: "right" }],
  [["tui.editor.cursorLineStart"], { kind: "input", step: "start" }],
  [["tui.editor.cursorLineEnd"], { kind: "input", step: "end" }],
];

/** Undefined for a key that means nothing here. */
export function meaningOf(data: string, keybindings: Keybindings): Editing | Ending | undefined {
  for (const [bindings, meaning] of MEANINGS) {
    if (bindings.some((binding) => keybindings.matches(data, binding))) return meaning;
  }
  const text = typedText(data);
  return text === undefined ? undefined : { kind: "text", text };
}

/** Code point, shifted code point, modifiers of a key as terminals with the Kitty protocol report it. */
const KITTY_KEY = /^\u001b\[(\d+)(?::(\d*))?(?::\d+)?(?:;(\d+)(?::\d+)?)?(?:;[\d:]*)?u$/;
const SHIFT = 1;
const CAPS_AND_NUM_LOCK = 64 + 128;

function typedText(data: string): string | undefined {
  const kitty = KITTY_KEY.exec(data);
  if (kitty !== null) {
    const modifiers = (Number(kitty[3] || 1) - 1) & ~CAPS_AND_NUM_LOCK;
    const code = modifiers === SHIFT && kitty[2] ? Number(kitty[2]) : Number(kitty[1]);
    const isText =
      modifiers <= SHIFT && code >= 32 && code <= 0x10ffff && !(code >= 0xe000 && code <= 0xf8ff);
    return isText && code !== 127 ? String.fromCodePoint(code) : undefined;
  }
  if (data.includes("\u001b") || data === "" || /^\p{Cc}$/u.test(data)) return undefined;
  return data;
}

const SHORT_NAMES: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  pageUp: "pgup",
  pageDown: "pgdn",
  escape: "esc",
  ...(process.platform === "darwin" ? { alt: "option" } : {}),
};

/** The first key of a binding, as short as it can be said; an empty string when it has none. */
export function keyName(keybindings: Keybindings, ...bindings: readonly Binding[]): string {
  const key = bindings.map((binding) => keybindings.getKeys(binding)[0]).find((name) => name !== undefined);
  return (key ?? "")
    .split("+")
    .map((part) => SHORT_NAMES[part] ?? part)
    .join("+");
}

/** What the footer says: key and effect; effects whose keys were taken away are left out. */
export function keyHints(keybindings: Keybindings): readonly (readonly [key: string, effect: string])[] {
  const pair = (a: Binding, b: Binding) =>
    [keyName(keybindings, a), keyName(keybindings, b)].filter((name) => name !== "").join("/");
  const hints: readonly (readonly [string, string])[] = [
    [keyName(keybindings, "tui.select.confirm"), "resume"],
    [keyName(keybindings, ...REFERENCE), "insert reference"],
    [keyName(keybindings, "tui.input.tab"), "scope"],
    [pair("tui.select.up", "tui.select.down"), "move"],
    [pair("tui.select.pageUp", "tui.select.pageDown"), "page"],
    [keyName(keybindings, "tui.select.cancel"), "close"],
  ];
  return hints.filter(([key]) => key !== "");
}
