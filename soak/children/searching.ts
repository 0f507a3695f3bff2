/**
 * Syncs and searches as a process of a user does, while another appends. Every message that the appender has published
 * must be found, once. Prints what is wrong, and at the end its figures as JSON.
 */
import { readFileSync, writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Random } from "../../bench/random.ts";
import { searchSessions } from "../../src/index.ts";

const [root = "", indexPath = "", published = "", seed = "1", seconds = "1"] = process.argv.slice(2);
const random = new Random("searching", seed);
const delay = monitorEventLoopDelay({ resolution: 5 });
const untilMs = performance.now() + Number(seconds) * 1000;
let searches = 0;
let incomplete = 0;
let longestSearchMs = 0;
delay.enable();
while (performance.now() < untilMs) {
  const known = Number(readFileSync(published, "utf8") || 0);
  const wanted = random.between(0, known);
  const startMs = performance.now();
  const options = { sessionsRoot: root, indexPath };
  const found = await searchSessions({ query: `marker${wanted}end`, limit: 10 }, options);
  longestSearchMs = Math.max(longestSearchMs, performance.now() - startMs);
  searches++;
  if (!("results" in found)) throw new Error("not discovery");
  if (found.syncWarning !== undefined) say(`warning ${JSON.stringify(found.syncWarning)}`);
  if (found.backlogRemaining !== undefined) incomplete++;
  const hits = found.results.filter(({ match }) => match === "all");
  if (hits.length > 1) say(`marker ${wanted} is found ${hits.length} times`);
  if (hits.length === 0 && found.backlogRemaining === undefined)
    say(`marker ${wanted} of ${known} is missing`);
}
delay.disable();
say(JSON.stringify({ searches, incomplete, longestSearchMs, longestWaitMs: delay.max / 1e6 }));
process.exit(0);

function say(text: string): void {
  writeSync(1, `${text}\n`);
}
