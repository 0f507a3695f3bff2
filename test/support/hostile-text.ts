/** Text that would drive, deceive or blind a terminal if it were printed as it is. */
import fc from "fast-check";

export const ATTACKS = [
  "\u001b[31mred",
  "\u001b[2J\u001b[H",
  "\u001b]0;title\u0007",
  "\u001b]52;c;Y2xpcA==\u001b\\",
  "\u001bP+q544e\u001b\\",
  "\u009b31m",
  "\u009d0;title\u009c",
  "\u0090q\u009c",
  "a\rb",
  "a\bb",
  "a\u007fb",
  "a\u0000b",
  "\u0007",
  "\u000e\u000f",
  "a\u202etxt.exe",
  "\u2066a\u2069\u2067b",
  "\u200f\u061c",
  "a\u200bb\u200cc\u200dd\ufeff",
  "a\u00adb\u2060c\u180ed",
  "a\u2028b\u2029c",
  "\u{e0041}\u{e0042}\u{e007f}",
  "\ufff9a\ufffab\ufffb",
  "\ud800",
  "\udc00x",
  "a\nb\tc\u0085d\u000be\u000c",
] as const;

export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...ATTACKS),
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom("日本", "é", "👩‍👩‍👧"),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(""));

/** What a file name can hold. */
export const hostileName = hostileText
  .map((text) =>
    text
      .replace(/[/\0]/g, "_")
      .slice(0, 40)
      .replace(/\p{Cs}/gu, "_"),
  )
  .filter((name) => Buffer.byteLength(name) < 150 && !/^\.*$/.test(name));
