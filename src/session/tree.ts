/** Branches: the path from an entry to the root through `parentId`. Of duplicate ids the last wins, as in Pi. */
import type { EntryLink } from "./entry.ts";

/** The links of one file, by id. `T` is whatever the caller knows an entry by: its ordinal, line or offset. */
export class EntryTree<T> {
  readonly #nodes = new Map<string, { readonly parentId: string | null; readonly at: T | undefined }>();
  #tipId: string | undefined;

  /** Entries are added in file order; one without an id cannot stand on a path. */
  add({ id, parentId }: EntryLink, at: T): void {
    if (id === null) return;
    this.#nodes.set(id, { parentId, at });
    this.#tipId = id;
  }

  /**
   * A line that is no entry and still links: a path leads through it, but it is neither a tip nor on the path, and it
   * never hides an entry with the same id.
   */
  addSkipped({ id, parentId }: EntryLink): void {
    if (id !== null && !this.has(id)) this.#nodes.set(id, { parentId, at: undefined });
  }

  /** True for the id of an entry. */
  has(id: string): boolean {
    return this.#nodes.get(id)?.at !== undefined;
  }

  /** Id of the last addressable entry, whose branch Pi would open. */
  get activeTipId(): string | undefined {
    return this.#tipId;
  }

  /** What stands on the path, tip first. A missing parent or a cycle ends it. */
  pathFrom(tipId: string): { readonly path: readonly T[]; readonly isCyclic: boolean } {
    const path: T[] = [];
    const seen = new Set<string>();
    let id: string | null = tipId;
    while (id !== null && !seen.has(id)) {
      const node = this.#nodes.get(id);
      if (node === undefined) return { path, isCyclic: false };
      seen.add(id);
      if (node.at !== undefined) path.push(node.at);
      id = node.parentId;
    }
    return { path, isCyclic: id !== null };
  }
}
