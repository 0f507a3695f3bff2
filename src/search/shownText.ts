/** A piece of a message as a line of a list: nothing in it can drive a display or hide other text. */

/** C0 and C1 controls, bidirectional controls, invisible format characters but the joiners, tags, lone surrogates. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;
/** Marks piled on one letter: they cost no room in a folded text, and no script needs more than four. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** White space, line breaks included, as one space; unsafe characters left out. */
export function shownText(text: string): string {
  return text
    .replace(/[\s\0]+/g, " ")
    .replace(UNSAFE, "")
    .replace(PILED_MARKS, "$1");
}

/** True when a cut at `at` would split a surrogate pair. */
export function isInsidePair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
