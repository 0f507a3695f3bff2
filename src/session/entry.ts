/** One physical line to the entries it holds. Reader, index and tools share this judgement. */
import type { EntryWarningCode, JsonObject } from "../model.ts";
import { describe } from "./header.ts";
import { isJsonObject, isNonEmptyString, parseJson } from "./json.ts";
import { decodeLine, type Line, MAX_LINE_BYTES } from "./lines.ts";
import { recoverEntries } from "./recover.ts";
import { parseTimestampMs } from "./time.ts";

/** The first version whose ids last: Pi replaces the ids of version 1 when it migrates a file. */
export const FIRST_ADDRESSED_VERSION = 2;

/** Ids are null in a file below version 2 and where the stored value is no non-empty string. */
export interface EntryLink {
  readonly id: string | null;
  readonly parentId: string | null;
}

export interface StoredEntry extends EntryLink {
  readonly timestamp: string;
  readonly timestampMs: number;
  readonly type: string;
  readonly messageRole: string | null;
  /** The whole parsed object, unchanged. */
  readonly raw: JsonObject;
}

export interface LineProblem {
  readonly code: EntryWarningCode;
  readonly reason: string;
}

/** What a line after the header holds: usually one entry, several when they are glued, none when it is skipped. */
export interface JudgedLine {
  readonly entries: readonly StoredEntry[];
  readonly problem?: LineProblem;
  /** Set when the line is skipped as an entry and still has an id: Pi's branches lead through it. */
  readonly skippedLink?: EntryLink;
}

export function judgeLine(line: Line, version: number): JudgedLine {
  if (line.isTooLong) {
    return skipped(
      "invalid_json",
      `line is longer than the ${MAX_LINE_BYTES} bytes that this runtime can hold`,
    );
  }
  const text = decodeLine(line);
  if (isBlank(text)) return skipped("invalid_json", "line is blank");
  const parsed = parseJson(text);
  if (parsed.ok) {
    const entry = parseEntry(parsed.value, version);
    if (typeof entry !== "string") return { entries: [entry] };
    const judged = skipped("invalid_entry", entry);
    return isJsonObject(parsed.value) ? { ...judged, skippedLink: linkOf(parsed.value, version) } : judged;
  }
  const recovered = version < FIRST_ADDRESSED_VERSION ? [] : recoverEntries(text);
  const entries = recovered
    .map((raw) => parseEntry(raw, version))
    .filter((entry) => typeof entry !== "string");
  if (entries.length === 0) return skipped("invalid_json", `line is not JSON: ${parsed.reason}`);
  const found = entries.length === 1 ? "one complete entry" : `${entries.length} complete entries`;
  const reason = `line break lost: ${found} recovered from a line that is not JSON as a whole`;
  return { entries, problem: { code: "recovered_entry", reason } };
}

/** The entry, or the reason why the value is none. */
function parseEntry(value: unknown, version: number): StoredEntry | string {
  if (!isJsonObject(value)) return `line must hold a JSON object, found ${describe(value)}`;
  const { type, timestamp } = value;
  if (!isNonEmptyString(type)) return `entry type must be a non-empty string, found ${describe(type)}`;
  if (type === "session") return "a further session header below line 1 is not an entry";
  const timestampMs = parseTimestampMs(timestamp);
  if (typeof timestamp !== "string" || timestampMs === undefined) {
    return `entry timestamp must be a string that parses as a time, found ${describe(timestamp)}`;
  }
  return {
    ...linkOf(value, version),
    timestamp,
    timestampMs,
    type,
    messageRole: type === "message" ? messageRoleOf(value["message"]) : null,
    raw: value,
  };
}

function linkOf(value: JsonObject, version: number): EntryLink {
  const { id, parentId } = version >= FIRST_ADDRESSED_VERSION ? value : {};
  return { id: isNonEmptyString(id) ? id : null, parentId: isNonEmptyString(parentId) ? parentId : null };
}

function messageRoleOf(message: unknown): string | null {
  return isJsonObject(message) && typeof message["role"] === "string" ? message["role"] : null;
}

/** Looks at one character before it looks at all. */
function isBlank(text: string): boolean {
  return text.charAt(0).trim() === "" && text.trim() === "";
}

function skipped(code: EntryWarningCode, reason: string): JudgedLine {
  return { entries: [], problem: { code, reason } };
}
