/** 200 queries, 40 of each kind that people ask, made from a store's known items and its vocabulary. */
import { Random } from "./random.ts";
import { Vocabulary } from "./store/vocabulary.ts";
import type { ItemKind, RealisticStore } from "./store.ts";

const PER_KIND = 40;
/** Ranks in the vocabulary: function words and the commonest others; then words that many messages hold. */
const COMMON = [0, 250] as const;
const USUAL = [60, 3000] as const;

export interface BenchQuery {
  readonly kind: "rare word" | "common word" | "two words" | "identifier inside" | "plain question";
  readonly text: string;
}

export function queriesFor({ items }: RealisticStore, seed: string | number): readonly BenchQuery[] {
  const random = new Random(seed, "queries");
  const vocabulary = new Vocabulary(seed);
  const known = (kind: ItemKind) => items.filter((item) => item.kind === kind).map(({ query }) => query);
  const word = ([from, to]: readonly [number, number]) => vocabulary.wordOfRank(random, from, to);
  const drawn = (make: () => string) => Array.from({ length: PER_KIND }, make);
  const texts: Readonly<Record<BenchQuery["kind"], readonly string[]>> = {
    "rare word": known("rare word"),
    "common word": drawn(() => word(COMMON)),
    // Half of them scarce words of one message, half of them words that meet in many.
    "two words": [
      ...known("two words").slice(0, PER_KIND / 2),
      ...drawn(() => `${word(USUAL)} ${word(USUAL)}`),
    ],
    "identifier inside": known("identifier inside"),
    "plain question": known("plain question"),
  };
  return Object.entries(texts).flatMap(([kind, all]) =>
    all.slice(0, PER_KIND).map((text) => ({ kind: kind as BenchQuery["kind"], text })),
  );
}

/** What a scan looks for: each word as it stands. */
export function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/[?!.,;]+$/, ""))
    .filter((word) => word !== "");
}
