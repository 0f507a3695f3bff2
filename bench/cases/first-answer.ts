/** The first answer on a store that was never indexed, in line and through the worker. */
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { WorkerMethods } from "../../src/surface/workerMethods.ts";
import { defineCase, figureBar, shown } from "../case.ts";

const QUERY = "error";

export default defineCase<{ readonly root: string; readonly directory: string; readonly files: number }>({
  name: "first-answer",
  about: "first answer on the realistic store, never indexed, loading the code included",
  bars: [
    figureBar("inline ms", "limit", 500, "ms", "in line"),
    figureBar("worker ms", "limit", 500, "ms", "through the worker, starting it included"),
    figureBar("untold", "limit", 0, "files", "files neither indexed nor told as backlog"),
    { ...shown("", "ms", "processor time, in line"), of: (sample) => sample.cpuMs },
    shown("inline backlog", "files", "backlog, in line"),
    shown("worker backlog", "files", "backlog, worker"),
  ],

  prepare(stores) {
    const { root, value } = stores.realistic();
    return { root, directory: stores.scratch("first-answer"), files: value.stats.files };
  },

  async ours({ root, directory, files }, meter) {
    rmSync(directory, { recursive: true, force: true });
    const inlinePath = `${directory}/inline/index.db`;
    const startMs = performance.now();
    const { backlogRemaining = 0 } = await meter.timed(async () => {
      const { searchSessions } = await meter.loadLibrary();
      const answer = await searchSessions({ query: QUERY }, { sessionsRoot: root, indexPath: inlinePath });
      if (answer.mode !== "discovery") throw new Error(`an answer of mode ${answer.mode}`);
      if (answer.results.length === 0 || answer.syncWarning) throw new Error("no good answer");
      return answer;
    });
    meter.figure("inline ms", performance.now() - startMs);
    meter.figure("inline backlog", backlogRemaining);
    const untold = files - backlogRemaining - indexedFiles(inlinePath);

    const { IndexClient } = await import("../../src/index/client.ts");
    const { runSearch } = await import("../../src/surface/search.ts");
    const { workerEngine } = await import("../../src/surface/workerEngine.ts");
    const workerStartMs = performance.now();
    const client = new IndexClient<WorkerMethods>({
      workerUrl: meter.workerUrl,
      indexPath: `${directory}/worker/index.db`,
    });
    const answer = await runSearch({ query: QUERY }, { sessionsRoot: root }, workerEngine(client, true));
    if (answer.mode !== "discovery" || answer.results.length === 0) throw new Error("no good answer");
    meter.figure("worker ms", performance.now() - workerStartMs);
    await client.call("stopBackground", undefined);
    meter.figure("worker backlog", answer.backlogRemaining ?? 0);
    meter.figure("untold", Math.abs(untold));
    await client.close();
  },
});

/** Files of which everything is in the index. */
function indexedFiles(indexPath: string): number {
  const db = new DatabaseSync(indexPath, { readOnly: true });
  const count = Number(
    db.prepare("SELECT count(*) AS count FROM file WHERE state IN (0, 2)").get()?.["count"],
  );
  db.close();
  return count;
}
