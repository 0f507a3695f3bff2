/**
 * The renderers that the extension registers with the tools. They load what draws on first use, so that loading the
 * extension costs nothing; until then they throw, which Pi answers with its own plain row, and then draw again.
 */
import type { Component, RowContext, RowOptions, RowResult, RowTheme } from "./rowDrawing.ts";

type Drawing = typeof import("./rowDrawing.ts");
type Name = "SESSION_SEARCH_ROW" | "LIST_SESSIONS_ROW" | "SESSION_ENTRIES_ROW";

let drawing: Drawing | undefined;
let loading: Promise<void> | undefined;

/** Loads what draws ahead of the first row. */
export function loadRows(): Promise<void> {
  loading ??= import("./rowDrawing.ts").then((module) => {
    drawing = module;
  });
  return loading;
}

function rowOf(name: Name) {
  return {
    renderCall: (args: unknown, theme: RowTheme, context?: RowContext): Component =>
      drawn(context)[name].renderCall(args, theme, context),
    renderResult: (
      result: RowResult,
      options: RowOptions,
      theme: RowTheme,
      context?: RowContext,
    ): Component => drawn(context)[name].renderResult(result, options, theme, context),
  };
}

/** @throws Error until it is loaded */
function drawn(context: RowContext | undefined): Drawing {
  if (drawing !== undefined) return drawing;
  const drawAgain = () => context?.invalidate?.();
  loadRows().then(drawAgain, () => undefined); // Pi's plain row stays
  throw new Error("the row is not loaded yet");
}

export const SESSION_SEARCH_ROW = rowOf("SESSION_SEARCH_ROW");
export const LIST_SESSIONS_ROW = rowOf("LIST_SESSIONS_ROW");
export const SESSION_ENTRIES_ROW = rowOf("SESSION_ENTRIES_ROW");
