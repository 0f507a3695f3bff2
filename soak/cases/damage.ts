/** The index file is damaged, foreign, of another version, or not there: no hand is needed, and nothing of others is lost. */
import assert from "node:assert/strict";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { Random } from "../../bench/random.ts";
import { openIndex, rebuildIndex } from "../../src/index/open.ts";
import { PAGE_BYTES } from "../../src/index/schema.ts";
import { loadSqlite } from "../../src/index/sqlite.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { searchSessions } from "../../src/index.ts";
import type { SoakCase } from "../case.ts";
import { fill, type Place, placeIn, requireComplete, requireRecovery } from "../support/stores.ts";

export const damage: SoakCase = {
  name: "damage",
  what: "index overwritten, cut, emptied, of another version, foreign, a link: searches answer, ours is rebuilt",
  longRounds: 400,
  shortRounds: 6,
  async run({ seed, directory, count }) {
    const random = new Random("damage", seed);
    const place = placeIn(directory);
    fill(place.root, random, 8, 20);
    const index = await openIndex(place.indexPath);
    await syncIndex(index, { roots: [place.root] });
    const isOpen = random.chance(0.3);
    if (!isOpen) index.close();
    const harm = random.pick(Object.keys(HARMS));
    count(harm);
    const outcome = await HARMS[harm]?.(place, random);
    try {
      if (isOpen) {
        // A process that had it open goes on as well.
        const { warning } = await syncIndex(index, { roots: [place.root] });
        assert.ok(warning === undefined || warning.kind === "sync-failed", JSON.stringify(warning));
      }
    } catch (error) {
      assert.ok(
        outcome === "not ours" && error instanceof Error && error.name === "IndexRefusedError",
        String(error),
      );
    } finally {
      index.close();
    }
    for (const query of ["deploy", "econn", "file1 line3"]) {
      const options = { sessionsRoot: place.root, indexPath: place.indexPath, syncBudgetMs: 10_000 };
      const found = await searchSessions({ query }, options);
      if (outcome === "not ours") {
        assert.ok("syncWarning" in found && found.syncWarning?.kind === "sync-failed");
      }
      if (outcome !== "unnoticed") {
        const scanned = await searchSessions({ query }, { sessionsRoot: place.root, syncBudgetMs: 10_000 });
        assert.ok("results" in found && "results" in scanned);
        assert.deepEqual(
          found.results,
          scanned.results,
          `${harm}: a search answers otherwise than the files`,
        );
      }
    }
    await searchSessions({}, { sessionsRoot: place.root, indexPath: place.indexPath });
    await requireRecoveryFrom(place, outcome, path.join(directory, "cold.db"));
  },
};

/**
 * `replaced`: must be noticed, and ours to replace. `not ours`: must be refused and left alone. `unnoticed`: bytes that
 * SQLite may read as they are; then a rebuild must help.
 */
type Outcome = "replaced" | "not ours" | "unnoticed";

const HARMS: Readonly<Record<string, (place: Place, random: Random) => Promise<Outcome> | Outcome>> = {
  "random bytes"({ indexPath }, random) {
    overwrite(indexPath, random, PAGE_BYTES, random.between(1, 2000));
    return "unnoticed";
  },
  "zeroed page"({ indexPath }, random) {
    const pages = Math.floor(statSync(indexPath).size / PAGE_BYTES);
    writeAt(indexPath, Buffer.alloc(PAGE_BYTES), random.between(1, Math.max(1, pages - 1)) * PAGE_BYTES);
    return "unnoticed";
  },
  "cut short"({ indexPath }, random) {
    truncateSync(indexPath, random.between(100, statSync(indexPath).size));
    return "unnoticed";
  },
  emptied({ indexPath }) {
    truncateSync(indexPath, 0);
    return "replaced";
  },
  removed({ indexPath }) {
    rmSync(indexPath);
    return "replaced";
  },
  "directory removed"({ indexPath }) {
    rmSync(path.dirname(indexPath), { recursive: true });
    return "replaced";
  },
  async "another version"({ indexPath }): Promise<Outcome> {
    await change(indexPath, "PRAGMA user_version = 9999");
    return "replaced";
  },
  "a log of another database"({ indexPath }, random) {
    for (const suffix of ["-wal", "-shm"]) writeFileSync(indexPath + suffix, Buffer.from(random.hex(9000)));
    return "unnoticed";
  },
  "a stale claim"({ indexPath }, random) {
    mkdirSync(`${indexPath}-replacing`);
    const seconds = Date.now() / 1000 + random.between(-100_000, 100_000);
    utimesSync(`${indexPath}-replacing`, seconds, seconds);
    truncateSync(indexPath, 0);
    return "replaced";
  },
  async foreign({ indexPath }): Promise<Outcome> {
    rmSync(indexPath);
    await change(indexPath, "CREATE TABLE precious (x); INSERT INTO precious VALUES (1)");
    return "not ours";
  },
  "no database"({ indexPath }) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(indexPath + suffix, { force: true });
    writeFileSync(indexPath, "my notes\n".repeat(500));
    return "not ours";
  },
  "a link"({ indexPath }) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(indexPath + suffix, { force: true });
    writeFileSync(`${indexPath}.notes`, "my notes\n");
    symlinkSync(`${indexPath}.notes`, indexPath);
    return "not ours";
  },
  "a directory"({ indexPath }) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(indexPath + suffix, { force: true });
    mkdirSync(indexPath);
    return "not ours";
  },
};

async function requireRecoveryFrom(place: Place, outcome: Outcome | undefined, cold: string): Promise<void> {
  const { indexPath, root } = place;
  if (outcome === "replaced") return await requireRecovery(place, cold);
  if (outcome === "not ours") {
    await assert.rejects(openIndex(indexPath), { name: "IndexRefusedError" });
    assert.ok(existsSync(indexPath), "what is not ours is gone");
    if (statSync(indexPath).isFile()) assert.match(readFileSync(indexPath, "latin1"), /precious|my notes/);
    return;
  }
  const index = await openIndex(indexPath);
  try {
    await rebuildIndex(index);
    await requireComplete(index, root, cold);
  } finally {
    index.close();
  }
}

async function change(indexPath: string, sql: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const db = new DatabaseSync(indexPath);
  db.exec(sql);
  db.close();
}

function overwrite(file: string, random: Random, from: number, length: number): void {
  const size = statSync(file).size;
  const bytes = Buffer.from(Array.from({ length }, () => random.between(0, 255)));
  writeAt(file, bytes, random.between(Math.min(from, size), size));
}

function writeAt(file: string, bytes: Buffer, position: number): void {
  const fd = openSync(file, "r+");
  writeSync(fd, bytes, 0, bytes.length, position);
  fsyncSync(fd);
  closeSync(fd);
}
