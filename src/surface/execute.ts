/** What the tools do when Pi calls them, on any store. Knows nothing of their declarations, so it loads without schemas. */
import { readSessionEntries } from "../entries/readSessionEntries.ts";
import { listSessions } from "../list/listSessions.ts";
import type {
  ListSessionsOutput,
  ListSessionsParams,
  SessionEntriesOutput,
  SessionEntriesParams,
  SessionSearchOutput,
  SessionSearchParams,
  StoreOptions,
} from "../model.ts";
import { renderEntries, renderSessions } from "./render.ts";
import { runSearch, type SearchEngine, type SearchStoreOptions } from "./search.ts";

/** `maxBytes` of the tool when the caller gives none: a codemode script runs out of memory somewhere below 200 MB. */
export const DEFAULT_TOOL_MAX_BYTES = 16 * 1024 * 1024;

/** The store of a call. A function is asked at each call with the context that the host passed, if it passed one. */
export type ToolStore<Context> = StoreOptions | ((context: Context | undefined) => StoreOptions);

export interface ToolResult<Output> {
  readonly content: { type: "text"; text: string }[];
  readonly structuredContent: Output;
  readonly details: Output;
}

/** `execute` as Pi calls it; only the parameters matter to a caller without a host. */
export type Execute<Params, Output, Context> = (
  toolCallId: string,
  params: Params,
  signal?: AbortSignal,
  onUpdate?: unknown,
  context?: Context,
) => Promise<ToolResult<Output>>;

export function listSessionsExecutor<Context>(store: ToolStore<Context>) {
  return executor<ListSessionsParams, ListSessionsOutput, Context>(store, listSessions, renderSessions);
}

export function sessionEntriesExecutor<Context>(store: ToolStore<Context>) {
  const read = (params: SessionEntriesParams, options: StoreOptions) => {
    const { sessionPath, maxBytes = DEFAULT_TOOL_MAX_BYTES } = params ?? {};
    // Models write paths as they mention files to Pi.
    const named = typeof sessionPath === "string" ? sessionPath.replace(/^@/, "") : sessionPath;
    return readSessionEntries({ ...params, sessionPath: named, maxBytes }, options);
  };
  return executor<SessionEntriesParams, SessionEntriesOutput, Context>(store, read, renderEntries);
}

/** The store of a search, and who looks into it. */
export interface SearchPlace {
  readonly store: SearchStoreOptions;
  readonly engine: SearchEngine;
}

/** The model and a program read the same: the text is the value as JSON. */
export function sessionSearchExecutor<Context>(
  place: (context: Context | undefined) => SearchPlace,
): Execute<SessionSearchParams, SessionSearchOutput, Context> {
  return async (_toolCallId, params, signal, _onUpdate, context) => {
    const { store, engine } = place(context);
    const output = await runSearch(params, signal === undefined ? store : { ...store, signal }, engine);
    return toolResult(output, JSON.stringify(output));
  };
}

function executor<Params, Output, Context>(
  store: ToolStore<Context>,
  run: (params: Params, options: StoreOptions) => Promise<Output>,
  render: (output: Output) => string,
): Execute<Params, Output, Context> {
  return async (_toolCallId, params, signal, _onUpdate, context) => {
    const options = typeof store === "function" ? store(context) : store;
    const output = await run(params, signal === undefined ? options : { ...options, signal });
    return toolResult(output, render(output));
  };
}

function toolResult<Output>(output: Output, text: string): ToolResult<Output> {
  return { content: [{ type: "text", text }], structuredContent: output, details: output };
}
