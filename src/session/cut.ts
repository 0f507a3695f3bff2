/**
 * Shortening text without breaking it: no cut ever falls inside a surrogate pair. Lengths are in UTF-16 code units,
 * which is what JavaScript, and a bound on serialized characters, count.
 */

/** Characters of a caller's value that an error message repeats. */
export const MAX_REPEATED_CHARS = 200;
/** Stands where the middle of a text was left out. */
export const GAP = " […] ";
/** Stands at the end of a text that was cut there, and for a text of which nothing fits. */
export const ELLIPSIS = "…";

/** The longest prefix of at most `maxChars` characters that splits no surrogate pair. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, boundaryAt(text, maxChars, -1));
}

/** The text, or its start and `…`, in at most `maxChars` characters. */
export function cutWithEllipsis(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : cutText(text, maxChars - ELLIPSIS.length) + ELLIPSIS;
}

/**
 * The text, or its two ends around `GAP`, in at most `maxChars` characters; `…` when no end fits. What a smaller cap
 * keeps, a larger one keeps too, so the largest cap that fits can be searched by halving.
 */
export function shortenMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = Math.max(0, maxChars - GAP.length);
  const head = boundaryAt(text, Math.ceil(kept / 2), -1);
  const tail = boundaryAt(text, text.length - Math.floor(kept / 2), 1);
  if (head === 0 && tail === text.length) return maxChars < 1 ? "" : ELLIPSIS;
  return text.slice(0, head) + GAP + text.slice(tail);
}

/** A copy that holds no memory of the longer text it was cut from, as a slice does. */
export function detached(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/** `at`, or one character on in `direction` when it would split a surrogate pair. */
function boundaryAt(text: string, at: number, direction: -1 | 1): number {
  const isSplit = isSurrogate(text, at - 1, 0xd800) && isSurrogate(text, at, 0xdc00);
  return isSplit ? at + direction : at;
}

/** True for a high half (`from` 0xd800) or a low half (0xdc00) at `index`. */
function isSurrogate(text: string, index: number, from: number): boolean {
  const unit = text.charCodeAt(index); // NaN outside the text
  return unit >= from && unit < from + 0x400;
}
