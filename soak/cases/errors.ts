/** The system refuses: any call of the file system may fail with any error. */

import path from "node:path";
import { Random } from "../../bench/random.ts";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";
import type { SoakCase } from "../case.ts";
import { ask, told } from "../support/asking.ts";
import { withFsHook } from "../support/fsHook.ts";
import { fill, placeIn, requireRecovery } from "../support/stores.ts";

const CODES = [
  "EACCES",
  "EPERM",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOENT",
  "ENOTDIR",
  "ELOOP",
  "ESTALE",
  "EINTR",
  "ENOMEM",
];

export const errors: SoakCase = {
  name: "errors",
  what: "any file-system call below the store or the index fails with any code: an answer or a plain error, nothing lost",
  longRounds: 1000,
  shortRounds: 12,
  async run({ seed, directory, count }) {
    const random = new Random("errors", seed);
    const place = placeIn(directory);
    const { root, indexPath } = place;
    const files = fill(root, random, 6, 4);
    const index = await openIndex(indexPath);
    try {
      if (random.chance(0.5)) await syncIndex(index, { roots: [root] });
      for (let left = random.between(1, 4); left > 0; left--) {
        const failing = new Set(Array.from({ length: random.between(1, 6) }, () => random.between(0, 60)));
        const isForEver = random.chance(0.2);
        const first = Math.min(...failing);
        await withFsHook(
          random.chance(0.7) ? root : directory,
          ({ name, path: at, number }) => {
            if (!failing.has(number) && !(isForEver && number > first)) return;
            const code = random.pick(CODES);
            count("failed calls");
            throw Object.assign(new Error(`${code}: made up, ${name}${at === undefined ? "" : ` '${at}'`}`), {
              code,
            });
          },
          () =>
            random.chance(0.4)
              ? told(() => syncIndex(index, { roots: [root] }))
              : ask(random, root, files, random.chance(0.5) ? indexPath : undefined),
        );
        count("answers");
      }
    } finally {
      index.close();
    }
    await requireRecovery(place, path.join(directory, "cold.db"));
  },
};
