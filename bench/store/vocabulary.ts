/**
 * Words with a natural distribution: function words and developers' words at the head, 16,000 made-up lemmas with
 * English inflections behind them, drawn by Zipf and Mandelbrot's law.
 */
import { Random } from "../random.ts";
import { FUNCTION_WORDS, IDENTIFIER_PARTS, NOUNS, VERBS } from "./wordlists.ts";

const MADE_LEMMAS = 16_000;
const ONSETS = "b br c ch cl d dr f fl g gl h j k kr l m n p pl qu r s sc sk sp st t th tr v w z".split(" ");
const NUCLEI = "a e i o u ai ea io ou".split(" ");
const CODAS = ["", "", "", "n", "r", "l", "m", "s", "t", "nd", "rk", "x"];

function plural(noun: string): string {
  if (/(s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** The forms of a regular verb: base, -s, -ed, -ing. */
export function verbForms(verb: string): readonly [string, string, string, string] {
  const third = plural(verb);
  if (/[^aeiou]y$/.test(verb)) return [verb, third, `${verb.slice(0, -1)}ied`, `${verb}ing`];
  if (verb.endsWith("e")) return [verb, third, `${verb}d`, `${verb.slice(0, -1)}ing`];
  return [verb, third, `${verb}ed`, `${verb}ing`];
}

export function nounForms(noun: string): readonly [string, string] {
  return [noun, plural(noun)];
}

/** A word that sounds like one and means nothing. */
export function madeWord(random: Random, syllables: number): string {
  let word = "";
  for (let i = 0; i < syllables; i++) word += random.pick(ONSETS) + random.pick(NUCLEI);
  return word + random.pick(CODAS);
}

export class Vocabulary {
  /** Forms of each lemma, by rank. */
  readonly #lemmas: (readonly string[])[] = [];
  readonly #cumulative: Float64Array;

  constructor(seed: string | number) {
    const random = new Random(seed, "vocabulary");
    const taken = new Set<string>();
    const add = (forms: readonly string[]): void => {
      const [base = ""] = forms;
      if (taken.has(base)) return;
      taken.add(base);
      this.#lemmas.push(forms);
    };
    for (const word of FUNCTION_WORDS) add([word]);
    const known = [...NOUNS.map(nounForms), ...VERBS.map(verbForms)] as (readonly string[])[];
    for (const forms of random.shuffle(known)) add(forms);
    while (this.#lemmas.length < MADE_LEMMAS) {
      const word = madeWord(random, random.pick([1, 2, 2, 2, 3, 3]));
      add(random.chance(0.3) ? verbForms(word) : random.chance(0.7) ? nounForms(word) : [word]);
    }
    this.#cumulative = new Float64Array(this.#lemmas.length);
    let sum = 0;
    for (let rank = 0; rank < this.#lemmas.length; rank++) {
      sum += 1 / (rank + 3.7) ** 1.05;
      this.#cumulative[rank] = sum;
    }
  }

  word(random: Random): string {
    const total = this.#cumulative.at(-1) ?? 0;
    const wanted = random.next() * total;
    let low = 0;
    let high = this.#cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cumulative[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return this.#form(random, low);
  }

  /** Some word between two ranks; 0 is the commonest. */
  wordOfRank(random: Random, from: number, to: number): string {
    return this.#form(random, random.between(from, to));
  }

  #form(random: Random, rank: number): string {
    const forms = this.#lemmas[rank] ?? ["the"];
    return (random.chance(0.6) ? forms[0] : random.pick(forms)) ?? "the";
  }
}

const KNOWN_NAMES = 5000;
const FRESH_SHARE = 0.06;

/** Names recur: most draws come from a known set, its first members the most often. */
function createNames(make: (random: Random) => string): (random: Random) => string {
  const known: (string | undefined)[] = [];
  return (random) => {
    if (random.chance(FRESH_SHARE)) return make(random);
    const which = Math.floor(KNOWN_NAMES * random.next() ** 2);
    const name = known[which] ?? make(new Random("name", which));
    known[which] = name;
    return name;
  };
}

/** An identifier in one of the usual spellings. */
export const identifier = createNames((random) => {
  const parts = Array.from({ length: random.between(2, 3) }, () => random.pick(IDENTIFIER_PARTS));
  const capital = (part: string) => part.charAt(0).toUpperCase() + part.slice(1);
  const tail = random.chance(0.1) ? String(random.between(2, 400)) : "";
  switch (random.between(0, 3)) {
    case 0:
      return parts.join("_") + tail;
    case 1:
      return parts.join("-") + tail;
    case 2:
      return parts.map(capital).join("") + tail;
    default:
      return (parts[0] ?? "") + parts.slice(1).map(capital).join("") + tail;
  }
});

const EXTENSIONS = ["ts", "ts", "ts", "tsx", "md", "json", "py", "rs", "sql", "yml"];

/** A file of some project, relative to its directory. */
export const sourcePath = createNames((random) => {
  const folders = Array.from({ length: random.between(1, 3) }, () => identifier(random).toLowerCase());
  return `${random.pick(["src", "src", "test", "lib", "packages"])}/${folders.join("/")}.${random.pick(EXTENSIONS)}`;
});
