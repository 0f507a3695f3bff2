/**
 * The palette as a value, and what each event makes of it. Pure: it says which question it wants answered (`question`)
 * and which preview it wants (`selectedOf`); whoever runs it asks. Every question has a ticket, and only the answer to
 * the latest one is taken, so a stale answer never replaces a newer one.
 */
import type {
  BrowseOutput,
  DiscoveryOutput,
  ReadOutput,
  ScrollOutput,
  SessionSearchParams,
} from "../../model.ts";
import { type Found, isSameRow, rowsOf } from "../found.ts";
import { inputOf, type TextInput } from "./input.ts";

export const MIN_QUERY_LETTERS = 2;
/** As many as the search gives. */
export const PAGE_ROWS = 10;

export type Scope = "project" | "worktrees" | "everywhere";
export const SCOPES: readonly Scope[] = ["project", "worktrees", "everywhere"];

/** Where the person is. */
export interface Place {
  readonly cwd: string;
  /** Directories that are worktrees of the project, `cwd` among them. */
  readonly worktrees: readonly string[];
  /** Which projects are not searched, as a sentence. */
  readonly leftOut?: string | undefined;
}

export interface Question {
  readonly ticket: number;
  readonly params: SessionSearchParams;
  /** Rows of the answer go behind those that are there. */
  readonly isMore: boolean;
}

export type Preview =
  | { readonly row: Found; readonly output: ReadOutput | ScrollOutput }
  | { readonly row: Found; readonly error: string };

export interface RecallState {
  readonly place: Place;
  readonly input: TextInput;
  readonly scope: Scope;
  readonly question: Question;
  /** Undefined until something was answered. */
  readonly answer: DiscoveryOutput | BrowseOutput | undefined;
  readonly answeredTicket: number;
  /** The parameters behind `rows`, as text. */
  readonly answeredKey: string;
  readonly rows: readonly Found[];
  /** More recent sessions may follow. */
  readonly hasMore: boolean;
  readonly selected: number;
  readonly error: string | undefined;
  readonly preview: Preview | undefined;
}

export type RecallEvent =
  | { readonly type: "input"; readonly input: TextInput }
  | { readonly type: "scope" }
  | { readonly type: "move"; readonly by: number }
  /** Asks the same again: the index has grown. */
  | { readonly type: "refresh" }
  | {
      readonly type: "answer";
      readonly ticket: number;
      readonly output: DiscoveryOutput | BrowseOutput;
    }
  | { readonly type: "failure"; readonly ticket: number; readonly error: string }
  | { readonly type: "preview"; readonly preview: Preview };

export function initialState(place: Place, query: string): RecallState {
  const input = inputOf(query);
  const params = paramsOf(input.text, "project", place);
  return {
    place,
    input,
    scope: "project",
    question: { ticket: 1, params, isMore: false },
    answer: undefined,
    answeredTicket: 0,
    answeredKey: "",
    rows: [],
    hasMore: false,
    selected: 0,
    error: undefined,
    preview: undefined,
  };
}

export function update(state: RecallState, event: RecallEvent): RecallState {
  switch (event.type) {
    case "input":
      return event.input.text === state.input.text
        ? { ...state, input: event.input }
        : asking({ ...state, input: event.input });
    case "scope": {
      const next = SCOPES[(SCOPES.indexOf(state.scope) + 1) % SCOPES.length] ?? "project";
      return asking({ ...state, scope: next });
    }
    case "move":
      return moved(state, event.by);
    case "refresh": {
      // More rows than one answer gives are not asked for again: they would be lost.
      const hasPages = state.answer?.mode === "browse" && state.rows.length > PAGE_ROWS;
      if (isSearching(state) || hasPages) return state;
      return { ...state, question: { ...state.question, ticket: state.question.ticket + 1, isMore: false } };
    }
    case "answer":
      return event.ticket === state.question.ticket ? answered(state, event.output) : state;
    case "failure": {
      if (event.ticket !== state.question.ticket) return state;
      const rows = state.question.isMore ? state.rows : [];
      return {
        ...settled(state),
        rows,
        hasMore: false,
        selected: clamp(state.selected, rows),
        error: event.error,
      };
    }
    case "preview":
      return isSameRow(event.preview.row, selectedOf(state)) ? { ...state, preview: event.preview } : state;
  }
}

export function selectedOf({ rows, selected }: RecallState): Found | undefined {
  return rows[selected];
}

/** The latest question has no answer yet. */
export function isSearching({ question, answeredTicket }: RecallState): boolean {
  return answeredTicket !== question.ticket;
}

/** What is shown answers another question than the one asked now. */
export function isOutdated(state: RecallState): boolean {
  return isSearching(state) && state.answeredKey !== JSON.stringify(state.question.params);
}

/** What is searched for; an empty string while there are too few letters. */
export function queryOf(text: string): string {
  const query = text.trim();
  return [...query].length >= MIN_QUERY_LETTERS ? query : "";
}

function paramsOf(text: string, scope: Scope, place: Place): SessionSearchParams {
  const query = queryOf(text);
  const cwds =
    scope === "project"
      ? { cwds: [place.cwd] }
      : { cwds: place.worktrees, cwdMatch: "sibling-prefix" as const };
  return {
    ...(query === "" ? {} : { query }),
    limit: PAGE_ROWS,
    ...(scope === "everywhere" ? {} : cwds),
  };
}

/** The state with a new question, when its input asks for something else than before. */
function asking(state: RecallState): RecallState {
  const params = paramsOf(state.input.text, state.scope, state.place);
  const { question } = state;
  if (!question.isMore && JSON.stringify(params) === JSON.stringify(question.params)) return state;
  return { ...state, question: { ticket: question.ticket + 1, params, isMore: false } };
}

function moved(state: RecallState, by: number): RecallState {
  const selected = clamp(state.selected + by, state.rows);
  const next = { ...state, selected };
  const last = state.rows.at(-1);
  const isAtEnd = by > 0 && selected === state.rows.length - 1;
  if (!isAtEnd || !state.hasMore || isSearching(state) || last === undefined) return next;
  const endTimestamp = new Date(last.timeMs).toISOString();
  const params = { ...paramsOf(state.input.text, state.scope, state.place), endTimestamp };
  return { ...next, question: { ticket: state.question.ticket + 1, params, isMore: true } };
}

function answered(state: RecallState, output: DiscoveryOutput | BrowseOutput): RecallState {
  const isSame = state.answeredKey === JSON.stringify(state.question.params);
  const given = rowsOf(output);
  const known = new Set(state.rows.map(({ path }) => path));
  const fresh = given.filter(({ path }) => !known.has(path));
  const rows = state.question.isMore ? [...state.rows, ...fresh] : given;
  const kept = rows.findIndex((row) => isSameRow(row, selectedOf(state)));
  const isStaying = state.question.isMore || isSame;
  // The bound of the next page is a time: without one there is no next page.
  const hasTime = Number.isFinite(rows.at(-1)?.timeMs);
  const isPageFull = output.mode === "browse" && given.length === PAGE_ROWS && hasTime;
  return {
    ...settled(state),
    answer: output,
    rows,
    hasMore: isPageFull && (!state.question.isMore || fresh.length > 0),
    selected: isStaying && kept >= 0 ? kept : 0,
    error: undefined,
  };
}

function settled(state: RecallState): RecallState {
  const { ticket, params } = state.question;
  return { ...state, answeredTicket: ticket, answeredKey: JSON.stringify(params) };
}

function clamp(selected: number, rows: readonly Found[]): number {
  return Math.max(0, Math.min(selected, rows.length - 1));
}
