/** Text from sessions as it may be shown: characters that could drive or deceive a display become visible escapes. */

/**
 * C0 and C1 controls, line and paragraph separators, soft hyphen, bidirectional controls, zero-width and other
 * invisible format characters, tags, and lone surrogates.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;
const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of safe text: every unsafe character, line breaks included, as `\n`, `\u001b` or `\u{e0001}`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return NAMED[char] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`);
  });
}
