/**
 * The answer of `session_search` as lines for people: the same facts that the model gets, in the same order. Takes any
 * value, because Pi also shows rows that were stored by other versions; what is unknown is shown as JSON, never left out.
 */
import type { JsonObject } from "../model.ts";
import { isJsonObject } from "../session/json.ts";
import { headOf } from "./found.ts";
import { countOf, localMinute } from "./labels.ts";
import { visible } from "./visible.ts";

/** How the answer counts in one line: `3 sessions`, `30 of 120 messages`; undefined for what is no answer. */
export function answerSummary(answer: unknown): string | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { results, sessions, messages, totalMessages, relaxed, backlogRemaining: backlog } = answer;
  const parts: string[] = [];
  const rows = Array.isArray(results) ? results : Array.isArray(sessions) ? sessions : undefined;
  if (rows !== undefined) parts.push(countOf(rows.length, "session"));
  else if (Array.isArray(messages)) {
    const isPart = typeof totalMessages === "number" && totalMessages > messages.length;
    parts.push(
      isPart
        ? `${messages.length} of ${countOf(totalMessages, "message")}`
        : countOf(messages.length, "message"),
    );
  } else return undefined;
  if (relaxed === true) parts.push("some hold only some of the words");
  if (typeof backlog === "number") parts.push(`${countOf(backlog, "file")} not indexed yet`);
  if (answer["syncWarning"] !== undefined) parts.push("the index may be stale");
  return parts.join(", ");
}

/** Safe lines, or undefined for what is no answer of the tool. */
export function answerLines(answer: unknown): readonly string[] | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { results, sessions, messages, mode: _mode, query: _query, ...rest } = answer;
  if (!Array.isArray(results) && !Array.isArray(sessions) && !Array.isArray(messages)) return undefined;
  const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
  const lines = [
    ...(isList(results) ? results.flatMap(hitLines) : []),
    ...(isList(sessions) ? sessions.flatMap(sessionLines) : []),
    ...(isList(messages) ? messages.flatMap(messageLines) : []),
  ];
  const facts = Object.entries(rest).map(([name, value]) => `${visible(name)}: ${valueText(value)}`);
  return lines.length === 0 ? ["Nothing found.", ...facts] : [...lines, ...facts];
}

function hitLines(hit: unknown, i: number): readonly string[] {
  if (!isJsonObject(hit)) return [valueText(hit)];
  const {
    path,
    name,
    cwd,
    timestamp,
    snippet,
    matchMessageId: id,
    rank: _rank,
    startedAt: _started,
    ...rest
  } = hit;
  const head = headText(timestamp, cwd, name);
  const place = [
    visible(textOf(path)),
    ...(typeof id === "string" ? [`message ${visible(id)}`] : []),
    ...factsOf(rest),
  ];
  return [`${i + 1}. ${head}`, `   ${oneLine(snippet)}`, `   ${place.join(" · ")}`];
}

function sessionLines(session: unknown, i: number): readonly string[] {
  if (!isJsonObject(session)) return [valueText(session)];
  const { path, name, cwd, lastActivityAt, startedAt, preview, messages, ...rest } = session;
  const head = headText(lastActivityAt ?? startedAt, cwd, name);
  const place = [visible(textOf(path)), ...factsOf(rest)].join(" · ");
  const said = Array.isArray(messages) ? messages.flatMap((message: unknown) => messageLines(message)) : [];
  const start = typeof preview === "string" && preview !== "" ? [`   ${oneLine(preview)}`] : [];
  return [`${i + 1}. ${head}`, ...start, `   ${place}`, ...said.map((line) => `   ${line}`)];
}

function messageLines(message: unknown): readonly string[] {
  if (!isJsonObject(message)) return [valueText(message)];
  const {
    id,
    role,
    timestamp,
    content,
    text,
    toolName,
    anchor,
    isError: _isError,
    lineNo,
    ...rest
  } = message;
  const label = [
    visible(textOf(role)),
    ...(typeof toolName === "string" ? [visible(toolName)] : []),
    ...(typeof timestamp === "string" ? [timeOf(timestamp)] : []),
    ...(typeof id === "string" ? [visible(id)] : []),
    ...(typeof lineNo === "number" ? [`line ${lineNo}`] : []),
    ...factsOf(rest),
  ];
  const said = textOf(content) || textOf(text);
  const lines = said.split(/\r\n?|\n/).map((line) => `  ${visible(line.replaceAll("\t", "  "))}`);
  return [`${anchor === true ? "▌" : "—"} ${label.join(" · ")}`, ...lines];
}

function headText(time: unknown, cwd: unknown, name: unknown): string {
  const timeMs = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return visible(headOf({ timeMs, cwd: typeof cwd === "string" ? cwd : null, name: textOf(name) }));
}

function factsOf(rest: JsonObject): readonly string[] {
  return Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${visible(name)} ${valueText(value)}`);
}

function timeOf(value: unknown): string {
  const timeMs = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(timeMs) ? localMinute(timeMs) : visible(textOf(value));
}

function oneLine(value: unknown): string {
  return visible(textOf(value).replace(/\s+/g, " ").trim());
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function valueText(value: unknown): string {
  return visible(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
