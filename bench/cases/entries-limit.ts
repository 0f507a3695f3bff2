/** One entry of a 200 MB session: the whole file is judged, nothing is kept. */
import { defineCase, peakMemory, wallTime } from "../case.ts";
import { parseEachLine } from "../loops.ts";
import { writeSingleSession } from "../store.ts";

export default defineCase<{ readonly root: string; readonly path: string }>({
  name: "entries-limit",
  about: "limit: 1 on a 200 MB session | read 1 MiB blocks, split at LF, parse each line, keep nothing",
  bars: [wallTime(1.2), peakMemory(32)],

  prepare(stores) {
    const request = { seed: stores.seed, bytes: Math.round(200e6 * stores.scale) };
    const { root, value } = stores.cached("session", request, (root) => writeSingleSession(root, request));
    return { root, path: `${root}/${value}` };
  },

  async ours({ root, path }, meter) {
    const { readSessionEntries } = await meter.loadLibrary();
    const read = await meter.timed(() =>
      readSessionEntries({ sessionPath: path, limit: 1 }, { sessionsRoot: root }),
    );
    meter.figure("entries", read.entries.length);
  },

  async floor({ path }, meter) {
    await meter.timed(() => parseEachLine(path, () => undefined));
  },
});
