/** Text from sessions as it may be shown: characters that could drive or deceive a display become visible escapes. */

/**
 * Controls, format characters (bidirectional ones among them), line and paragraph separators, lone surrogates, and what
 * a display ignores and so could hide text.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Chooses how the character before it looks, as in many emoji; hides nothing. */
const EMOJI_PRESENTATION = "\ufe0f";
const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of safe text: every unsafe character, line breaks included, as `\n`, `\u001b` or `\u{e0001}`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (char) => {
    if (char === EMOJI_PRESENTATION) return char;
    const code = char.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return NAMED[char] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`);
  });
}
