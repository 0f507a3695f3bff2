/**
 * The stores that cases work on, built once and kept in a cache directory under a name made of everything that shapes
 * them. A store whose building was cut short has no facts and is built anew.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { GENERATOR_VERSION, type RealisticStore, writeRealisticStore } from "./store.ts";

const SEED = 1;

export class Stores {
  readonly scale: number;
  readonly seed = SEED;
  readonly #cacheDirectory: string;

  constructor(cacheDirectory: string, scale: number) {
    this.#cacheDirectory = cacheDirectory;
    this.scale = scale;
  }

  /**
   * The root of the store that `build` writes, and the value that `build` returned. `parameters` must hold all that
   * shapes the store. Sides must not change it: copy it first.
   */
  cached<T>(
    kind: string,
    parameters: object,
    build: (root: string) => T,
  ): { readonly root: string; readonly value: T } {
    const key = JSON.stringify({ version: GENERATOR_VERSION, seed: this.seed, ...parameters });
    const digest = createHash("sha256").update(key).digest("hex").slice(0, 12);
    const directory = path.join(this.#cacheDirectory, `${kind}-${digest}`);
    const root = path.join(directory, "sessions");
    const facts = path.join(directory, "facts.json");
    if (!existsSync(facts)) {
      console.error(`building ${kind} ${key} …`);
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(root, { recursive: true });
      writeFileSync(facts, JSON.stringify(build(root) ?? null));
    }
    // What `build` returned went through JSON, the first time as well as later.
    return { root, value: JSON.parse(readFileSync(facts, "utf8")) };
  }

  /** The realistic store: 250 MB times the scale, 40 known items of each kind. */
  realistic(): { readonly root: string; readonly value: RealisticStore } {
    const request = { seed: this.seed, bytes: Math.round(250e6 * this.scale), itemsPerKind: 40 };
    return this.cached("realistic", request, (root) => writeRealisticStore(root, request));
  }

  /** The same seeds and cache for stores of another size. */
  times(factor: number): Stores {
    return new Stores(this.#cacheDirectory, this.scale * factor);
  }

  /** An empty directory for what a case writes; emptied again at each call. */
  scratch(name: string): string {
    const directory = path.join(this.#cacheDirectory, `scratch-${name}`);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    return directory;
  }
}
