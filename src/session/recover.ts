/**
 * Entries glued together by a lost line break: `AB`, or the torn start of one followed by a complete one. A line
 * that does not parse is walked once from left to right. Wherever the grammar breaks, another object may begin;
 * a complete object counts when nothing behind it shows that it is a part of another, and when it is an entry.
 */
import type { JsonObject } from "../model.ts";
import { isJsonObject, isNonEmptyString, parseJson } from "./json.ts";
import { parseTimestampMs } from "./time.ts";

/**
 * The complete entries that stand unescaped in `line`, in order; empty when there are none or when the last one does
 * not end at the line's end. Time is linear in the line's length: a walk starts at most two characters before the
 * place where the one before it broke off.
 */
export function recoverEntries(line: string): readonly JsonObject[] {
  const recovered: JsonObject[] = [];
  let lastEnd = 0;
  let start = line.indexOf('{"');
  while (start !== -1) {
    const { stoppedAt, lastClosed } = walkObject(line, start);
    // Only the object that closed last can touch the place where the walk stopped.
    const behind = lastClosed === undefined ? -1 : skipSpace(line, lastClosed.end);
    if (lastClosed !== undefined && behind >= stoppedAt && !continuesEnclosing(line[behind])) {
      const entry = parseAddressedEntry(line.slice(lastClosed.start, lastClosed.end));
      if (entry !== undefined) {
        recovered.push(entry);
        lastEnd = behind;
      }
    }
    start = line.indexOf('{"', Math.max(start + 1, stoppedAt - 2));
  }
  return lastEnd === line.length ? recovered : [];
}

function parseAddressedEntry(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { id, parentId, timestamp, type } = parsed.value;
  const isAddressed = isNonEmptyString(id) && (parentId === null || isNonEmptyString(parentId));
  const isEntry = isNonEmptyString(type) && type !== "session" && parseTimestampMs(timestamp) !== undefined;
  return isAddressed && isEntry ? parsed.value : undefined;
}

interface Walk {
  /** Where the outermost object ended, the grammar broke, or the line ended. */
  readonly stoppedAt: number;
  readonly lastClosed: { readonly start: number; readonly end: number } | undefined;
}

type Expected = "key" | "key-or-close" | "colon" | "value" | "value-or-close" | "comma-or-close";

/** Follows JSON's structure from the `{` at `start`. Strings and literals are checked later, by the real parser. */
function walkObject(line: string, start: number): Walk {
  const openAt: number[] = [];
  let lastClosed: Walk["lastClosed"];
  let expected: Expected = "value";
  let at = start;
  while (at < line.length) {
    at = skipSpace(line, at);
    const char = line[at];
    const takesValue: boolean = expected === "value" || expected === "value-or-close";
    if (takesValue && (char === "{" || char === "[")) {
      openAt.push(at);
      expected = char === "{" ? "key-or-close" : "value-or-close";
      at++;
    } else if (char === "}" || char === "]") {
      const opened = openAt.at(-1);
      if (opened === undefined || expected === "key" || expected === "colon" || expected === "value") break;
      if ((line[opened] === "{") !== (char === "}")) break;
      openAt.pop();
      at++;
      if (char === "}") lastClosed = { start: opened, end: at };
      if (openAt.length === 0) break;
      expected = "comma-or-close";
    } else if (char === '"' && (takesValue || expected === "key" || expected === "key-or-close")) {
      at = stringEnd(line, at);
      expected = takesValue ? "comma-or-close" : "colon";
    } else if (char === ":" && expected === "colon") {
      expected = "value";
      at++;
    } else if (char === "," && expected === "comma-or-close") {
      expected = line[openAt.at(-1) ?? start] === "{" ? "key" : "value";
      at++;
    } else if (takesValue && literalEnd(line, at) > at) {
      at = literalEnd(line, at);
      expected = "comma-or-close";
    } else {
      break;
    }
  }
  return { stoppedAt: at, lastClosed };
}

/** Position behind the closing quote of the string that opens at `open`, or the line's length. */
function stringEnd(line: string, open: number): number {
  let from = open + 1;
  for (;;) {
    const quote = line.indexOf('"', from);
    if (quote === -1) return line.length;
    let backslashes = 0;
    while (line[quote - 1 - backslashes] === "\\" && quote - 1 - backslashes > open) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

function skipSpace(line: string, from: number): number {
  let at = from;
  while (line[at] === " " || line[at] === "\t") at++;
  return at;
}

function literalEnd(line: string, from: number): number {
  const literal = /[-+.0-9A-Za-z]*/y;
  literal.lastIndex = from;
  literal.test(line);
  return literal.lastIndex;
}

/** True for what can only follow a value inside an object or array. */
function continuesEnclosing(char: string | undefined): boolean {
  return char !== undefined && ',:]}"'.includes(char);
}
