/** A binary heap: the first of many at a time, where sorting all would be a waste. */
export class Heap<T> {
  readonly #items: T[];
  readonly #compare: (a: T, b: T) => number;

  /** @param compare negative when `a` comes first, as for `Array.prototype.sort` */
  constructor(items: Iterable<T>, compare: (a: T, b: T) => number) {
    this.#items = [...items];
    this.#compare = compare;
    for (let at = (this.#items.length >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  /** To be called after the first item has been changed so that it may belong further down. */
  sinkFirst(): void {
    this.#sink(0);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) {
      this.#items[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #sink(start: number): void {
    const items = this.#items;
    const item = items[start];
    if (item === undefined) return;
    let at = start;
    for (;;) {
      let below = 2 * at + 1;
      let child = items[below];
      const other = items[below + 1];
      if (child === undefined) break;
      if (other !== undefined && this.#compare(other, child) < 0) {
        child = other;
        below++;
      }
      if (this.#compare(item, child) <= 0) break;
      items[at] = child;
      at = below;
    }
    items[at] = item;
  }
}
