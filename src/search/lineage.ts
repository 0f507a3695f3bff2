/**
 * Forks: a fork repeats its ancestor's messages, so that of both one is shown, the ancestor. `parentSession` is what a
 * header says: it may name a file that is gone, a fork of the fork, or itself.
 */
import { isTranscriptName } from "../session/walk.ts";
import type { SessionFacts } from "./view.ts";

/** The sessions that a session descends from, nearest first; the walk ends before it would repeat itself. */
export type AncestorsOf = (session: number) => readonly number[];

/** Only sessions for which `isVisible` holds are known: any other breaks the line as if its file were gone. */
export function ancestry(
  sessions: readonly SessionFacts[],
  isVisible: (session: number) => boolean,
): AncestorsOf {
  let known: Parents | undefined; // made for the first session that names a parent
  const parentOf = (session: number) => {
    const parentPath = sessions[session]?.parentSessionPath;
    if (parentPath === undefined) return undefined;
    known ??= new Parents(sessions, isVisible);
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

/**
 * Of `ranked`, best first, the rows to show: those without an ancestor that matches as well. Sessions that descend from each other
 * in a circle are each other's ancestors; the best of them stays.
 */
export function* withoutForks<T extends { readonly session: number }>(
  ranked: Iterable<T>,
  isMatching: (session: number) => boolean,
  ancestorsOf: AncestorsOf,
): Generator<T, void, undefined> {
  const shown = new Set<number>();
  for (const row of ranked) {
    const isFork = ancestorsOf(row.session).some(
      (ancestor) =>
        isMatching(ancestor) && (shown.has(ancestor) || !ancestorsOf(ancestor).includes(row.session)),
    );
    if (isFork) continue;
    shown.add(row.session);
    yield row;
  }
}
