/** Owns the shape of one sample header and the parts that all of them share. */
import type { HeaderFault, JsonObject, RejectKind } from "./model.ts";
import type { LineBreak } from "./transcript.ts";
import { headerOf } from "./transcript.ts";

export const CWD = "/srv/headers";
export const BOM = "\uFEFF";

export interface HeaderCase {
  readonly name: string;
  readonly rule: string;
  readonly header: JsonObject | string | Buffer;
  readonly eol?: LineBreak;
  /** Absent: the listing returns a row. */
  readonly fault?: HeaderFault;
  /** Absent: session_entries reads the file. */
  readonly reject?: RejectKind;
  readonly version?: number;
  /** The file is the header line and nothing else. */
  readonly alone?: true;
  readonly timestamp?: string;
  readonly parentSession?: string;
  readonly note?: string;
}

export function timeOf(name: string): string {
  const minute = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 60;
  return `2026-07-01T08:${String(minute).padStart(2, "0")}:00.000Z`;
}

export function header(name: string, extra: JsonObject = {}): JsonObject {
  return headerOf(name, timeOf(name), CWD, extra);
}

/** The header without the named field. */
export function without(name: string, field: string): JsonObject {
  return Object.fromEntries(Object.entries(header(name)).filter(([key]) => key !== field));
}
