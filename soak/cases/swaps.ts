/** Files and directories that change into something else between a look and an open. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Random } from "../../bench/random.ts";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { fileOf, headerLine, messageLine } from "../../test/index/content.ts";
import type { SoakCase } from "../case.ts";
import { ask, told } from "../support/asking.ts";
import { withFsHook } from "../support/fsHook.ts";
import { fill, placeIn, requireRecovery } from "../support/stores.ts";

const SECRET = "outside-secret";

export const swaps: SoakCase = {
  name: "swaps",
  what: "at any call: file or directory becomes a FIFO, link, directory or nothing, grows, shrinks or moves",
  longRounds: 1000,
  shortRounds: 12,
  async run({ seed, directory, count }) {
    const random = new Random("swaps", seed);
    const place = placeIn(directory);
    const { root, indexPath } = place;
    const files = fill(root, random, 6, 4);
    const outside = path.join(directory, "outside");
    mkdirSync(outside);
    writeFileSync(path.join(outside, "x.jsonl"), lookalike(SECRET));
    // What lies behind a directory that became a link may be read until the next walk (docs/design.md), never kept.
    const elsewhere = path.join(directory, "elsewhere");
    mkdirSync(elsewhere);
    for (const file of files)
      writeFileSync(path.join(elsewhere, path.basename(file)), lookalike("elsewhere"));
    const index = await openIndex(indexPath);
    try {
      if (random.chance(0.5)) await syncIndex(index, { roots: [root] });
      for (let left = random.between(1, 4); left > 0; left--) {
        const moments = new Set(Array.from({ length: random.between(1, 3) }, () => random.between(0, 60)));
        const answer = await withFsHook(
          root,
          ({ number }) => {
            if (!moments.has(number)) return;
            sabotage(random, random.pick(files), { outside, elsewhere });
            count("swaps");
          },
          () =>
            random.chance(0.4)
              ? told(() => syncIndex(index, { roots: [root] }))
              : ask(random, root, files, random.chance(0.5) ? indexPath : undefined),
        );
        assert.ok(!answer.includes(SECRET), `an answer reaches outside: ${answer}`);
        count("answers");
      }
    } finally {
      index.close();
    }
    await requireRecovery(place, path.join(directory, "cold.db"));
  },
};

function lookalike(words: string): string {
  return fileOf(headerLine(), messageLine("m1", "user", `${words} deploy`));
}

interface Elsewhere {
  /** Holds files that links lead to. */
  readonly outside: string;
  /** Takes the place of a directory. */
  readonly elsewhere: string;
}

function sabotage(random: Random, file: string, { outside, elsewhere }: Elsewhere): void {
  const directory = path.dirname(file);
  const victim = random.chance(0.6) ? file : directory;
  const actions: (() => unknown)[] = [
    () => rmSync(victim, { recursive: true, force: true }),
    () => renameSync(victim, asideOf(victim, random)),
    () => {
      rmSync(victim, { recursive: true, force: true });
      mkdirSync(victim, { recursive: true });
    },
    () => {
      rmSync(file, { recursive: true, force: true });
      spawnSync("mkfifo", [file]);
    },
    () => {
      rmSync(file, { recursive: true, force: true });
      symlinkSync(path.join(outside, "x.jsonl"), file);
    },
    () => {
      renameSync(directory, asideOf(directory, random));
      symlinkSync(elsewhere, directory);
    },
    () => truncateSync(file, random.between(0, 400)),
    () => {
      // To open what has become a FIFO for writing would wait for a reader.
      if (lstatSync(file).isFile()) appendFileSync(file, fileOf(messageLine("n", "user", "appended deploy")));
    },
    () => {
      writeFileSync(`${file}.new`, fileOf(headerLine(), messageLine("r", "user", "replaced deploy")));
      renameSync(`${file}.new`, file);
    },
  ];
  try {
    random.pick(actions)();
  } catch {
    // an earlier harm has taken what this one needs
  }
}

/** A new name that the walk reads or passes over as it does the old one. */
function asideOf(victim: string, random: Random): string {
  if (path.basename(victim) === "session.jsonl") {
    return path.join(path.dirname(victim), `2026-01-01T00-00-00-000Z_x${random.hex(4)}.jsonl`);
  }
  const [, prefix = "", ending = ""] = /^(.*?)(--|\.jsonl|)$/.exec(path.basename(victim)) ?? [];
  return path.join(path.dirname(victim), `${prefix}x${random.hex(4)}${ending}`);
}
