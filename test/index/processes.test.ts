/** Several processes on one index, and processes that are killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  coldContentOf,
  contentOf,
  fileOf,
  fixture,
  headerLine,
  messageLine,
  openFor,
  sync,
} from "./support.ts";

const child = path.join(import.meta.dirname, "syncingChild.ts");

function spawnSyncing(root: string, indexPath: string, rounds: number): ChildProcess {
  const args = ["--no-warnings", child, root, indexPath, String(rounds)];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
}

async function outputOf(
  process: ChildProcess,
): Promise<{ code: number | null; signal: string | null; output: string }> {
  let output = "";
  process.stdout?.on("data", (data) => (output += data));
  process.stderr?.on("data", (data) => (output += data));
  return await new Promise((resolve) =>
    process.on("close", (code, signal) => resolve({ code, signal, output })),
  );
}

function fill(root: string, files: number, messages: number): readonly string[] {
  return Array.from({ length: files }, (_, i) => {
    const project = path.join(root, `--p${i % 4}--`);
    mkdirSync(project, { recursive: true });
    const lines = Array.from({ length: messages }, (_, m) =>
      messageLine(`m${m}`, "user", `file${i} word${m} ${"x y z ".repeat(60)}`),
    );
    const file = path.join(project, `f${i}.jsonl`);
    writeFileSync(file, fileOf(headerLine(), ...lines));
    return file;
  });
}

test("after kill -9 at any moment the index opens, is sound and fills up", { timeout: 600_000 }, async () => {
  const seed = Number(process.env["SEED"] ?? Date.now() % 100_000);
  console.log(`seed ${seed}`);
  const { root, indexPath } = fixture();
  const files = fill(root, 30, 40);
  const rounds = Number(process.env["KILLS"] ?? 3);
  for (let round = 0; round < rounds; round++) {
    if (round % 3 === 0) rmSync(path.dirname(indexPath), { recursive: true, force: true });
    const running = spawnSyncing(root, indexPath, 1_000_000);
    const ended = outputOf(running);
    await sleep(60 + ((seed * (round + 1) * 7919) % 240));
    const file = files[(seed + round) % files.length];
    if (file !== undefined)
      appendFileSync(file, fileOf(messageLine(`k${round}`, "assistant", `killed in round${round}`)));
    await sleep((seed * (round + 3) * 104_729) % 60);
    running.kill("SIGKILL");
    expect(await ended).toEqual({ code: null, signal: "SIGKILL", output: "" });
    if (round % 2 === 0) continue;
    const index = await openFor(indexPath);
    expect(index.get("PRAGMA integrity_check")).toMatchObject({ integrity_check: "ok" });
    expect((await sync(index, root)).warning).toBeUndefined();
    expect(contentOf(index)).toEqual(await coldContentOf(root));
    index.close();
  }
});

test("four processes that sync while a fifth appends end with the same rows and no error", {
  timeout: 60_000,
}, async () => {
  const { root, indexPath } = fixture();
  const files = fill(root, 60, 40);
  const running = Array.from({ length: 4 }, () => outputOf(spawnSyncing(root, indexPath, 12)));
  let isOver = false;
  const all = Promise.all(running).finally(() => {
    isOver = true;
  });
  for (let i = 0; !isOver; i++) {
    const file = files[i % 10];
    if (file !== undefined) appendFileSync(file, fileOf(messageLine(`n${i}`, "user", `news ${i}`)));
    await sleep(5);
  }
  for (const { code, output } of await all)
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^longest wait \d+ ms\n$/) });
  const index = await openFor(indexPath);
  await sync(index, root);
  expect(index.get("PRAGMA integrity_check")).toMatchObject({ integrity_check: "ok" });
  expect(contentOf(index)).toEqual(await coldContentOf(root));
});

test("processes that create the index at the same moment all get it", { timeout: 60_000 }, async () => {
  const { root, indexPath } = fixture();
  const ended = await Promise.all(
    Array.from({ length: 8 }, () => outputOf(spawnSyncing(root, indexPath, 1))),
  );
  for (const { code, output } of ended) {
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^longest wait \d+ ms\n$/) });
  }
});
