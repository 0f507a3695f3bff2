/** A sync after one message was appended to a session of 200 MB among 10,000 files. */
import fs, { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { defineCase, figureBar, shown } from "../case.ts";
import { indexOf } from "../indexes.ts";
import { median, medianTimeOf } from "../statistics.ts";
import { writeSingleSession } from "../store.ts";
import { listStore } from "./list.ts";

const TIMES = 9;

interface Input {
  readonly roots: readonly string[];
  readonly session: string;
  readonly indexPath: string;
}

export default defineCase<Input>({
  name: "sync-append",
  about:
    "sync after one message was appended to a session of 200 MB among 10,000 files | our sync of no change",
  bars: [
    figureBar("excess", "limit", 10, "ms", "time above a sync of no change"),
    shown("unchanged", "ms", "time of a sync of no change"),
    figureBar("read", "limit", 192, "KiB", "session bytes read beyond the new ones"),
  ],

  async prepare(stores) {
    const directory = stores.scratch("sync-append");
    const request = { seed: stores.seed, bytes: Math.round(200e6 * stores.scale) };
    const { root, value } = stores.cached("session", request, (root) => writeSingleSession(root, request));
    // A copy, because it grows.
    const session = path.join(directory, "sessions", value);
    mkdirSync(path.dirname(session), { recursive: true });
    copyFileSync(path.join(root, value), session);
    const roots = [listStore(stores), path.join(directory, "sessions")];
    return { roots, session, indexPath: await indexOf(roots, directory) };
  },

  async ours({ roots, session, indexPath }, meter) {
    const { openIndex } = await import("../../src/index/open.ts");
    const { syncIndex } = await import("../../src/index/sync.ts");
    const bytesRead = countReads();
    const index = await openIndex(indexPath);
    const sync = () => syncIndex(index, { roots });
    await sync();
    const unchanged: number[] = [];
    const appended: number[] = [];
    const surplus: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      const line = messageLine(i);
      appendFileSync(session, line);
      const before = bytesRead();
      appended.push(await medianTimeOf(1, sync));
      surplus.push(bytesRead() - before - Buffer.byteLength(line));
      unchanged.push(await medianTimeOf(1, sync));
    }
    await meter.timed(sync);
    meter.figure("excess", median(appended) - median(unchanged));
    meter.figure("unchanged", median(unchanged));
    meter.figure("read", Math.max(...surplus) / 1024);
    index.close();
  },
});

function messageLine(i: number): string {
  const timestamp = new Date().toISOString();
  const content = [{ type: "text", text: `One thing more, number ${i}: does the ledger still balance?` }];
  const message = { role: "user", content, timestamp: Date.now() };
  return `${JSON.stringify({ type: "message", id: `add${i}`, parentId: null, timestamp, message })}\n`;
}

/** Counts what `readSync` returns from now on: every byte of a session file comes through it. */
function countReads(): () => number {
  let bytes = 0;
  const { readSync } = fs;
  Object.assign(fs, {
    readSync: (...args: Parameters<typeof readSync>) => {
      const count = readSync(...args);
      bytes += count;
      return count;
    },
  });
  syncBuiltinESMExports();
  return () => bytes;
}
