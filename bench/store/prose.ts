/** What people and agents write: sentences with identifiers, paths, error codes, code, CJK and accented text. */
import type { Random } from "../random.ts";
import { identifier, sourcePath, type Vocabulary } from "./vocabulary.ts";
import { ACCENTED, ERROR_CODES, HAN, KANA } from "./wordlists.ts";

export function codeLine(random: Random): string {
  const name = identifier(random).replaceAll("-", "_");
  const other = identifier(random).replaceAll("-", "_");
  switch (random.between(0, 6)) {
    case 0:
      return `import { ${name} } from "./${other}.ts";`;
    case 1:
      return `  const ${name} = await ${other}(${random.between(0, 9000)}, { signal });`;
    case 2:
      return `  if (${name} === undefined) throw new Error("${other} is missing");`;
    case 3:
      return `export function ${name}(${other}: string): number {`;
    case 4:
      return `    return ${name}.map((${other}) => ${other}.length);`;
    case 5:
      return "}";
    default:
      return `  // ${name}: see ${sourcePath(random)}:${random.between(1, 900)}`;
  }
}

export class Prose {
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** At least `size` characters (one sentence more at most). */
  text(random: Random, size: number): string {
    const kind = random.next();
    const sentence =
      kind < 0.02
        ? () => this.#han(random)
        : kind < 0.03
          ? () => this.#kana(random)
          : kind < 0.07
            ? () => this.#sentence(random, 0.35)
            : () => this.#sentence(random, 0.002);
    let text = "";
    while (text.length < size) {
      if (text !== "") text += random.chance(0.25) ? "\n\n" : " ";
      text += random.chance(0.06) ? this.#block(random) : sentence();
    }
    return text;
  }

  /** A short imperative or question, as sessions are named and tasks are given. */
  title(random: Random): string {
    const words = Array.from({ length: random.between(3, 7) }, () => this.#vocabulary.word(random));
    return capitalized(words.join(" "));
  }

  #sentence(random: Random, accentedShare: number): string {
    const length = random.between(5, 19);
    let text = "";
    for (let i = 0; i < length; i++) {
      const word = random.chance(accentedShare) ? random.pick(ACCENTED) : this.#word(random);
      text += i === 0 ? capitalized(word) : random.chance(0.07) ? `, ${word}` : ` ${word}`;
    }
    return text + random.pick([".", ".", ".", ".", "?", ":", "!"]);
  }

  #word(random: Random): string {
    if (!random.chance(0.07)) return this.#vocabulary.word(random);
    switch (random.between(0, 9)) {
      case 0:
      case 1:
      case 2:
        return `\`${identifier(random)}\``;
      case 3:
        return identifier(random);
      case 4:
      case 5:
        return sourcePath(random);
      case 6:
        return random.pick(ERROR_CODES);
      case 7:
        return `${random.between(0, 9)}.${random.between(0, 30)}.${random.between(0, 9)}`;
      case 8:
        return `#${random.between(1, 4000)}`;
      default:
        return random.hex(7);
    }
  }

  #block(random: Random): string {
    const length = random.between(2, 9);
    if (random.chance(0.5)) {
      const lines = Array.from({ length }, () => codeLine(random));
      return `\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n`;
    }
    return `\n${Array.from({ length }, () => `- ${this.#sentence(random, 0.002)}`).join("\n")}\n`;
  }

  #han(random: Random): string {
    let text = "";
    const length = random.between(8, 40);
    for (let i = 0; i < length; i++) text += HAN[Math.floor(HAN.length * random.next() ** 2)] ?? "";
    if (random.chance(0.4)) text += random.chance(0.5) ? identifier(random) : this.#vocabulary.word(random);
    return `${text}。`;
  }

  #kana(random: Random): string {
    let text = "";
    const length = random.between(4, 14);
    for (let i = 0; i < length; i++)
      text += random.chance(0.2) ? (HAN[random.between(0, 200)] ?? "") : random.pick(KANA);
    return `${text}。`;
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
