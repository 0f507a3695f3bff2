/**
 * Known items: words planted in one message of one session, with the query that must find it. Decoys repeat some of
 * them in the tool output of another session, where search must not look.
 */
import type { Random } from "../random.ts";
import { identifier, madeWord, nounForms, type Vocabulary, verbForms } from "./vocabulary.ts";
import { HAN, IDENTIFIER_PARTS, NOUNS } from "./wordlists.ts";

export const ITEM_KINDS = [
  "rare word",
  "identifier inside",
  "two words",
  "phrase",
  "plain question",
  "CJK bigram",
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export interface KnownItem {
  readonly kind: ItemKind;
  readonly query: string;
  /** Path of the only session whose visible text holds it (forks that copied the message left out). */
  readonly path: string;
}

export interface Plant {
  readonly kind: ItemKind;
  readonly query: string;
  /** What is written into the message. */
  readonly sentence: string;
  /** Lower-case texts of which another message must not hold all; empty when other messages may hold the words. */
  readonly needles: readonly string[];
  readonly hasDecoy: boolean;
}

/** Verbs whose regular forms share one Porter stem. */
const QUESTION_VERBS =
  "migrate parse validate restore reject truncate release measure record connect append schedule escape encode resolve accept render report publish compare delete rename restore collect deploy".split(
    " ",
  );

export function makePlant(kind: ItemKind, random: Random, vocabulary: Vocabulary): Plant {
  const common = () => vocabulary.wordOfRank(random, 0, 60);
  const middling = () => vocabulary.wordOfRank(random, 300, 4000);
  switch (kind) {
    case "rare word": {
      const word = `${madeWord(random, 4)}${random.pick(["vq", "xw", "jt"])}`;
      return plant(kind, word, `${middling()} ${word} ${common()} ${middling()}.`, [word], true);
    }
    case "identifier inside": {
      const middle = madeWord(random, 3);
      const name = `${random.pick(IDENTIFIER_PARTS)}_${middle}_${random.pick(IDENTIFIER_PARTS)}`;
      const spelled = random.chance(0.5)
        ? name
        : name.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase());
      const from = spelled.toLowerCase().indexOf(middle);
      const query = spelled.slice(from - random.between(0, 2), from + middle.length - random.between(0, 2));
      const inside = query.toLowerCase();
      return plant(
        kind,
        inside,
        `${common()} \`${spelled}\` ${middling()} ${identifier(random)}.`,
        [inside],
        true,
      );
    }
    case "two words": {
      const scarce = () => vocabulary.wordOfRank(random, 2500, 12_000);
      const [first, second] = [scarce(), scarce()];
      const sentence = `${first} ${common()} ${middling()} ${common()} ${common()} ${second}.`;
      return plant(kind, `${second} ${first}`, sentence, [first, second], false);
    }
    case "phrase": {
      const phrase = `${common()} ${middling()} ${common()} ${middling()} ${common()}`;
      return plant(kind, `"${phrase}"`, `${middling()} ${phrase} ${common()}.`, [phrase], true);
    }
    case "plain question":
      return question(random);
    case "CJK bigram": {
      const rare = () => HAN[random.between(Math.floor(HAN.length / 2), HAN.length - 1)] ?? "件";
      const bigram = rare() + rare();
      return plant(kind, bigram, `${rare()}${bigram}${rare()}。`, [bigram], true);
    }
  }
}

function question(random: Random): Plant {
  const [v1, v2, v3] = [
    random.pick(QUESTION_VERBS),
    random.pick(QUESTION_VERBS),
    random.pick(QUESTION_VERBS),
  ];
  const [n1, n2, n3] = [random.pick(NOUNS), random.pick(NOUNS), random.pick(NOUNS)];
  const [, , past1] = verbForms(v1);
  const [, , , ing2] = verbForms(v2);
  const [, , past3] = verbForms(v3);
  const sentence = `We ${past1} the ${nounForms(n1)[1]} before ${ing2} the ${n2}, because each ${n3} was ${past3} twice.`;
  const query = `why did we ${v1} the ${n1} before we ${v2} ${nounForms(n2)[1]}, and which ${nounForms(n3)[1]} did we ${v3}?`;
  return plant("plain question", query, sentence, [], false);
}

function plant(
  kind: ItemKind,
  query: string,
  sentence: string,
  needles: readonly string[],
  hasDecoy: boolean,
): Plant {
  return { kind, query, sentence, needles: needles.map((needle) => needle.toLowerCase()), hasDecoy };
}

/** Which sessions hold each planted item, as the visible texts go by. */
export class ItemLedger {
  readonly #holders = new Map<Plant, Set<string>>();
  readonly #plants: readonly Plant[];

  constructor(plants: readonly Plant[]) {
    this.#plants = plants;
  }

  /** Called for each visible text that a session writes itself. */
  see(text: string, path: string): void {
    const folded = text.toLowerCase();
    for (const plant of this.#plants) {
      if (plant.needles.length === 0 || !plant.needles.every((needle) => folded.includes(needle))) continue;
      const holders = this.#holders.get(plant) ?? new Set();
      this.#holders.set(plant, holders.add(path));
    }
  }

  /** The item, unless chance put its words into a second session as well. */
  itemOf(plant: Plant, path: string): KnownItem | undefined {
    const holders = this.#holders.get(plant);
    if (plant.needles.length > 0 && (holders?.size !== 1 || !holders.has(path))) return undefined;
    return { kind: plant.kind, query: plant.query, path };
  }
}
