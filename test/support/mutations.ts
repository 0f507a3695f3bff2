/** A good session file, and what can happen to its bytes. */
import fc from "fast-check";
import { entry, fileOf, header, userMessage } from "./session-lines.ts";

/** How often LF, CRLF or a lone CR ends a line, and once more for a last line without one. */
export function countLines(bytes: Buffer): number {
  const text = bytes.toString("latin1");
  return text === "" ? 0 : text.split(/\r\n|\r|\n/).length - (/[\r\n]$/.test(text) ? 1 : 0);
}

export const good = Buffer.from(
  fileOf(
    header(),
    userMessage("a", null, 'say "hi" {"type":"custom"} \\ \u2028 é😀'),
    entry("b", "a", {
      type: "message",
      message: { role: "assistant", content: [{ type: "text", text: "x" }] },
    }),
    entry("__proto__", "b", { constructor: { prototype: 1 }, n: 1e300 }),
    entry("b", "__proto__"),
  ),
);
const place = fc.nat(good.length);
const piece = fc.oneof(
  fc.constantFrom(
    "\0\0\0\0",
    "\ufeff",
    "\r",
    "\r\n",
    "\n",
    "\u2028",
    '"',
    "{",
    "}",
    "\\",
    header(),
    entry("c", "b"),
    "[".repeat(5000),
  ),
  fc.uint8Array({ minLength: 1, maxLength: 4 }),
);
export const mutation = fc.oneof(
  fc.record({ cut: place }),
  fc.record({ remove: place, count: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ insert: place, piece }),
  fc.record({ flip: fc.nat(good.length - 1), byte: fc.integer({ min: 0, max: 255 }) }),
);

export function mutate(
  bytes: Buffer,
  change: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  if ("cut" in change) return bytes.subarray(0, change.cut);
  if ("remove" in change) {
    return Buffer.concat([bytes.subarray(0, change.remove), bytes.subarray(change.remove + change.count)]);
  }
  if ("insert" in change) {
    const { insert, piece: added } = change;
    return Buffer.concat([bytes.subarray(0, insert), Buffer.from(added as string), bytes.subarray(insert)]);
  }
  const flipped = Buffer.from(bytes);
  if (change.flip < flipped.length) flipped[change.flip] = change.byte;
  return flipped;
}
