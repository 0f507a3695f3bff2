/** All entries of a session of 47 MB and 12,000 entries. */
import { defineCase, wallTime } from "../case.ts";
import { parseEachLine } from "../loops.ts";
import { writeSingleSession } from "../store.ts";

export default defineCase<{ readonly root: string; readonly path: string }>({
  name: "entries-all",
  about: "every entry of a 47 MB session | read 1 MiB blocks, split at LF, parse each line, keep the values",
  bars: [wallTime(1.2)],

  prepare(stores) {
    const maxEntries = Math.round(12_000 * stores.scale);
    const request = { seed: stores.seed, bytes: Number.MAX_SAFE_INTEGER, maxEntries, maxResultChars: 20_000 };
    const { root, value } = stores.cached("session", request, (root) => writeSingleSession(root, request));
    return { root, path: `${root}/${value}` };
  },

  async ours({ root, path }, meter) {
    const { readSessionEntries } = await meter.loadLibrary();
    const read = await meter.timed(() => readSessionEntries({ sessionPath: path }, { sessionsRoot: root }));
    meter.figure("rows", read.entries.length);
  },

  async floor({ path }, meter) {
    const values = await meter.timed(() => {
      const values: unknown[] = [];
      parseEachLine(path, (value) => values.push(value));
      return values;
    });
    meter.figure("rows", values.length - 1); // the header is no entry
  },
});
