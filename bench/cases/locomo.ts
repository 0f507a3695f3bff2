/**
 * Retrieval quality on LoCoMo dialogs: every question is asked verbatim of an index of its dialog. Counted is the first
 * session that holds evidence. LOCOMO_DIR names the directory of `dialog-*.json`.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { defineCase, figureBar, shown } from "../case.ts";
import { dialogFiles, requireDialog, writeDialog } from "../dialogs.ts";

/** As many rows as a call may ask for. */
const LIMIT = 10;

export default defineCase<{ readonly files: readonly string[]; readonly directory: string }>({
  name: "locomo",
  about: "questions on the LoCoMo dialogs, verbatim, through searchSessions",
  bars: [
    figureBar("hit@1", "least", 72, "%"),
    figureBar("hit@5", "least", 92, "%"),
    figureBar("MRR", "least", 0.81, ""),
    shown("questions", ""),
  ],
  runs: 1,

  skip: () => (process.env["LOCOMO_DIR"] ? undefined : "LOCOMO_DIR names no directory of dialog-*.json"),

  prepare(stores) {
    return { files: dialogFiles(process.env["LOCOMO_DIR"] ?? ""), directory: stores.scratch("locomo") };
  },

  async ours({ files, directory }, meter) {
    const { searchSessions } = await meter.loadLibrary();
    const ranks: (number | undefined)[] = [];
    for (const file of files) {
      const dialog = requireDialog(file);
      const root = path.join(directory, path.basename(file, ".json"));
      for (const old of [root, `${root}-index`]) rmSync(old, { recursive: true, force: true });
      const idByPath = writeDialog(root, dialog);
      const options = { sessionsRoot: root, indexPath: `${root}-index/index.db` };
      for (const { question, evidenceSessions } of dialog.questions) {
        if (evidenceSessions.length === 0) continue;
        const answer = await searchSessions({ query: question, limit: LIMIT }, options);
        if (answer.mode !== "discovery" || answer.backlogRemaining) throw new Error("no complete answer");
        ranks.push(
          answer.results.find((hit) => evidenceSessions.includes(idByPath.get(hit.path) ?? ""))?.rank,
        );
      }
    }
    const mean = (worthOf: (rank: number) => number) =>
      ranks.reduce<number>((sum, rank) => sum + (rank === undefined ? 0 : worthOf(rank)), 0) / ranks.length;
    meter.figure("questions", ranks.length);
    meter.figure("hit@1", 100 * mean((rank) => (rank === 0 ? 1 : 0)));
    meter.figure("hit@5", 100 * mean((rank) => (rank < 5 ? 1 : 0)));
    meter.figure(
      "MRR",
      mean((rank) => 1 / (rank + 1)),
    );
  },
});
