/**
 * Forks: a fork repeats its ancestor's messages, so that of both one is shown, the ancestor. `parentSession` is what a
 * header says: it may name a file that is gone, a fork of the fork, or itself.
 */
import type { SessionFacts } from "./view.ts";

/** The sessions that a session descends from, nearest first; the walk ends before it would repeat itself. */
export type AncestorsOf = (session: number) => readonly number[];

/** Only sessions for which `isVisible` holds are known: any other breaks the line as if its file were gone. */
export function ancestry(
  sessions: readonly SessionFacts[],
  isVisible: (session: number) => boolean,
): AncestorsOf {
  let byPath: Map<string, number> | undefined; // made for the first session that names a parent
  const parentOf = (session: number) => {
    const parentPath = sessions[session]?.parentSessionPath;
    if (parentPath === undefined) return undefined;
    if (byPath === undefined) {
      byPath = new Map();
      for (const [i, { path }] of sessions.entries()) if (isVisible(i)) byPath.set(path, i);
    }
    return byPath.get(parentPath);
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
