/** A cold index of the realistic store, its size and its memory. */
import { existsSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { defineCase, figureBar, peakMemory, shown, wallTime } from "../case.ts";
import { eachText } from "../texts.ts";

interface Input {
  readonly root: string;
  readonly directory: string;
  readonly storeBytes: number;
  readonly visibleBytes: number;
}

export default defineCase<Input>({
  name: "index-cold",
  about:
    "cold index of the realistic store | read, split, parse the lines that matter, insert the same texts into one bare FTS5 `porter unicode61` table in one transaction",
  bars: [
    wallTime(1.4),
    figureBar("index size", "limit", 12, "%", "index size, share of the store"),
    shown("per visible byte", "B", "index bytes per visible byte"),
    peakMemory(100),
  ],

  prepare(stores) {
    const { root, value } = stores.realistic();
    const { bytes, visibleShare } = value.stats;
    const directory = stores.scratch("index-cold");
    return { root, directory, storeBytes: bytes, visibleBytes: bytes * visibleShare };
  },

  async ours({ root, directory, storeBytes, visibleBytes }, meter) {
    const { openIndex } = await import("../../src/index/open.ts");
    const { syncIndex } = await import("../../src/index/sync.ts");
    const target = `${directory}/ours`;
    rmSync(target, { recursive: true, force: true });
    const indexPath = `${target}/index.db`;
    const index = await meter.timed(async () => {
      const index = await openIndex(indexPath);
      const { backlogRemaining } = await syncIndex(index, { roots: [root] });
      if (backlogRemaining > 0) throw new Error(`${backlogRemaining} files were not indexed`);
      return index;
    });
    meter.figure("rows", Number(index.get("SELECT count(*) AS count FROM message")?.["count"]));
    index.close();
    const indexBytes = bytesOf(indexPath);
    meter.figure("index size", (100 * indexBytes) / storeBytes);
    meter.figure("per visible byte", indexBytes / visibleBytes);
  },

  async floor({ root, directory }, meter) {
    const target = `${directory}/floor.db`;
    rmSync(target, { force: true });
    const rows = await meter.timed(() => {
      const db = new DatabaseSync(target);
      db.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61'); BEGIN");
      const insert = db.prepare("INSERT INTO texts VALUES (?)");
      let rows = 0;
      eachText(root, (text) => {
        insert.run(text);
        rows++;
      });
      db.exec("COMMIT");
      db.close();
      return rows;
    });
    meter.figure("rows", rows);
  },
});

/** The database with what a closed connection may leave beside it. */
function bytesOf(indexPath: string): number {
  const files = [indexPath, `${indexPath}-wal`, `${indexPath}-shm`];
  return files.reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
}
