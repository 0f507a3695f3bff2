/** Branches: the path from an entry to the root through `parentId`. Of duplicate ids the last wins, as in Pi. */

/** The links of one file, by id. `T` is whatever the caller knows an entry by: its ordinal, line or offset. */
export class EntryTree<T> {
  readonly #nodes = new Map<string, { readonly parentId: string | null; readonly at: T }>();
  #tipId: string | undefined;

  /** Entries are added in file order; one without an id cannot stand on a path. */
  add(id: string | null, parentId: string | null, at: T): void {
    if (id === null) return;
    this.#nodes.set(id, { parentId, at });
    this.#tipId = id;
  }

  has(id: string): boolean {
    return this.#nodes.has(id);
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
      path.push(node.at);
      id = node.parentId;
    }
    return { path, isCyclic: id !== null };
  }
}
