/** A denied project cannot be told from one that does not exist. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import {
  askEverything,
  node,
  removeEmptyDirectories,
  type Written,
  write,
} from "../../test/access/deniedStores.ts";
import type { SoakCase } from "../case.ts";

export const access: SoakCase = {
  name: "access",
  what: "every answer and error under an allowlist is the same when the denied files are deleted",
  longRounds: 100,
  shortRounds: 1,
  async run({ seed, isShort, directory, count }) {
    let run = 0;
    const store = fc.array(node(3), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(store, fc.boolean(), async (nodes, isTidied) => {
      const own = path.join(directory, String(run++));
      const root = path.join(own, "sessions");
      mkdirSync(root, { recursive: true });
      const written: Written = { all: [], denied: [] };
      nodes.forEach((top, i) => {
        write(top, path.join(root, `--p${i % 2}--`, `s${i}.jsonl`), false, written);
      });
      const asked = written.all.flatMap((file) => [
        ...[file, `${file}/`, `${file}.missing`, path.dirname(file), file.slice(0, -".jsonl".length)],
        `${path.dirname(file)}/./x/../${path.basename(file)}`,
      ]);
      const before = await askEverything(root, asked, path.join(own, "one.db"));
      for (const file of written.denied) rmSync(file);
      if (isTidied) removeEmptyDirectories(root, root);
      assert.deepEqual(await askEverything(root, asked, path.join(own, "one.db")), before);
      assert.deepEqual(await askEverything(root, asked, path.join(own, "two.db")), before);
      count("stores");
      count("denied sessions", written.denied.length);
    });
    await fc.assert(property, { seed, numRuns: isShort ? 2 : 10 });
  },
};
