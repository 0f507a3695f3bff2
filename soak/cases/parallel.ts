/** Several processes on one index: no error, no message missing or doubled, nobody waits long on an event loop. */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../bench/random.ts";
import { fileOf, headerLine, messageLine } from "../../test/index/content.ts";
import type { SoakCase } from "../case.ts";
import { start } from "../support/children.ts";
import { fill, placeIn, requireRecovery, text } from "../support/stores.ts";

const PROCESSES = 4;
const SESSIONS = 10;
const MAX_WAIT_MS = 250;
/** On a short run the start of five processes is most of the work: there the wait is shown, not judged. */
const SECONDS = 60;
const SHORT_SECONDS = 1.5;

export const parallel: SoakCase = {
  name: "parallel",
  what: "four processes sync and search for 60 s while a fifth appends to ten sessions",
  longRounds: 1,
  shortRounds: 1,
  async run({ seed, isShort, directory, count, atMost }) {
    const random = new Random("parallel", seed);
    const place = placeIn(directory);
    const { root, indexPath } = place;
    fill(root, random, isShort ? 10 : 100, 30);
    const project = path.join(root, "--appended--");
    mkdirSync(project);
    const sessions = Array.from({ length: SESSIONS }, (_, i) => path.join(project, `a${i}.jsonl`));
    for (const [i, file] of sessions.entries()) writeFileSync(file, fileOf(headerLine({ id: `a${i}` })));
    const published = path.join(directory, "published");
    let marker = 0;
    const append = () => {
      const line = messageLine(`k${marker}`, "user", `marker${marker}end ${text(random, 20)}`);
      const file = sessions[marker % SESSIONS] ?? "";
      if (random.chance(0.3)) {
        const cut = random.between(1, line.length - 1);
        appendFileSync(file, line.slice(0, cut));
        appendFileSync(file, `${line.slice(cut)}\n`);
      } else appendFileSync(file, `${line}\n`);
      writeFileSync(`${published}.new`, String(marker++));
      renameSync(`${published}.new`, published);
    };
    append();

    const seconds = isShort ? SHORT_SECONDS : SECONDS;
    const bystander = start("bystander", [String(seconds)]);
    const args = (i: number) => [root, indexPath, published, `${seed}-${i}`, String(seconds)];
    const running = Array.from({ length: PROCESSES }, (_, i) => start("searching", args(i)).ended);
    let isOver = false;
    const all = Promise.all(running).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      append();
      await sleep(random.between(1, 20));
    }
    const noiseMs = figuresOf((await bystander.ended).out)["longestWaitMs"] ?? 0;
    for (const { code, out, err } of await all) {
      assert.deepEqual({ code, err }, { code: 0, err: "" });
      const lines = out.trim().split("\n");
      assert.equal(lines.length, 1, `a process found something: ${lines.slice(0, 5).join("; ")}`);
      const { searches = 0, incomplete = 0, longestWaitMs = 0, longestSearchMs = 0 } = figuresOf(out);
      count("searches", searches);
      count("with backlog", incomplete);
      atMost("ms longest wait", longestWaitMs);
      atMost("ms longest search", longestSearchMs);
      if (!isShort) {
        assert.ok(
          longestWaitMs <= MAX_WAIT_MS + noiseMs,
          `${longestWaitMs} ms, of an idle loop ${noiseMs} ms`,
        );
      }
    }
    atMost("ms longest wait of an idle process", noiseMs);
    count("messages appended", marker);
    await requireRecovery(place, path.join(directory, "cold.db"));
  },
};

function figuresOf(out: string): Readonly<Record<string, number>> {
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}");
}
