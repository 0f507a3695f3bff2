/**
 * The distinct words of many texts. Exact, and without a string per occurrence: a set of strings would cost a fifth of
 * a cold build.
 */

/** What stands between words. Of a text that was folded these are the ASCII characters but digits and small letters. */
const IS_BORDER = Uint8Array.from({ length: 1 << 8 }, (_, byte) => {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isSmallLetter = byte >= 0x61 && byte <= 0x7a;
  return byte < 0x80 && !isDigit && !isSmallLetter ? 1 : 0;
});
/** Above this many words it forgets all: what it knows only saves questions to the dictionary table. */
const MAX_WORDS = 1 << 18;
/** The same for their letters, for a word may have thousands. */
const MAX_BYTES = 1 << 24;
const FIRST_WORDS = 1 << 11;

export class WordSet {
  /** Open addressing: 1 + the word's number, or 0. At most half full. */
  #slots = new Int32Array(2 * FIRST_WORDS);
  #hashes = new Int32Array(FIRST_WORDS);
  /** Word n lies in `#bytes` from `#ends[n]` to `#ends[n + 1]`. */
  #ends = new Uint32Array(FIRST_WORDS + 1);
  #bytes = new Uint8Array(8 * FIRST_WORDS);
  #count = 0;

  /**
   * Takes in the words of a folded text that is ASCII, or of any text that `tokensOf` has made of one.
   *
   * @param tokens as UTF-8
   * @param fresh is called with each word not met before
   * @returns how many words there are, repeated ones included
   */
  add(tokens: Buffer, fresh: (word: string) => void): number {
    const bytes: Uint8Array = tokens;
    const end = bytes.length;
    let words = 0;
    let at = 0;
    while (at < end) {
      const start = at;
      let hash = 0;
      for (let byte = bytes[at] ?? 0; IS_BORDER[byte] === 0; byte = bytes[++at] ?? 0) {
        hash = (Math.imul(hash, 31) + byte) | 0;
      }
      const length = at - start;
      at++;
      if (length === 0) continue;
      words++;
      // Spreads what differs in the last letters alone.
      hash = Math.imul(hash, 0x9e3779b1);
      if (this.#isFresh(bytes, start, length, hash ^ (hash >>> 15)))
        fresh(tokens.toString("utf8", start, start + length));
    }
    return words;
  }

  #isFresh(text: Uint8Array, start: number, length: number, hash: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let entry = slots[slot] ?? 0; entry !== 0; entry = slots[slot] ?? 0) {
      if (this.#hashes[entry - 1] === hash && this.#isWord(entry - 1, text, start, length)) return false;
      slot = (slot + 1) & mask;
    }
    this.#put(slot, text, start, length, hash);
    return true;
  }

  #isWord(word: number, text: Uint8Array, start: number, length: number): boolean {
    const bytes = this.#bytes;
    const from = this.#ends[word] ?? 0;
    if ((this.#ends[word + 1] ?? 0) - from !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[from + i] !== text[start + i]) return false;
    return true;
  }

  #put(slot: number, text: Uint8Array, start: number, length: number, hash: number): void {
    const from = this.#ends[this.#count] ?? 0;
    if (from + length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(from + length, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(text.subarray(start, start + length), from);
    this.#hashes[this.#count] = hash;
    this.#slots[slot] = ++this.#count;
    this.#ends[this.#count] = from + length;
    if (this.#count === MAX_WORDS || from + length > MAX_BYTES) this.#clear();
    else if (this.#count === this.#hashes.length) this.#makeRoom();
  }

  #makeRoom(): void {
    const hashes = new Int32Array(2 * this.#count);
    hashes.set(this.#hashes);
    const ends = new Uint32Array(2 * this.#count + 1);
    ends.set(this.#ends);
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let word = 0; word < this.#count; word++) {
      let slot = (hashes[word] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
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
