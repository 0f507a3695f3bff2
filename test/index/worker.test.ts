/** The worker and the side that calls it. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { IndexClient } from "../../src/index/client.ts";
import type { BackgroundEvent } from "../../src/index/protocol.ts";
import { ParameterError } from "../../src/session/parameterError.ts";
import { fileOf, fixture, headerLine, messageLine, onCleanup } from "./support.ts";
import type { TEST_METHODS } from "./testWorker.ts";

const workerUrl = new URL("./testWorker.ts", import.meta.url);

function storeOf(files: number) {
  const { root, project, indexPath } = fixture();
  for (let i = 0; i < files; i++) {
    writeFileSync(
      path.join(project, `f${i}.jsonl`),
      fileOf(headerLine(), messageLine("a", "user", `text ${i}`)),
    );
  }
  return { request: { roots: [root] }, indexPath };
}

function clientFor(indexPath: string, onBackground?: (event: BackgroundEvent) => void) {
  const client = new IndexClient<typeof TEST_METHODS>({ workerUrl, indexPath, onBackground });
  onCleanup(() => void client.close());
  return client;
}

test("a sync in the worker fills the index and reports progress", async () => {
  const { request, indexPath } = storeOf(5);
  const client = clientFor(indexPath);
  const progress: unknown[] = [];
  const result = await client.call("sync", request, { onProgress: (event) => progress.push(event) });
  expect(result).toMatchObject({ walkComplete: true, backlogRemaining: 0 });
  expect(progress.at(-1)).toMatchObject({ filesLeft: 0 });
  expect(await client.call("countMessages", undefined)).toBe(5);
  expect(await client.call("status", request)).toMatchObject({ sessions: 5, messages: 5, backlogFiles: 0 });
  await client.close();
});

test("calls are answered while the background pass goes on, and a sync goes before it", async () => {
  const { request, indexPath } = storeOf(300);
  const events: BackgroundEvent[] = [];
  let client: IndexClient<typeof TEST_METHODS> | undefined;
  const done = new Promise<void>((resolve) => {
    client = clientFor(indexPath, (event) => {
      events.push(event);
      if (event.kind === "done") resolve();
    });
  });
  await client?.call("startBackground", request);
  expect(await client?.call("countMessages", undefined)).toBeLessThanOrEqual(300);
  expect((await client?.call("sync", request))?.backlogRemaining).toBe(0);
  expect(await client?.call("countMessages", undefined)).toBe(300);
  await done;
  expect(events.at(-1)).toMatchObject({ kind: "done", result: { backlogRemaining: 0 } });
});

test("an error keeps its message and its class", async () => {
  const client = clientFor(storeOf(0).indexPath);
  const refused = client.call("refuse", "query");
  await expect(refused).rejects.toBeInstanceOf(ParameterError);
  await expect(refused).rejects.toThrow("query must be something else");
});

test("an abort rejects at once with the signal's reason", async () => {
  const client = clientFor(storeOf(0).indexPath);
  const abort = new AbortController();
  const reason = new Error("not any more");
  const waiting = client.call("wait", undefined, {
    signal: abort.signal,
    onProgress: () => abort.abort(reason),
  });
  await expect(waiting).rejects.toBe(reason);
  expect(await client.call("countMessages", undefined)).toBe(0);
});

test("a worker that dies rejects its calls, and the next call starts another", async () => {
  const { request, indexPath } = storeOf(1);
  const client = clientFor(indexPath);
  await expect(client.call("crash", undefined)).rejects.toThrow(/worker ended/);
  expect((await client.call("sync", request)).backlogRemaining).toBe(0);
});

test("closing ends calls that wait, and later ones are refused", async () => {
  const client = clientFor(storeOf(0).indexPath);
  const waiting = client.call("wait", undefined);
  const ended = expect(waiting).rejects.toThrow();
  await client.close();
  await ended;
  await expect(client.call("countMessages", undefined)).rejects.toThrow("closed");
});

test("a worker nobody waits for keeps no process alive and prints nothing", () => {
  const { request, indexPath } = storeOf(3);
  const client = new URL("../../src/index/client.ts", import.meta.url).href;
  const script = `import { IndexClient } from ${JSON.stringify(client)};
    const client = new IndexClient({ workerUrl: new URL(${JSON.stringify(workerUrl.href)}), indexPath: ${JSON.stringify(indexPath)} });
    const { backlogRemaining } = await client.call("sync", ${JSON.stringify(request)});
    process.exitCode = backlogRemaining;`;
  const args = ["--no-warnings=StripTypes", "--input-type=module", "-e", script];
  const output = execFileSync(process.execPath, args, { encoding: "utf8", timeout: 10_000, stdio: "pipe" });
  expect(output).toBe("");
});
