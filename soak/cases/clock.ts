/** A clock that jumps, files dated anywhere, and a runtime whose SQLite lacks FTS5. */
import assert from "node:assert/strict";
import { appendFileSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { Random } from "../../bench/random.ts";
import { openIndex } from "../../src/index/open.ts";
import { loadSqlite } from "../../src/index/sqlite.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { searchSessions } from "../../src/index.ts";
import { fileOf, messageLine } from "../../test/index/content.ts";
import type { SoakCase } from "../case.ts";
import { fill, placeIn, requireComplete } from "../support/stores.ts";

const YEAR_S = 31_536_000;

export const clock: SoakCase = {
  name: "clock",
  what: "the clock is set back or forward between syncs, files are dated in the future, the past and before 1970",
  longRounds: 300,
  shortRounds: 2,
  async run({ seed, directory, count }) {
    const random = new Random("clock", seed);
    const { root, indexPath } = placeIn(directory);
    const files = fill(root, random, 8, 6);
    const now = Date.now;
    const index = await openIndex(indexPath);
    try {
      for (let left = random.between(2, 6); left > 0; left--) {
        const offsetMs = random.between(-20 * YEAR_S, 20 * YEAR_S) * 1000;
        Date.now = () => now() + offsetMs;
        const file = random.pick(files);
        appendFileSync(file, fileOf(messageLine(`c${left}`, "user", `clock${left} ticks`)));
        const seconds = random.pick([
          0,
          -YEAR_S,
          1,
          statSync(file).mtimeMs / 1000,
          now() / 1000 + YEAR_S,
          4e9,
        ]);
        utimesSync(file, seconds, seconds);
        await syncIndex(index, { roots: [root], ...(random.chance(0.3) ? { budgetMs: 0 } : {}) });
        const found = await searchSessions(
          { query: "ticks" },
          { sessionsRoot: root, indexPath, syncBudgetMs: 5000 },
        );
        assert.ok("results" in found && found.results.length > 0, JSON.stringify(found));
        count("jumps");
      }
      await requireComplete(index, root, path.join(directory, "cold.db"));
    } finally {
      Date.now = now;
      index.close();
    }
  },
};

export const fts5: SoakCase = {
  name: "fts5",
  what: "a runtime whose SQLite has no FTS5: searches read the files and say why",
  longRounds: 5,
  shortRounds: 1,
  async run({ seed, directory, count }) {
    const { root, indexPath } = placeIn(directory);
    fill(root, new Random("fts5", seed), 5, 5);
    const { DatabaseSync } = await loadSqlite();
    const { exec } = DatabaseSync.prototype;
    DatabaseSync.prototype.exec = function (sql: string) {
      if (/fts5/i.test(sql)) throw new Error("no such module: fts5");
      Reflect.apply(exec, this, [sql]);
    };
    try {
      const store = { sessionsRoot: root, syncBudgetMs: 5000 };
      for (const params of [{ query: "deploy" }, {}]) {
        const found = await searchSessions(params, { ...store, indexPath });
        const scanned = await searchSessions(params, store);
        assert.ok("syncWarning" in found && found.syncWarning?.kind === "sync-failed");
        assert.match(found.syncWarning.error, /FTS5/);
        const { syncWarning, ...answer } = found;
        assert.deepEqual(answer, scanned);
        count("answers");
      }
    } finally {
      DatabaseSync.prototype.exec = exec;
    }
  },
};
