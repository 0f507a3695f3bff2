/** Memory while lines of 20 MB are indexed: long texts of one script and of several, tool output, and a torn one. */
import { mkdirSync, rmSync } from "node:fs";
import { defineCase, peakMemory, shown } from "../case.ts";
import { Random } from "../random.ts";
import { LineFile } from "../store/lineFile.ts";
import { fileName, slugOf } from "../store/plan.ts";
import { Vocabulary } from "../store/vocabulary.ts";

const LINE_BYTES = 20e6;
/** The bar's words: 100 MB, plus 8 × the longest line beyond 1 MB. */
const MAX_PEAK_MB = 100 + 8 * (LINE_BYTES / 1e6 - 1);
const MIXED = "Ünïcödé 検索インデックス приве́т 👩‍💻 ";
const KINDS = ["ascii", "mixed", "escaped", "output", "torn"] as const;

export default defineCase<{ readonly root: string; readonly directory: string }>({
  name: "index-long-lines",
  about: "cold index of sessions with a line of 20 MB each; 8 × the longest line beyond 1 MB is allowed",
  bars: [peakMemory(MAX_PEAK_MB), shown("seconds", "s", "time")],
  runs: 3,

  prepare(stores) {
    const parameters = { lineBytes: LINE_BYTES, kinds: KINDS };
    const { root } = stores.cached("long-lines", parameters, (root) => writeSessions(root, stores.seed));
    return { root, directory: stores.scratch("index-long-lines") };
  },

  async ours({ root, directory }, meter) {
    const { openIndex } = await import("../../src/index/open.ts");
    const { syncIndex } = await import("../../src/index/sync.ts");
    rmSync(`${directory}/ours`, { recursive: true, force: true });
    const startMs = performance.now();
    const index = await openIndex(`${directory}/ours/index.db`);
    await meter.timed(() => syncIndex(index, { roots: [root] }));
    meter.figure("seconds", (performance.now() - startMs) / 1000);
    index.close();
  },
});

function writeSessions(root: string, seed: number): void {
  const random = new Random(seed, "long lines");
  const vocabulary = new Vocabulary(seed);
  const cwd = "/home/ada/projects/harbor";
  const directory = `${root}/${slugOf(cwd)}`;
  mkdirSync(directory);
  for (const [i, kind] of KINDS.entries()) {
    const startMs = Date.UTC(2026, 1, 2, 9 + i);
    const id = random.uuid();
    const timestamp = new Date(startMs).toISOString();
    const file = new LineFile(`${directory}/${fileName(startMs, id)}`);
    file.line(JSON.stringify({ type: "session", version: 3, id, timestamp, cwd }));
    const say = (role: string, text: string) => {
      const message = { role, content: [{ type: "text", text }], timestamp: startMs };
      return JSON.stringify({ type: "message", id: random.hex(8), parentId: null, timestamp, message });
    };
    file.line(say("user", "Here it comes."));
    const text = kind === "mixed" ? filled(() => MIXED) : filled(() => `${vocabulary.word(random)} `);
    if (kind === "escaped")
      file.line(
        say(
          "assistant",
          filled(() => `"${vocabulary.word(random)}"\n\t`),
        ),
      );
    else if (kind === "output") file.line(say("toolResult", text));
    else if (kind === "torn") file.text(say("assistant", text).slice(0, -20));
    else file.line(say("assistant", text));
    if (kind !== "torn") file.line(say("user", "And on."));
    file.close();
  }
}

/** Pieces until a line of them has its bytes. */
function filled(next: () => string): string {
  const pieces: string[] = [];
  for (let bytes = 0; bytes < LINE_BYTES - 500; ) {
    const piece = next();
    bytes += Buffer.byteLength(JSON.stringify(piece)) - 2;
    pieces.push(piece);
  }
  return pieces.join("");
}
