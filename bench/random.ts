/** Seeded randomness: the same seed gives the same store on every machine. */

export class Random {
  #state: number;

  /** Any number of parts, so that every file and purpose gets a stream of its own. */
  constructor(...parts: readonly (string | number)[]) {
    let hash = 0x811c9dc5;
    for (const char of parts.join("\0")) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    this.#state = hash >>> 0;
  }

  /** In [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new RangeError("nothing to pick from");
    return value;
  }

  /** Log-normal: half of the draws lie below `median`; `spread` is the standard deviation of the logarithm. */
  longTailed(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return Math.round(median * Math.exp(spread * normal));
  }

  hex(digits: number): string {
    let text = "";
    while (text.length < digits)
      text += Math.floor(this.next() * 0x100000000)
        .toString(16)
        .padStart(8, "0");
    return text.slice(0, digits);
  }

  uuid(): string {
    const h = this.hex(32);
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-7${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`;
  }

  shuffle<T>(values: T[]): T[] {
    for (let i = values.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1));
      const [a, b] = [values[i], values[j]];
      if (a !== undefined && b !== undefined) {
        values[i] = b;
        values[j] = a;
      }
    }
    return values;
  }
}
