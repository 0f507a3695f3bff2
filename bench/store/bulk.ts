/**
 * The bytes that nobody reads again: tool output, diffs, signatures, images. Cut from pools made once, because only
 * their size and their escapes matter.
 */
import { Random } from "../random.ts";
import { codeLine, type Prose } from "./prose.ts";
import { identifier, sourcePath } from "./vocabulary.ts";
import { ERROR_CODES } from "./wordlists.ts";

const POOL_CHARS = 2_000_000;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export class Bulk {
  readonly #lines: string;
  readonly #base64: string;
  readonly #prose: string;

  constructor(seed: string | number, prose: Prose) {
    const random = new Random(seed, "bulk");
    let lines = "";
    while (lines.length < POOL_CHARS) lines += outputLines(random, prose);
    this.#lines = lines;
    let base64 = "";
    while (base64.length < POOL_CHARS) base64 += BASE64[random.between(0, 63)];
    this.#base64 = base64;
    let text = "";
    while (text.length < POOL_CHARS / 2) text += `${prose.text(random, 400)}\n`;
    this.#prose = text;
  }

  /** Listings, matches, code, logs and stack traces. */
  output(random: Random, size: number): string {
    return cut(this.#lines, random, size);
  }

  /** Opaque provider data and image data. */
  base64(random: Random, size: number): string {
    return cut(this.#base64, random, size);
  }

  /** Thoughts and reports of subagents: prose that is not searched. */
  unheard(random: Random, size: number): string {
    return cut(this.#prose, random, size);
  }
}

function cut(pool: string, random: Random, size: number): string {
  if (size >= pool.length) return pool + cut(pool, random, size - pool.length);
  const from = random.between(0, pool.length - size - 1);
  return pool.slice(from, from + size);
}

function outputLines(random: Random, prose: Prose): string {
  const length = random.between(3, 40);
  const line: () => string = random.pick([
    () => codeLine(random),
    () => `${String(random.between(1, 900)).padStart(4)}\t${codeLine(random)}`,
    () => `${sourcePath(random)}:${random.between(1, 900)}:${codeLine(random)}`,
    () =>
      `-rw-r--r-- 1 ada ada ${random.between(40, 90000)} Mar ${random.between(1, 30)} 10:2${random.between(0, 9)} ${sourcePath(random)}`,
    () =>
      ` \u001b[32m✓\u001b[39m ${sourcePath(random)} \u001b[2m(${random.between(1, 60)} tests)\u001b[22m ${random.between(2, 900)}ms`,
    () =>
      `    at ${identifier(random)} (/home/ada/projects/harbor/${sourcePath(random)}:${random.between(1, 900)}:${random.between(1, 90)})`,
    () =>
      `{"level":"warn","code":"${random.pick(ERROR_CODES)}","id":"${random.hex(16)}","ms":${random.between(1, 90000)}}`,
    () => prose.text(random, 60).replaceAll("\n", " "),
  ]);
  return Array.from({ length }, () => `${line()}\n`).join("");
}
