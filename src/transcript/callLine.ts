/**
 * Tool calls as an assistant message shows them: one short line each. Arguments are written only as far as the line
 * reaches, so neither their size nor their nesting costs anything.
 */
import type { JsonObject, JsonValue } from "../model.ts";
import { cutText, cutWithEllipsis } from "../session/cut.ts";
import { isJsonObject, isNonEmptyString } from "../session/json.ts";

export const MAX_CALL_LINE_CHARS = 200;

/** `→ bash {"command":"ls"}`, at most `MAX_CALL_LINE_CHARS` long. */
export function callLineOf(call: JsonObject): string {
  const name = isNonEmptyString(call["name"]) ? call["name"] : "unnamed tool";
  const words = cutText(name, MAX_CALL_LINE_CHARS).replace(/\s+/g, " ");
  const args = call["arguments"];
  const line = args === undefined ? `→ ${words}` : `→ ${words} ${jsonStart(args, MAX_CALL_LINE_CHARS)}`;
  return cutWithEllipsis(line, MAX_CALL_LINE_CHARS);
}

/** `JSON.stringify(value)`, or more than `maxChars` characters of its start. */
export function jsonStart(value: JsonValue, maxChars: number): string {
  // A key or string is cut before it is written; a level that is opened has written a character, so depth is bounded.
  const text = (string: string) => JSON.stringify(cutText(string, maxChars + 1));
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  let written = open ?? "";
  let isFirst = true;
  for (const [key, item] of membersOf(value)) {
    if (written.length > maxChars) return written;
    if (!isFirst) written += ",";
    isFirst = false;
    if (key !== undefined) written += `${text(key)}:`;
    if (written.length <= maxChars) written += jsonStart(item, maxChars - written.length);
  }
  return written + close;
}

function* membersOf(value: JsonObject | readonly JsonValue[]): Generator<[string | undefined, JsonValue]> {
  if (isJsonObject(value)) {
    for (const key in value) if (Object.hasOwn(value, key)) yield [key, value[key] ?? null];
  } else {
    for (const item of value) yield [undefined, item];
  }
}
