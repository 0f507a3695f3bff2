/**
 * The palette as a component of Pi's: keys to events, events to state, and the questions of the state asked. Owns what
 * runs (a search, a preview, a timer) and ends it when the palette closes. A plain object, because importing Pi's own
 * components would load Pi a second time.
 */
import type { DiscoveryOutput, SessionSearchOutput, SessionSearchParams } from "../../model.ts";
import { messageOf } from "../../session/json.ts";
import type { Found } from "../found.ts";
import { isSameRow } from "../found.ts";
import type { AnswerForPeople } from "../search.ts";
import { insert, step } from "./input.ts";
import { type Editing, type Keybindings, keyHints, keyName, meaningOf } from "./keys.ts";
import { visibleRows } from "./list.ts";
import type { Paint } from "./spans.ts";
import { initialState, isSearching, type Place, type RecallEvent, selectedOf, update } from "./state.ts";
import { render } from "./view.ts";

export interface RecallSearch {
  /** As the tool `session_search` answers: discovery with a query, browse without. */
  readonly search: (params: SessionSearchParams, signal: AbortSignal) => Promise<AnswerForPeople>;
  /** Scroll around a message, or read when there is none. */
  readonly preview: (
    path: string,
    messageId: string | null,
    signal: AbortSignal,
  ) => Promise<SessionSearchOutput>;
}

export interface Choice {
  readonly kind: "resume" | "reference";
  readonly row: Found;
}

/** What Pi passes to a custom component. */
export interface Host {
  readonly tui: { readonly terminal: { readonly rows: number }; requestRender(): void };
  readonly theme: Paint;
  readonly keybindings: Keybindings;
  readonly done: (choice: Choice | undefined) => void;
}

/** Rest before a preview is read, so that moving through the list reads none of those passed by. */
const PREVIEW_REST_MS = 60;
/** How often the same is asked again while the index grows. */
const REFRESH_MS = 1_000;
const HEIGHT_SHARE = 0.9;
const MIN_LINES = 12;
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

export class RecallOverlay {
  /** Set by Pi. */
  focused = true;
  #state;
  #pasted: string | undefined;
  #askedTicket = 0;
  #searching: AbortController | undefined;
  #previewing: AbortController | undefined;
  #previewTimer: NodeJS.Timeout | undefined;
  #previewRow: Found | undefined;
  #refreshTimer: NodeJS.Timeout | undefined;
  #isDisposed = false;
  #drawn: { readonly key: readonly unknown[]; readonly lines: readonly string[] } | undefined;
  readonly #host: Host;
  readonly #search: RecallSearch;
  readonly #now: () => number;

  constructor(host: Host, search: RecallSearch, place: Place, query: string, now: () => number) {
    this.#host = host;
    this.#search = search;
    this.#now = now;
    this.#state = initialState(place, query);
    this.#follow();
  }

  render(width: number): readonly string[] {
    const { tui, theme, keybindings } = this.#host;
    const height = heightOf(tui.terminal.rows);
    const key = [this.#state, width, height, this.focused];
    const drawn = this.#drawn;
    if (drawn !== undefined && key.every((part, i) => part === drawn.key[i])) return drawn.lines;
    const lines = render(this.#state, width, height, {
      paint: theme,
      hints: keyHints(keybindings),
      scopeKey: keyName(keybindings, "tui.input.tab"),
      nowMs: this.#now(),
      isFocused: this.focused,
    });
    this.#drawn = { key, lines };
    return lines;
  }

  invalidate(): void {
    this.#drawn = undefined;
  }

