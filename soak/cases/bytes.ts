/** Hostile bytes: whatever a file holds, every line is a row or a warning, by reading, listing, showing and searching. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { Random } from "../../bench/random.ts";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { openIndex } from "../../src/index/open.ts";
import { listSessions, searchSessions } from "../../src/index.ts";
import { countLines, good, mutate, mutation } from "../../test/support/mutations.ts";
import { transcript } from "../../test/support/transcripts.ts";
import type { Round, SoakCase } from "../case.ts";
import { insertHazards } from "../support/hazards.ts";
import { requireComplete } from "../support/stores.ts";

const FILES = 100;

export const bytes: SoakCase = {
  name: "bytes",
  what: "mutated session files: torn, glued, ill-formed, hostile JSON; no crash, right line numbers, every skip reported",
  longRounds: 1000,
  shortRounds: 1,
  async run(round) {
    const { seed, isShort, directory, count } = round;
    const files = isShort ? 30 : FILES;
    const root = path.join(directory, "sessions");
    mkdirSync(path.join(root, "--p--"), { recursive: true });
    const options = { sessionsRoot: root };
    const written = filesOf(seed, files).map((bytes, i) => {
      const sessionPath = path.join(root, "--p--", `f${i}.jsonl`);
      writeFileSync(sessionPath, bytes);
      return { sessionPath, bytes };
    });

    const { sessions, warnings } = await listSessions({}, options);
    assert.equal(sessions.length + warnings.length, files, "listing loses a file or counts it twice");
    for (const { sessionPath, bytes } of written) {
      try {
        await requireRead(sessionPath, bytes, root, round);
      } catch (error) {
        const file = keep(seed, bytes);
        throw new Error(`${path.basename(sessionPath)}, kept as ${file}: ${String(error)}`, { cause: error });
      }
    }
    const index = await openIndex(path.join(directory, "index.db"));
    try {
      await requireComplete(index, root, path.join(directory, "cold.db"));
      await changeSome(written, new Random("bytes-again", seed));
      rmSync(path.join(directory, "cold.db"), { force: true });
      await requireComplete(index, root, path.join(directory, "cold.db"));
    } finally {
      index.close();
    }
    count("files", files);
  },
};

/** The very bytes, for whoever looks into the finding. */
function keep(seed: number, bytes: Buffer): string {
  const file = path.join(tmpdir(), `pi-retrospect-soak-bytes-${seed}.jsonl`);
  writeFileSync(file, bytes);
  return file;
}

function filesOf(seed: number, count: number): readonly Buffer[] {
  const bases = fc.sample(transcript, { seed, numRuns: count });
  const changes = fc.sample(fc.array(mutation, { minLength: 1, maxLength: 4 }), { seed, numRuns: count });
  return changes.map((mutations, i) => {
    const random = new Random("bytes", seed, i);
    const base = random.chance(0.5) ? good : Buffer.from(bases[i] ?? "");
    const hostile = random.chance(0.5) ? insertHazards(base, random) : base;
    return mutations.reduce(mutate, hostile);
  });
}

/** The mutated bytes come as an append, so that what was read before is continued. */
async function changeSome(
  written: readonly { readonly sessionPath: string; readonly bytes: Buffer }[],
  random: Random,
): Promise<void> {
  for (const { sessionPath, bytes } of written) {
    const cut = random.between(0, bytes.length);
    const next = random.chance(0.5) ? Buffer.concat([bytes, bytes.subarray(cut)]) : bytes.subarray(0, cut);
    writeFileSync(sessionPath, next);
  }
}

async function requireRead(
  sessionPath: string,
  bytes: Buffer,
  root: string,
  { count }: Round,
): Promise<void> {
  const options = { sessionsRoot: root };
  const read = await readSessionEntries({ sessionPath }, options).catch((error: Error) => error);
  const shown = await searchSessions({ sessionId: sessionPath }, options).catch((error: Error) => error);
  if (read instanceof Error || shown instanceof Error) {
    for (const refused of [read, shown]) {
      assert.ok(refused instanceof Error, "one way in refuses what another reads");
      assert.match(refused.message, /^not a Pi session file: /);
    }
    count("refused");
    return;
  }
  const whole = read.entries.map(({ lineNo }) => lineNo);
  const warned = read.warnings.filter(({ lineNo }) => lineNo !== null);
  const skipped = warned.filter(({ code }) => code !== "recovered_entry").map(({ lineNo }) => lineNo);
  const accounted = [...new Set([...whole, ...skipped])].sort((a, b) => Number(a) - Number(b));
  assert.deepEqual(
    accounted,
    Array.from({ length: Math.max(0, countLines(bytes) - 1) }, (_, i) => i + 2),
  );
  assert.deepEqual(
    whole.filter((lineNo) => skipped.includes(lineNo)),
    [],
  );
  assert.equal(new Set(warned.map(({ lineNo }) => lineNo)).size, warned.length, "two warnings for one line");

  // A row that was not recovered is the physical line that it names.
  const lines = bytes.toString("latin1").split(/\r\n|\r|\n/);
  const recovered = new Set(warned.map(({ lineNo }) => lineNo));
  for (const { lineNo, raw } of read.entries) {
    if (recovered.has(lineNo)) continue;
    const line = Buffer.from(lines[lineNo - 1] ?? "", "latin1").toString("utf8");
    assert.equal(JSON.stringify(raw), JSON.stringify(JSON.parse(line)), `line ${lineNo} is another line`);
  }
  const active = await readSessionEntries({ sessionPath, branch: "active" }, options).catch(
    (error: Error) => error,
  );
  if (active instanceof Error) assert.match(active.message, /branch/);
  else assert.ok(active.entries.every((row) => whole.includes(row.lineNo)));
  if (!("messages" in shown)) throw new Error("no messages");
  for (const { id, lineNo } of shown.messages) {
    assert.ok(whole.includes(lineNo), "a message is shown that no entry holds");
    if (id === null) continue;
    const around = await searchSessions({ sessionId: sessionPath, aroundMessageId: id }, options);
    assert.ok("messages" in around && around.messages.some((message) => message.anchor === true));
  }
  count("lines", lines.length);
}
