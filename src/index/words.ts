/**
 * The distinct words of many texts. Exact, and without a string per occurrence: a set of strings would cost a fifth of
 * a cold build.
 */

const SPACE = 0x20;
/** Above this many words it forgets all: what it knows only saves questions to the dictionary table. */
const MAX_WORDS = 400_000;

export class WordSet {
  /** Open addressing: 1 + the word's number, or 0. */
  #slots = new Int32Array(1 << 12);
  #hashes = new Int32Array(1 << 11);
  /** Word n lies in `#units` from `#ends[n]` to `#ends[n + 1]`. */
  #ends = new Uint32Array((1 << 11) + 1);
  #units = new Uint16Array(1 << 14);
  #count = 0;

  /**
   * Takes in words that are separated by single spaces.
   *
   * @param fresh is called with each word not met before
   * @returns how many words there are, repeated ones included
   */
  add(tokens: string, fresh: (word: string) => void): number {
    let words = 0;
    let at = 0;
    while (at < tokens.length) {
      const start = at;
      let hash = 0x811c9dc5 | 0;
      for (; at < tokens.length; at++) {
        const unit = tokens.charCodeAt(at);
        if (unit === SPACE) break;
        hash = Math.imul(hash ^ unit, 0x01000193);
      }
      const length = at - start;
      at++;
      if (length === 0) continue;
      words++;
      if (this.#isFresh(tokens, start, length, hash)) fresh(tokens.slice(start, start + length));
    }
    return words;
  }

  #isFresh(tokens: string, start: number, length: number, hash: number): boolean {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = this.#slots[slot] ?? 0; entry !== 0; entry = this.#slots[slot] ?? 0) {
      if (this.#hashes[entry - 1] === hash && this.#isWord(entry - 1, tokens, start, length)) return false;
      slot = (slot + 1) & mask;
    }
    this.#put(slot, tokens, start, length, hash);
    return true;
  }

  #isWord(word: number, tokens: string, start: number, length: number): boolean {
    const from = this.#ends[word] ?? 0;
    if ((this.#ends[word + 1] ?? 0) - from !== length) return false;
    for (let i = 0; i < length; i++) {
      if (this.#units[from + i] !== tokens.charCodeAt(start + i)) return false;
    }
    return true;
  }

  #put(slot: number, tokens: string, start: number, length: number, hash: number): void {
    const from = this.#ends[this.#count] ?? 0;
    if (from + length > this.#units.length) this.#units = grown(this.#units, from + length);
    for (let i = 0; i < length; i++) this.#units[from + i] = tokens.charCodeAt(start + i);
    this.#hashes[this.#count] = hash;
    this.#slots[slot] = ++this.#count;
    this.#ends[this.#count] = from + length;
    if (this.#count === MAX_WORDS) this.#clear();
    else if (this.#count === this.#hashes.length) this.#makeRoom();
  }

  #makeRoom(): void {
    const hashes = new Int32Array(2 * this.#count);
    hashes.set(this.#hashes);
    const ends = new Uint32Array(2 * this.#count + 1);
    ends.set(this.#ends);
    const slots = new Int32Array(2 * this.#slots.length);
    for (let word = 0; word < this.#count; word++) {
      const hash = hashes[word] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = word + 1;
    }
    this.#hashes = hashes;
    this.#ends = ends;
    this.#slots = slots;
  }

  #clear(): void {
    this.#slots.fill(0);
    this.#count = 0;
  }
}

function grown(units: Uint16Array, needed: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(Math.max(needed, 2 * units.length));
  larger.set(units);
  return larger;
}