  handleInput(data: string): void {
    if (this.#isDisposed || this.#takePaste(data)) return;
    const meaning = meaningOf(data, this.#host.keybindings);
    if (meaning === undefined) return;
    if (meaning.kind === "close") this.#close(undefined);
    else if (meaning.kind === "resume" || meaning.kind === "reference") this.#choose(meaning.kind);
    else this.#apply(this.#eventOf(meaning));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#searching?.abort();
    this.#previewing?.abort();
    clearTimeout(this.#previewTimer);
    clearTimeout(this.#refreshTimer);
  }

  #eventOf(meaning: Editing): RecallEvent {
    const { input } = this.#state;
    switch (meaning.kind) {
      case "scope":
        return { type: "scope" };
      case "move":
        return { type: "move", by: meaning.by };
      case "page": {
        const rows = visibleRows(heightOf(this.#host.tui.terminal.rows) / 2);
        return { type: "move", by: meaning.by * rows };
      }
      case "input":
        return { type: "input", input: step(input, meaning.step) };
      case "text":
        return { type: "input", input: insert(input, meaning.text) };
    }
  }

  #choose(kind: Choice["kind"]): void {
    const row = selectedOf(this.#state);
    if (row !== undefined) this.#close({ kind, row });
  }

  #close(choice: Choice | undefined): void {
    this.dispose();
    this.#host.done(choice);
  }

  /** True when `data` belongs to a paste, which may come in several parts. */
  #takePaste(data: string): boolean {
    const start = data.indexOf(PASTE_START);
    if (this.#pasted === undefined && start < 0) return false;
    const text = this.#pasted === undefined ? data.slice(start + PASTE_START.length) : this.#pasted + data;
    const end = text.indexOf(PASTE_END);
    this.#pasted = end < 0 ? text : undefined;
    if (end >= 0) {
      this.#apply({ type: "input", input: insert(this.#state.input, text.slice(0, end)) });
      const rest = text.slice(end + PASTE_END.length);
      if (rest !== "") this.handleInput(rest);
    }
    return true;
  }

  #apply(event: RecallEvent): void {
    if (this.#isDisposed) return;
    const before = this.#state;
    this.#state = update(before, event);
    if (this.#state === before) return;
    this.#follow();
    this.#host.tui.requestRender();
  }

  /** Starts what the state now wants. */
  #follow(): void {
    this.#ask();
    this.#showPreview();
    clearTimeout(this.#refreshTimer);
    const { answer } = this.#state;
    if (answer?.backlogRemaining !== undefined && !isSearching(this.#state)) {
      this.#refreshTimer = setTimeout(() => this.#apply({ type: "refresh" }), REFRESH_MS);
      this.#refreshTimer.unref();
    }
  }

  #ask(): void {
    const { ticket, params } = this.#state.question;
    if (ticket === this.#askedTicket) return;
    this.#askedTicket = ticket;
    this.#searching?.abort();
    const controller = new AbortController();
    this.#searching = controller;
    // After this turn, so that keys which arrive together are one question.
    setImmediate(async () => {
      if (controller.signal.aborted) return;
      try {
        const output = await this.#search.search(params, controller.signal);
        if (!isAnswer(output)) throw new Error(`the search answered with ${output.mode}`);
        this.#apply({ type: "answer", ticket, output });
      } catch (error) {
        if (!controller.signal.aborted) this.#apply({ type: "failure", ticket, error: messageOf(error) });
      }
    });
  }

  #showPreview(): void {
    const row = selectedOf(this.#state);
    if (row === this.#previewRow) return;
    const isKnown = isSameRow(row, this.#previewRow) && this.#state.preview !== undefined;
    this.#previewRow = row;
    if (isKnown) return;
    this.#previewing?.abort();
    clearTimeout(this.#previewTimer);
    if (row === undefined) return;
    const controller = new AbortController();
    this.#previewing = controller;
    this.#previewTimer = setTimeout(async () => {
      try {
        const output = await this.#search.preview(row.path, row.messageId, controller.signal);
        if (output.mode !== "read" && output.mode !== "scroll")
          throw new Error(`the preview is ${output.mode}`);
        this.#apply({ type: "preview", preview: { row, output } });
      } catch (error) {
        if (!controller.signal.aborted)
          this.#apply({ type: "preview", preview: { row, error: messageOf(error) } });
      }
    }, PREVIEW_REST_MS);
  }
}

function isAnswer(
  output: SessionSearchOutput,
): output is DiscoveryOutput | Extract<SessionSearchOutput, { mode: "browse" }> {
  return output.mode === "discovery" || output.mode === "browse";
}

function heightOf(terminalRows: number): number {
  return Math.min(terminalRows, Math.max(MIN_LINES, Math.floor(terminalRows * HEIGHT_SHARE)));
}
