/** What the index keeps of one session file besides its messages, and how each line changes it. */
import type { JsonObject } from "../model.ts";
import type { LineProblem, StoredEntry } from "../session/entry.ts";
import { parseFileVersion, type Result } from "../session/header.ts";
import { isJsonObject, isNonEmptyString, parseJson } from "../session/json.ts";
import { parseTimestampMs } from "../session/time.ts";
import type { KindCode } from "./schema.ts";
import { ASSISTANT_MESSAGE, USER_MESSAGE } from "./schema.ts";

/** More are counted and not kept. */
export const MAX_KEPT_PROBLEMS = 20;
const MAX_REASON_CHARS = 300;
const PREVIEW_CHARS = 200;

export interface Problem extends LineProblem {
  readonly lineNo: number;
}

/** The roles that read and scroll count as messages; `hookMessage` is what version 2 called `custom`. */
const MESSAGE_ROLES = new Set(["user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage"]);

/** A file that is being read. Starts as stored when an append is read. */
export interface FileRecord {
  version: number;
  sessionId: string | null;
  startedAt: string | null;
  startedAtMs: number | null;
  cwd: string | null;
  parentSession: string | null;
  name: string | null;
  lastActivity: string | null;
  lastActivityMs: number | null;
  messageCount: number;
  preview: string | null;
  problemCount: number;
  headerBytes: number;
  reachedBytes: number;
  nextLineNo: number;
  isOpenEnded: boolean;
}

/** Judges line 1 as `session_entries` does; its other fields are taken where they are as Pi writes them. */
export function recordOfHeader(text: string): Result<FileRecord> {
  const version = parseFileVersion(text);
  if (!version.ok) return version;
  const parsed = parseJson(text);
  const header: JsonObject = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  const startedAtMs = parseTimestampMs(header["timestamp"]) ?? null;
  const stringOf = (name: string) => (isNonEmptyString(header[name]) ? header[name] : null);
  const value: FileRecord = {
    version: version.value,
    sessionId: stringOf("id"),
    startedAt: startedAtMs === null ? null : stringOf("timestamp"),
    startedAtMs,
    cwd: stringOf("cwd"),
    parentSession: stringOf("parentSession"),
    name: null,
    lastActivity: null,
    lastActivityMs: null,
    messageCount: 0,
    preview: null,
    problemCount: 0,
    headerBytes: 0,
    reachedBytes: 0,
    nextLineNo: 1,
    isOpenEnded: false,
  };
  return { ok: true, value };
}

/** The kind of searchable text that an entry may hold. */
export function kindOfEntry(entry: StoredEntry): KindCode | undefined {
  if (entry.messageRole === "user") return USER_MESSAGE;
  return entry.messageRole === "assistant" ? ASSISTANT_MESSAGE : undefined;
}

/** Takes an entry into account. `text` is its searchable text. */
export function noteEntry(record: FileRecord, entry: StoredEntry, text: string | null): void {
  noteActivity(record, entry.timestamp, entry.timestampMs);
  const { type, messageRole } = entry;
  if (type === "custom_message" || (messageRole !== null && MESSAGE_ROLES.has(messageRole))) {
    record.messageCount++;
  }
  if (type === "session_info") {
    const name = entry.raw["name"];
    record.name = isNonEmptyString(name) ? name : null;
  }
  if (record.preview === null && messageRole === "user" && text !== null) record.preview = previewOf(text);
}

export function noteActivity(record: FileRecord, timestamp: string, timestampMs: number): void {
  if (record.lastActivityMs !== null && timestampMs < record.lastActivityMs) return;
  record.lastActivity = timestamp;
  record.lastActivityMs = timestampMs;
}

export function boundedReason(reason: string): string {
  return withoutHalfPair(reason.slice(0, MAX_REASON_CHARS));
}

/** The first words of a text on one line; null when there are none. */
function previewOf(text: string): string | null {
  const shown = text
    .slice(0, 4 * PREVIEW_CHARS)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return shown === "" ? null : withoutHalfPair(shown.slice(0, PREVIEW_CHARS).trimEnd());
}

function withoutHalfPair(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}
