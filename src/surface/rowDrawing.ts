/**
 * How Pi shows calls of the three tools: one line for the call, and under it, collapsed, the last lines of what came
 * back. Loaded by `rows.ts` when it is needed.
 */
import type { Theme } from "@earendil-works/pi-coding-agent";
import { isJsonObject } from "../session/json.ts";
import { countOf } from "./labels.ts";
import { answerLines, answerSummary } from "./rowText.ts";
import { visible } from "./visible.ts";
import { fit, wrapStrictly } from "./width.ts";

export const COLLAPSED_LINES = 5;

export interface Component {
  render(width: number): string[];
  invalidate(): void;
}

export type RowTheme = Pick<Theme, "fg" | "bold">;

export interface RowResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly details?: unknown;
}

/** What Pi passes along; older versions of Pi pass less. */
export interface RowContext {
  readonly args?: unknown;
  readonly isError?: boolean;
  readonly state?: { summary?: string | undefined };
  readonly keyText?: (binding: "app.tools.expand") => string;
  readonly invalidate?: () => void;
}

export interface RowOptions {
  readonly expanded: boolean;
  readonly isPartial: boolean;
}

interface RowKind {
  readonly name: string;
  /** What the call asked for, not yet made visible. */
  readonly asked: (args: unknown) => string;
  /** What came back, in few words. */
  readonly summary: (details: unknown) => string | undefined;
  /** Safe lines under the call; undefined shows the text that the model got. */
  readonly lines: (details: unknown) => readonly string[] | undefined;
  /** Lines that are shown while the row is collapsed, of those above. */
  readonly collapsed: (lines: readonly string[]) => readonly string[];
}

function rowOf({ name, asked, summary, lines, collapsed }: RowKind) {
  return {
    renderCall: (args: unknown, theme: RowTheme, context?: RowContext): Component => {
      const words = visible(asked(args));
      const call = words === "" ? name : `${name} ${words}`;
      // Known once the result was drawn, so it is looked up at each drawing.
      const summaryNow = () => context?.state?.summary;
      return componentOf((width) => {
        const done = summaryNow();
        const line = fit(done === undefined ? call : `${call} · ${done}`, width);
        const [title, rest] = [line.slice(0, name.length), line.slice(name.length)];
        return [theme.fg("toolTitle", theme.bold(title)) + theme.fg("muted", rest)];
      }, summaryNow);
    },
    renderResult: (
      result: RowResult,
      { expanded, isPartial }: RowOptions,
      theme: RowTheme,
      context?: RowContext,
    ): Component => {
      const isError = context?.isError === true;
      if (context?.state !== undefined) context.state.summary = isError ? undefined : summary(result.details);
      if (isPartial) return componentOf(() => []);
      const whole = (isError ? undefined : lines(result.details)) ?? textLines(result);
      const chosen = expanded || isError ? whole : collapsed(whole);
      const color = isError ? "error" : "toolOutput";
      return componentOf((width) => {
        const drawn = chosen.flatMap((line) => wrapStrictly(line, width));
        const earlier = expanded ? 0 : drawn.length - COLLAPSED_LINES;
        const painted = (earlier > 0 ? drawn.slice(-COLLAPSED_LINES) : drawn).map((line) =>
          theme.fg(color, fit(line, width)),
        );
        if (earlier <= 0) return painted;
        const key = context?.keyText?.("app.tools.expand") ?? "";
        const hint = `… ${countOf(earlier, "earlier line")}${key === "" ? "" : ` (${visible(key)} to expand)`}`;
        return [theme.fg("muted", fit(hint, width)), ...painted];
      });
    },
  };
}

export const SESSION_SEARCH_ROW = rowOf({
  name: "session_search",
  asked: searchWords,
  summary: answerSummary,
  lines: answerLines,
  collapsed: (lines) => lines,
});

export const LIST_SESSIONS_ROW = rowOf({
  name: "list_sessions",
  asked: () => "",
  summary: (details) => countsOf(details, "sessions", "session"),
  lines: () => undefined,
  collapsed: warningsOnly,
});

export const SESSION_ENTRIES_ROW = rowOf({
  name: "session_entries",
  asked: (args) => fileName(isJsonObject(args) ? args["sessionPath"] : undefined),
  summary: (details) => countsOf(details, "entries", "entry"),
  lines: () => undefined,
  collapsed: warningsOnly,
});

function searchWords(args: unknown): string {
  if (!isJsonObject(args)) return "";
  const { query, sessionId, aroundMessageId: anchor, operation, scope } = args;
  if (typeof query === "string" && query.trim() !== "") return JSON.stringify(query.trim());
  if (typeof sessionId === "string") {
    return typeof anchor === "string" ? `${fileName(sessionId)} around ${anchor}` : fileName(sessionId);
  }
  if (typeof operation === "string") return typeof scope === "string" ? `${operation} ${scope}` : operation;
  return "recent sessions";
}

function fileName(path: unknown): string {
  return typeof path === "string" ? (path.split(/[/\\]/).at(-1) ?? path) : "";
}

function countsOf(details: unknown, list: string, thing: string): string | undefined {
  if (!isJsonObject(details)) return undefined;
  const rows = details[list];
  const { warnings } = details;
  if (!Array.isArray(rows)) return undefined;
  const count =
    thing === "entry"
      ? `${rows.length} ${rows.length === 1 ? "entry" : "entries"}`
      : countOf(rows.length, thing);
  return Array.isArray(warnings) && warnings.length > 0
    ? `${count}, ${countOf(warnings.length, "warning")}`
    : count;
}

function warningsOnly(lines: readonly string[]): readonly string[] {
  const start = lines.findLastIndex((line) => /^Warnings \(\d+\)$/.test(line));
  return start < 0 ? [] : lines.slice(start);
}

function textLines({ content }: RowResult): readonly string[] {
  const text = content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("\n");
  if (text === "") return [];
  return text.split(/\r\n?|\n/).map((line) => visible(line.replaceAll("\t", "  ")));
}

/** Keeps what it drew until the width or `key` changes: Pi draws every row of a conversation at every frame. */
function componentOf(draw: (width: number) => string[], key: () => unknown = () => undefined): Component {
  let drawn: { readonly width: number; readonly key: unknown; readonly lines: string[] } | undefined;
  return {
    render: (width) => {
      if (drawn?.width !== width || drawn.key !== key()) drawn = { width, key: key(), lines: draw(width) };
      return drawn.lines;
    },
    invalidate: () => {
      drawn = undefined;
    },
  };
}
