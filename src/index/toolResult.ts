/**
 * Tool results are the bulk of a session and none of it is indexed, so a line that Pi wrote as one is not parsed. Only
 * when nothing else can hide in it: it begins and ends as Pi begins and ends it (of a repeated key the last counts) and
 * holds no second message.
 */
import type { Line } from "../session/lines.ts";
import { parseTimestampMs } from "../session/time.ts";

const BEGINNING =
  /^\{"type":"message","id":"[^"\\]+","parentId":(?:null|"[^"\\]+"),"timestamp":"([^"\\]+)","message":\{"role":"toolResult"/;
const END = /"isError":(?:true|false)(?:,"\w+":\d+)*\}\}$/;
/** Some numbers, of which the timestamp is one. */
const END_BYTES = 160;
/** Ids of 36 characters and a time fit well. */
const BEGINNING_BYTES = 320;
const FIRST_BYTES = Buffer.from('{"type":"message","id":"');
const SECOND_MESSAGE = Buffer.from('{"type":"message"');
export const CLOSING_BRACE = 0x7d;

export interface ToolResultLine {
  readonly timestamp: string;
  readonly timestampMs: number;
}

/** What is known of the line without parsing it; undefined when it must be parsed. */
export function skimToolResult({ buffer, start, end, isTooLong }: Line): ToolResultLine | undefined {
  if (isTooLong || buffer[end - 1] !== CLOSING_BRACE || end - start < FIRST_BYTES.length) return undefined;
  if (buffer.compare(FIRST_BYTES, 0, FIRST_BYTES.length, start, start + FIRST_BYTES.length) !== 0)
    return undefined;
  const timestamp = BEGINNING.exec(
    buffer.toString("latin1", start, Math.min(end, start + BEGINNING_BYTES)),
  )?.[1];
  const timestampMs = parseTimestampMs(timestamp);
  if (timestamp === undefined || timestampMs === undefined) return undefined;
  if (!END.test(buffer.toString("latin1", Math.max(start, end - END_BYTES), end))) return undefined;
  const isGlued = buffer.subarray(start + 1, end).includes(SECOND_MESSAGE);
  return isGlued ? undefined : { timestamp, timestampMs };
}
