/**
 * An entry's own words: a projection, never a serialization. Thinking, tool calls, images and shell output are left
 * out; nothing is trimmed or cut; no shape of input throws.
 */
import type { JsonObject, JsonValue } from "../model.ts";
import { isJsonObject, isNonEmptyString } from "./json.ts";

/** The projection of one stored entry; null when it has no words. */
export function textOf(entry: JsonObject): string | null {
  switch (entry["type"]) {
    case "message":
      return isJsonObject(entry["message"]) ? messageTextOf(entry["message"]) : null;
    case "custom_message":
      return contentTextOf(entry["content"]);
    case "compaction":
    case "branch_summary":
      return stringOrNull(entry["summary"]);
    case "context_edit":
      return isJsonObject(entry["replacement"]) ? contentTextOf(entry["replacement"]["content"]) : null;
    case "session_info":
      return stringOrNull(entry["name"]);
    case "usage":
      return stringOrNull(entry["note"]);
    case "label":
      return stringOrNull(entry["label"]);
    default:
      return null;
  }
}

function messageTextOf(message: JsonObject): string | null {
  switch (message["role"]) {
    case "user":
    case "assistant":
    case "toolResult":
    case "custom":
    case "hookMessage": // what version 2 called `custom`
      return contentTextOf(message["content"]);
    case "system":
      return systemTextOf(message);
    case "bashExecution":
      return stringOrNull(message["command"]);
    case "branchSummary":
    case "compactionSummary":
      return stringOrNull(message["summary"]);
    default:
      return null;
  }
}

/** A string, or the `text` blocks of an array joined by line breaks. */
export function contentTextOf(content: JsonValue | undefined): string | null {
  if (!Array.isArray(content)) return stringOrNull(content);
  const texts: string[] = [];
  for (const block of content) {
    if (isJsonObject(block) && block["type"] === "text" && isNonEmptyString(block["text"])) {
      texts.push(block["text"]);
    }
  }
  return texts.length > 0 ? texts.join("\n") : null;
}

/** That message's own state, not the effective prompt; Pi's `getSystemMessageText` on well-formed messages. */
function systemTextOf(message: JsonObject): string | null {
  const parts: string[] = [];
  const content = contentTextOf(message["content"]);
  if (content !== null) parts.push(content);
  const sections = message["sections"];
  for (const section of isJsonObject(sections) ? Object.values(sections) : []) {
    if (isNonEmptyString(section)) parts.push(section);
  }
  return parts.length > 0 ? parts.join("\n\n") : null;
}

function stringOrNull(value: unknown): string | null {
  return isNonEmptyString(value) ? value : null;
}
