/** What the palette says in words: scopes, progress, and why there is nothing to show. Pure. */
import type { ThemeColor } from "@earendil-works/pi-coding-agent";
import { countOf } from "../labels.ts";
import { stateNotes } from "../notes.ts";
import { isOutdated, MIN_QUERY_LETTERS, queryOf, type RecallState, SCOPES, type Scope } from "./state.ts";

export const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  project: "this project",
  worktrees: "worktrees",
  everywhere: "everywhere",
};

const WHERE: Readonly<Record<Scope, string>> = {
  project: "in this project",
  worktrees: "in this project and its worktrees",
  everywhere: "anywhere",
};

export interface Note {
  readonly text: string;
  readonly ink: ThemeColor;
}

/** The right end of the input line. */
export function statusOf(state: RecallState): string {
  if (state.answer === undefined) return isOutdated(state) ? "searching…" : "";
  const letters = [...state.input.text.trim()].length;
  if (letters > 0 && letters < MIN_QUERY_LETTERS) return "one more letter";
  const isRecent = state.answer.mode === "browse";
  const shown = isRecent ? "recent" : countOf(state.rows.length, "session");
  if (isOutdated(state)) return `${shown} …`;
  return isRecent && state.rows.length === 0 ? "" : shown;
}

/** What must be known about the rows that are shown; undefined when there is nothing to say. */
export function noteOf({ answer, error, rows }: RecallState): Note | undefined {
  if (error !== undefined) return { text: `Could not search: ${error}`, ink: "error" };
  const notes = stateNotes(answer ?? {});
  if (notes.length > 0) return { text: sentenceOf(notes.join("; ")), ink: "warning" };
  if (answer?.mode === "discovery" && answer.relaxed && rows.length > 0) {
    return { text: "Some sessions hold only some of the words.", ink: "muted" };
  }
  return undefined;
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What stands in place of the list when it is empty. `scopeKey` is the key that switches the scope. */
export function emptyTexts(state: RecallState, scopeKey: string): readonly string[] {
  if (state.error !== undefined) return [];
  if (state.answer === undefined || isOutdated(state)) return ["Looking through your sessions…"];
  if (state.answer.backlogRemaining !== undefined) {
    return ["Nothing yet: the index is still being built.", "What is found appears as it grows."];
  }
  const next = SCOPES[SCOPES.indexOf(state.scope) + 1];
  const isWider = next !== undefined && scopeKey !== "";
  const hint = isWider
    ? [`${scopeKey} looks ${next === "worktrees" ? "in its worktrees" : "everywhere"}.`]
    : [];
  const leftOut = state.place.leftOut === undefined ? [] : [sentenceOf(state.place.leftOut)];
  const query = queryOf(state.input.text);
  if (query !== "") {
    const rule = "Words match inside of longer ones. This session is not searched.";
    return [`No message of another session ${WHERE[state.scope]} matches.`, rule, ...hint, ...leftOut];
  }
  if (state.scope !== "everywhere") return [`No earlier session ${WHERE[state.scope]}.`, ...hint, ...leftOut];
  return ["No earlier sessions.", "What you do in Pi from now on can be found here.", ...leftOut];
}
