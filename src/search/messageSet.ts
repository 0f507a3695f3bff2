/** A set of messages by their position in the view: one bit each, so that sets combine at the speed of memory. */
export class MessageSet {
  readonly #bits: Uint32Array;

  constructor(capacity: number, bits = new Uint32Array((capacity + 31) >>> 5)) {
    this.capacity = capacity;
    this.#bits = bits;
  }

  /** Positions are below it. */
  readonly capacity: number;

  add(position: number): void {
    this.#bits[position >>> 5] = (this.#bits[position >>> 5] ?? 0) | (1 << (position & 31));
  }

  has(position: number): boolean {
    return (((this.#bits[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
  }

  get size(): number {
    let size = 0;
    for (let word of this.#bits) {
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      size += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return size;
  }

  get isEmpty(): boolean {
    return this.#bits.every((word) => word === 0);
  }

  /** In ascending order. */
  forEach(use: (position: number) => void): void {
    for (let i = 0; i < this.#bits.length; i++) {
      for (let word = this.#bits[i] ?? 0; word !== 0; word &= word - 1) {
        use((i << 5) + (31 - Math.clz32(word & -word)));
      }
    }
  }

  /** In ascending order. */
  positions(): Int32Array {
    const positions = new Int32Array(this.size);
    let count = 0;
    this.forEach((position) => {
      positions[count++] = position;
    });
    return positions;
  }

  and(other: MessageSet): MessageSet {
    return this.#with(other, (a, b) => a & b);
  }

  or(other: MessageSet): MessageSet {
    return this.#with(other, (a, b) => a | b);
  }

  without(other: MessageSet): MessageSet {
    return this.#with(other, (a, b) => a & ~b);
  }

  /** With every message also the one behind it, but for those of `firsts`. */
  spreadForward(firsts: MessageSet): MessageSet {
    const bits = new Uint32Array(this.#bits.length);
    let carried = 0;
    for (let i = 0; i < bits.length; i++) {
      const own = this.#bits[i] ?? 0;
      bits[i] = own | (((own << 1) | carried) & ~(firsts.#bits[i] ?? 0));
      carried = own >>> 31;
    }
    // Behind the last message there is none.
    const rest = this.capacity & 31;
    if (rest > 0) bits[bits.length - 1] = (bits.at(-1) ?? 0) & ((1 << rest) - 1);
    return new MessageSet(this.capacity, bits);
  }

  /** With every message also the one before it, unless it is one of `firsts`. */
  spreadBackward(firsts: MessageSet): MessageSet {
    const bits = new Uint32Array(this.#bits.length);
    let carried = 0;
    for (let i = bits.length - 1; i >= 0; i--) {
      const own = this.#bits[i] ?? 0;
      const moved = own & ~(firsts.#bits[i] ?? 0);
      bits[i] = own | (moved >>> 1) | carried;
      carried = moved << 31;
    }
    return new MessageSet(this.capacity, bits);
  }

  #with(other: MessageSet, combine: (a: number, b: number) => number): MessageSet {
    const bits = new Uint32Array(this.#bits.length);
    for (let i = 0; i < bits.length; i++) bits[i] = combine(this.#bits[i] ?? 0, other.#bits[i] ?? 0);
    return new MessageSet(this.capacity, bits);
  }
}
