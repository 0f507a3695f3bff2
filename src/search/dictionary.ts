/**
 * The distinct words of a store as searchable strings. Finding the words that contain a part is one pass of `indexOf`,
 * faster than any index over them.
 */
import { baseOf, irregularFormsOf } from "./irregular.ts";
import { stemOf } from "./stem.ts";

/** Longer endings than `-izations` are no inflection. */
const MAX_SUFFIX_CHARS = 10;
const BORDER = "\n"; // never inside a word

export class Dictionary {
  /** Words of one byte per character apart from the rest, which would double the width of all. */
  readonly #shelves: readonly string[];

  constructor(words: Iterable<string>, shelves: readonly string[] = []) {
    const narrow: string[] = [];
    const wide: string[] = [];
    for (const word of words) (isNarrow(word) ? narrow : wide).push(word);
    this.#shelves = [...shelves, ...[narrow, wide].map((shelf) => shelfOf(shelf.join(BORDER)))];
  }

  /** Words that are joined already, by line breaks. */
  static ofShelves(shelves: readonly string[]): Dictionary {
    return new Dictionary([], shelves.map(shelfOf));
  }

  /** The words that fit `part`; undefined when there are more than `limit`. */
  find(part: WordPart, limit: number): readonly string[] | undefined {
    const found = this.some(part, limit + 1);
    return found.length > limit ? undefined : found;
  }

  /** At most `limit` of the words that fit `part`. */
  some(part: WordPart, limit: number): readonly string[] {
    const wanted = (part.isOpenLeft ? "" : BORDER) + part.text + (part.isOpenRight ? "" : BORDER);
    const found: string[] = [];
    for (const shelf of this.#shelves) {
      let at = shelf.indexOf(wanted);
      while (at !== -1 && found.length < limit) {
        const start = part.isOpenLeft ? shelf.lastIndexOf(BORDER, at) + 1 : at + 1;
        const end = shelf.indexOf(BORDER, Math.max(start, at + wanted.length - 1));
        found.push(shelf.slice(start, end));
        at = shelf.indexOf(wanted, end);
      }
    }
    return found;
  }

  /** The words with the same stem as `word`. */
  inflectionsOf(word: string): readonly string[] {
    const base = baseOf(word);
    const stem = stemOf(base);
    // A stem is the beginning of its words, but for its last letter. A short one is a stem of nothing else.
    const isShort = stem.length < 3;
    const beginning = { text: isShort ? base : stem.slice(0, -1), isOpenLeft: false, isOpenRight: !isShort };
    const candidates = this.some(beginning, Number.POSITIVE_INFINITY);
    const regular = candidates.filter(
      (candidate) => candidate.length <= stem.length + MAX_SUFFIX_CHARS && stemOf(candidate) === stem,
    );
    const forms = irregularFormsOf(base).flatMap((form) =>
      this.some({ text: form, isOpenLeft: false, isOpenRight: false }, 1),
    );
    return [...new Set([...regular, ...forms])];
  }
}

/** A run of word characters in a query. Open means that the word of the message may go on there. */
export interface WordPart {
  readonly text: string;
  readonly isOpenLeft: boolean;
  readonly isOpenRight: boolean;
}

function shelfOf(joined: string): string {
  return BORDER + (joined === "" ? "" : joined + BORDER);
}

function isNarrow(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 0xff) return false;
  return true;
}
