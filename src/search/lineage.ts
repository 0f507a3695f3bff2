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
  const byPath = new Map<string, number>();
  for (const [i, { path }] of sessions.entries()) if (isVisible(i)) byPath.set(path, i);
  const parentOf = (session: number) => byPath.get(sessions[session]?.parentSessionPath ?? "");
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
 * Of `ranked`, the rows to show: those without an ancestor among `matching`. Sessions that descend from each other
 * in a circle are each other's ancestors; the best of them stays.
 */
export function withoutForks<T extends { readonly session: number }>(
  ranked: readonly T[],
  matching: ReadonlySet<number>,
  ancestorsOf: AncestorsOf,
): readonly T[] {
  const shown = new Set<number>();
  return ranked.filter(({ session }) => {
    const ancestors = ancestorsOf(session).filter((ancestor) => matching.has(ancestor));
    const isFork = ancestors.some(
      (ancestor) => shown.has(ancestor) || !ancestorsOf(ancestor).includes(session),
    );
    if (!isFork) shown.add(session);
    return !isFork;
  });
}
