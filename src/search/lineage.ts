/**
 * Forks: a fork repeats its ancestor's messages, so that of both one is shown, the ancestor unless the fork alone has
 * the answer. `parentSession` is what a header says: it may name a file that is gone, a fork of the fork, or itself.
 */
import { isTranscriptName } from "../session/names.ts";
import type { SearchView, SessionFacts } from "./view.ts";

/** The sessions that a session descends from, nearest first; the walk ends before it would repeat itself. */
export type AncestorsOf = (session: number) => readonly number[];

/** Of all sessions, so kept as long as they are. */
const knownParents = new WeakMap<readonly SessionFacts[], Parents>();

/**
 * @param isVisible only sessions for which it holds are known; any other breaks the line as if its file were gone. Default:
 * every session
 */
export function ancestry(
  sessions: readonly SessionFacts[],
  isVisible?: (session: number) => boolean,
): AncestorsOf {
  // Made for the first session that names a parent.
  let known = isVisible === undefined ? knownParents.get(sessions) : undefined;
  const parentOf = (session: number) => {
    const parentPath = sessions[session]?.parentSessionPath;
    if (parentPath === undefined) return undefined;
    if (known === undefined) {
      known = new Parents(sessions, isVisible ?? (() => true));
      if (isVisible === undefined) knownParents.set(sessions, known);
    }
    return known.find(parentPath);
  };
  return (session) => {
    const ancestors: number[] = [];
    const seen = new Set([session]);
    for (let at = parentOf(session); at !== undefined && !seen.has(at); at = parentOf(at)) {
      seen.add(at);
      ancestors.push(at);
    }
    return ancestors;
  };
}

/**
 * Sessions by path and, for a store that was moved since the fork was made, by name: Pi's file names hold the session's
 * id. A name that two files have leads to neither.
 */
class Parents {
  readonly #byPath = new Map<string, number>();
  readonly #byName = new Map<string, number | undefined>();

  constructor(sessions: readonly SessionFacts[], isVisible: (session: number) => boolean) {
    for (const [i, { path }] of sessions.entries()) {
      if (!isVisible(i)) continue;
      this.#byPath.set(path, i);
      const name = nameOf(path);
      this.#byName.set(name, this.#byName.has(name) ? undefined : i);
    }
  }

  find(parentPath: string): number | undefined {
    const exact = this.#byPath.get(parentPath);
    if (exact !== undefined) return exact;
    const name = nameOf(parentPath);
    return isTranscriptName(name) ? this.#byName.get(name) : undefined;
  }
}

/** The last segment in POSIX or Windows spelling. */
function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** Lets one session of each line of descent pass, through all lists that it is given. */
export class ForkFilter {
  readonly #ancestorsOf: AncestorsOf;
  readonly #shown = new Set<number>();
  /** Ancestors of those that are shown. */
  readonly #represented = new Set<number>();

  constructor(ancestorsOf: AncestorsOf) {
    this.#ancestorsOf = ancestorsOf;
  }

  /**
   * Of `ranked`, best first, the rows to show. Sessions that descend from each other in a circle are each other's ancestors;
   * the best of them stays.
   *
   * @param givesWay true when the ancestor matches as well, and is the one to be shown
   */
  *pass<T extends { readonly session: number }>(
    ranked: Iterable<T>,
    givesWay: (row: T, ancestor: number) => boolean,
  ): Generator<T, void, undefined> {
    for (const row of ranked) {
      if (this.#represented.has(row.session)) continue;
      const ancestors = this.#ancestorsOf(row.session);
      if (ancestors.some((ancestor) => this.#shown.has(ancestor))) continue;
      // All ancestors of one that lies in a circle lie in it.
      const [parent] = ancestors;
      const isInCircle = parent !== undefined && this.#ancestorsOf(parent).includes(row.session);
      if (!isInCircle && ancestors.some((ancestor) => givesWay(row, ancestor))) continue;
      this.#shown.add(row.session);
      for (const ancestor of ancestors) this.#represented.add(ancestor);
      yield row;
    }
  }
}

/** Whether a session has a message that says the same as another, as the origin of a copy does. */
export class Copies {
  readonly #view: SearchView;
  /** The texts of a session by who says them and how many words they have: each is read once for all questions. */
  readonly #texts = new Map<string, ReadonlySet<string>>();

  constructor(view: SearchView) {
    this.#view = view;
  }

  isIn(session: number, position: number): boolean {
    const { first = 0, end = 0 } = this.#view.sessions[session] ?? {};
    const { isUser, timestampMs, wordsBefore } = this.#view.messages;
    const wordsAt = (at: number) => (wordsBefore[at + 1] ?? 0) - (wordsBefore[at] ?? 0);
    const alike: number[] = [];
    for (let at = first; at < end; at++) {
      if (isUser[at] === isUser[position] && wordsAt(at) === wordsAt(position)) alike.push(at);
    }
    if (alike.length === 0) return false;
    const text = this.#view.foldedTextAt(position);
    // A copy keeps its time, so that the others need not be read.
    const isSame = (at: number) => this.#view.foldedTextAt(at) === text;
    if (alike.some((at) => timestampMs[at] === timestampMs[position] && isSame(at))) return true;
    const key = `${session} ${isUser[position]} ${wordsAt(position)}`;
    const known = this.#texts.get(key) ?? new Set(alike.map((at) => this.#view.foldedTextAt(at)));
    this.#texts.set(key, known);
    return known.has(text);
  }
}
