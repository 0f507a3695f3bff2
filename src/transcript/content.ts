/**
 * A message as it is shown: who spoke, and the visible text. No thinking; images as a label; an assistant message ends
 * with its tool calls. Text is kept only as far as an answer can ever show it, and holds no raw control characters.
 */
import type { JsonObject, JsonValue, MessageRole } from "../model.ts";
import { cutText, cutWithEllipsis, detached, shortenMiddle } from "../session/cut.ts";
import type { StoredEntry } from "../session/entry.ts";
import { isJsonObject, isNonEmptyString } from "../session/json.ts";
import { callLineOf } from "./callLine.ts";

/** No answer can show more of one message: the whole serialized result is bounded by as many. */
export const MAX_CONTENT_CHARS = 50_000;
const MAX_MIME_TYPE_CHARS = 100;
const MAX_FAILURE_CHARS = 200;

/** The role of an entry that counts as a message; undefined for every other entry. */
export function roleOf(entry: StoredEntry): MessageRole | undefined {
  if (entry.type === "custom_message") return "custom";
  switch (entry.messageRole) {
    case "user":
    case "assistant":
    case "toolResult":
    case "bashExecution":
    case "custom":
      return entry.messageRole;
    case "hookMessage": // what version 2 called `custom`
      return "custom";
    default:
      return undefined;
  }
}

export function contentOf(entry: StoredEntry): string {
  const message = messageOf(entry);
  const parts: string[] = [];
  if (entry.messageRole === "bashExecution") addShell(message, parts);
  else addBlocks(message["content"], parts);
  if (entry.messageRole === "assistant") addAssistantEnd(message, parts);
  const text = shortenMiddle(parts.join("\n"), MAX_CONTENT_CHARS);
  return detached(shortenMiddle(withoutControls(text), MAX_CONTENT_CHARS));
}

/** What a tool result says of itself beside its content. */
export function toolFactsOf(entry: StoredEntry): { toolName?: string; isError?: true } {
  if (entry.messageRole !== "toolResult") return {};
  const { toolName, isError } = messageOf(entry);
  return {
    ...(isNonEmptyString(toolName) ? { toolName } : {}),
    ...(isError === true ? { isError } : {}),
  };
}

/** The object that holds the content: the entry itself for a `custom_message`. */
function messageOf(entry: StoredEntry): JsonObject {
  if (entry.type === "custom_message") return entry.raw;
  const message = entry.raw["message"];
  return isJsonObject(message) ? message : {};
}

/** A string, or text blocks and image labels in stored order. Malformed blocks are ignored. */
function addBlocks(content: JsonValue | undefined, parts: string[]): void {
  if (isNonEmptyString(content)) parts.push(content);
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (!isJsonObject(block)) continue;
    if (block["type"] === "text" && isNonEmptyString(block["text"])) parts.push(block["text"]);
    if (block["type"] === "image") parts.push(imageLabelOf(block));
  }
}

/** The user's own shell command with its output, as the user saw it. */
function addShell(message: JsonObject, parts: string[]): void {
  const { command, output, exitCode, cancelled } = message;
  if (isNonEmptyString(command)) parts.push(`$ ${command}`);
  if (isNonEmptyString(output)) parts.push(output);
  if (cancelled === true) parts.push("[cancelled]");
  else if (typeof exitCode === "number" && exitCode !== 0) parts.push(`[exit code ${exitCode}]`);
}

/** Why the answer broke off, which Pi shows too, and one line per tool call. */
function addAssistantEnd(message: JsonObject, parts: string[]): void {
  const { stopReason, errorMessage, content } = message;
  if (stopReason === "error" || stopReason === "aborted") {
    const cause = isNonEmptyString(errorMessage)
      ? `: ${cutWithEllipsis(errorMessage, MAX_FAILURE_CHARS)}`
      : "";
    parts.push(`[${stopReason}${cause}]`);
  }
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (isJsonObject(block) && block["type"] === "toolCall") parts.push(callLineOf(block));
  }
}

/** `[image image/png, 34 KB]`; the size is that of the picture, not of its base64 text. */
function imageLabelOf(image: JsonObject): string {
  const { mimeType, data } = image;
  const type = isNonEmptyString(mimeType)
    ? cutText(mimeType, MAX_MIME_TYPE_CHARS).replace(/\s+/g, " ")
    : "of unknown type";
  return isNonEmptyString(data)
    ? `[image ${type}, ${sizeOf(Buffer.byteLength(data, "base64"))}]`
    : `[image ${type}]`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = Math.round(bytes / 1024);
  return kilobytes < 1024 ? `${kilobytes} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/**
 * CR and CRLF, all other controls but tab, bidirectional embeddings and isolates, and lone surrogates: what can move a
 * cursor, turn text around or break an encoder.
 */
const UNSAFE =
  /\r\n?|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Line breaks become LF, other unsafe characters visible escapes like `\u001b`. */
function withoutControls(text: string): string {
  return text.replace(UNSAFE, (found) => {
    if (found.startsWith("\r")) return "\n";
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
