/**
 * The distinct words of a store. The words that contain a part are found by `indexOf` in all of them joined, faster
 * than by any index over their parts; those that begin with one by whoever keeps them in order.
 */
import { Recent } from "./recent.ts";
import { irregularFormsOf, stemOf } from "./stem.ts";

/** A run of word characters in a query. Open means that the word of the message may go on there. */
export interface WordPart {
  readonly text: string;
  readonly isOpenLeft: boolean;
  readonly isOpenRight: boolean;
}

/** At most `limit` of the words that begin with `prefix`. */
export type PrefixLookup = (prefix: string, limit: number) => readonly string[];

/** Between joined words. */
export const WORD_BORDER = "\n";
/** Longer endings than `-izations` are no inflection. */
const MAX_SUFFIX_CHARS = 10;
const MAX_KEPT_LISTS = 128;

export class Dictionary {
  readonly #shelves: readonly string[];
  /** Those that hold more than ASCII. */
  readonly #wideShelves: readonly string[];
  readonly #withPrefix: PrefixLookup;
  /** Stop words come again with every question. */
  readonly #found = new Recent<readonly string[]>(MAX_KEPT_LISTS);
  readonly #inflections = new Recent<readonly string[]>(MAX_KEPT_LISTS);

  /**
   * @param shelves words joined by `WORD_BORDER`; those of one byte per character apart from the rest, which would
   * double the width of all
   */
  constructor(shelves: readonly string[], withPrefix: PrefixLookup) {
    this.#shelves = shelves.filter((shelf) => shelf !== "").map((shelf) => WORD_BORDER + shelf + WORD_BORDER);
    this.#wideShelves = this.#shelves.filter((shelf) => Buffer.byteLength(shelf) !== shelf.length);
    this.#withPrefix = withPrefix;
  }

  /** A dictionary of words that are held in memory. */
  static of(words: Iterable<string>): Dictionary {
    const sorted = [...words].sort();
    return new Dictionary([sorted.join(WORD_BORDER)], (prefix, limit) => {
      const first = sorted.findIndex((word) => word >= prefix);
      const found: string[] = [];
      for (let at = first; at !== -1 && at < sorted.length && found.length < limit; at++) {
        const word = sorted[at] ?? "";
        if (!word.startsWith(prefix)) break;
        found.push(word);
      }
      return found;
    });
  }

  /** The words that fit `part`; undefined when there are more than `limit`. */
  find(part: WordPart, limit: number): readonly string[] | undefined {
    const found = this.some(part, limit + 1);
    return found.length > limit ? undefined : found;
  }

  /** At most `limit` of the words that fit `part`. */
  some({ text, isOpenLeft, isOpenRight }: WordPart, limit: number): readonly string[] {
    if (isOpenLeft) {
      const wanted = isOpenRight ? text : text + WORD_BORDER;
      return this.#found.get(`${limit} ${wanted}`, () => this.#containing(wanted, limit));
    }
    if (isOpenRight) return this.#withPrefix(text, limit);
    return this.#withPrefix(text, 1).filter((word) => word === text);
  }

  /** At most `limit` of the words that contain `text`, are not all ASCII, and fulfil `isWanted`. */
  wideContaining(text: string, limit: number, isWanted: (word: string) => boolean): readonly string[] {
    return this.#containing(text, limit, isWanted, this.#wideShelves);
  }

  /** The words with the same stem as `word`. */
  inflectionsOf(word: string): readonly string[] {
    return this.#inflections.get(word, () => this.#findInflections(word));
  }

  #findInflections(word: string): readonly string[] {
    const stem = stemOf(word);
    // A stem is the beginning of its words, but for its last letter. A single letter is a stem of nothing else.
    const isAlone = stem.length < 2 || !/^[a-z]+$/.test(stem);
    const beginning = stem.length > 2 && !isAlone ? stem.slice(0, -1) : stem;
    const regular = this.some(
      { text: beginning, isOpenLeft: false, isOpenRight: !isAlone },
      Number.MAX_SAFE_INTEGER,
    ).filter((known) => known.length <= stem.length + MAX_SUFFIX_CHARS && stemOf(known) === stem);
    const forms = irregularFormsOf(stem).flatMap((form) =>
      this.some({ text: form, isOpenLeft: false, isOpenRight: false }, 1),
    );
    return [...new Set([...regular, ...forms])];
  }

  #containing(
    wanted: string,
    limit: number,
    isWanted = (_: string) => true,
    shelves = this.#shelves,
  ): readonly string[] {
    const found: string[] = [];
    for (const shelf of shelves) {
      let at = shelf.indexOf(wanted);
      while (at !== -1 && found.length < limit) {
        const end = shelf.indexOf(WORD_BORDER, at);
        const word = shelf.slice(shelf.lastIndexOf(WORD_BORDER, at) + 1, end);
        if (isWanted(word)) found.push(word);
        at = shelf.indexOf(wanted, end);
      }
    }
    return found;
  }
}
