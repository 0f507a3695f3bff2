/**
 * Line 1 of a session file. Listing demands a complete header within a bounded line; reading entries only needs to
 * know that the file is a session and which version, so that a poor header never hides a readable file.
 */
import type { JsonObject } from "../model.ts";
import { isJsonObject, isNonEmptyString, parseJson } from "./json.ts";
import { bomLength, CR, LF } from "./lines.ts";
import { parseTimestampMs } from "./time.ts";

/** Bytes of line 1 before its LF that listing reads; a CR or a byte order mark counts. */
export const MAX_HEADER_LINE_BYTES = 4096;
/** Enough to see that a line of the maximal length ends, even by CR LF. */
export const HEADER_READ_BYTES = MAX_HEADER_LINE_BYTES + 2;

export interface SessionHeader {
  readonly id: string;
  readonly timestamp: string;
  readonly timestampMs: number;
  readonly cwd: string;
  readonly parentSessionPath?: string;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** A header, or why it is refused and the working directory that it names nevertheless. */
export type ListedHeader =
  | { readonly ok: true; readonly value: SessionHeader }
  | { readonly ok: false; readonly reason: string; readonly cwd?: unknown };

/** Judges the first `filled` bytes of a file, of which `HEADER_READ_BYTES` were asked for. */
export function parseListedHeader(buffer: Buffer, filled: number): ListedHeader {
  if (filled === 0) return refuse("file is empty");
  const lf = buffer.indexOf(LF);
  const isTerminated = lf !== -1 && lf < filled; // what lies behind `filled` is left from another file
  const end = isTerminated ? lf : filled;
  const line = buffer.toString("utf8", bomLength(buffer, end), end);
  const cr = line.indexOf("\r");
  const isLoneCr = cr !== -1 && (cr < line.length - 1 || !isTerminated);
  const bytes = isLoneCr ? buffer.indexOf(CR) : end;
  if (bytes > MAX_HEADER_LINE_BYTES) {
    return refuse(`first line is longer than ${MAX_HEADER_LINE_BYTES} bytes`);
  }
  const text = cr === -1 ? line : line.slice(0, cr);
  const parsed = parseHeaderLine(text);
  if (!parsed.ok) return parsed;
  const header = parseFields(parsed.value);
  return header.ok ? header : { ...header, cwd: parsed.value["cwd"] };
}

function parseFields({ id, timestamp, cwd, parentSession }: JsonObject): Result<SessionHeader> {
  if (!isNonEmptyString(id)) return refuse(`header id must be a non-empty string, found ${describe(id)}`);
  if (!isNonEmptyString(cwd)) return refuse(`header cwd must be a non-empty string, found ${describe(cwd)}`);
  const timestampMs = parseTimestampMs(timestamp);
  if (typeof timestamp !== "string" || timestampMs === undefined) {
    return refuse(`header timestamp must be a string that parses as a time, found ${describe(timestamp)}`);
  }
  if (parentSession !== undefined && typeof parentSession !== "string") {
    return refuse(`header parentSession must be a string, found ${describe(parentSession)}`);
  }
  const value = parentSession
    ? { id, timestamp, timestampMs, cwd, parentSessionPath: parentSession }
    : { id, timestamp, timestampMs, cwd };
  return { ok: true, value };
}

/** The file's format version, when line 1 shows that it is a Pi session. `text` is undefined for an empty file. */
export function parseFileVersion(text: string | undefined): Result<number> {
  if (text === undefined) return refuse("file is empty");
  const parsed = parseHeaderLine(text);
  if (!parsed.ok) return parsed;
  const version = "version" in parsed.value ? parsed.value["version"] : 1;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    return refuse(`header version must be a positive integer, found ${describe(version)}`);
  }
  return { ok: true, value: version };
}

/** What line 1 names as working directory, whatever else is wrong with it. */
export function headerCwdOf(text: string): unknown {
  const parsed = parseHeaderLine(text);
  return parsed.ok ? parsed.value["cwd"] : undefined;
}

function parseHeaderLine(text: string): Result<JsonObject> {
  if (text.trim() === "") return refuse("first line is blank");
  const parsed = parseJson(text);
  if (!parsed.ok) return refuse(`first line is not JSON: ${parsed.reason}`);
  if (!isJsonObject(parsed.value))
    return refuse(`first line is not a JSON object but ${describe(parsed.value)}`);
  const type = parsed.value["type"];
  if (type !== "session") return refuse(`first line must have the type "session", found ${describe(type)}`);
  return { ok: true, value: parsed.value };
}

const MAX_SHOWN_CHARS = 80;

/**
 * A value as a warning shows it: its kind, or the value itself when that is short. A copy, never a slice: a slice would
 * keep the whole value in memory for as long as the warning lives.
 */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return typeof value === "function" ? "a function" : String(value);
  const isCut = value.length > MAX_SHOWN_CHARS;
  return JSON.stringify(isCut ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
