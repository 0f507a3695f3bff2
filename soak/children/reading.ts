/** Reads one file in every way, then prints how much memory that took at its peak and how long, as JSON. */
import { lstatSync } from "node:fs";
import path from "node:path";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { listSessions, readSessionEntries } from "../../src/index.ts";
import { messageOf } from "../../src/session/json.ts";

const [root = "", sessionPath = "", indexPath = ""] = process.argv.slice(2);
const store = { sessionsRoot: root };
const peakMb = () => process.resourceUsage().maxRSS / 1024;
const startMs = performance.now();
await listSessions({}, store);
const params = { sessionPath, limit: 1, raw: "none" as const };
const read = await readSessionEntries(params, store).catch(messageOf);
const readPeakMb = peakMb();
const index = await openIndex(indexPath);
const { warning } = await syncIndex(index, { roots: [root] });
index.close();
const bytes = lstatSync(path.join(sessionPath)).size;
const told = typeof read === "string" ? read : "read";
console.log(
  JSON.stringify({ told, warning, bytes, readPeakMb, peakMb: peakMb(), ms: performance.now() - startMs }),
);
