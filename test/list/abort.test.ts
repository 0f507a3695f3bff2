import { getEventListeners } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listSessions } from "../../src/list/listSessions.ts";
import { fileOf, header, type Scratch, scratch } from "../support/stores.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The clock of this file: it never runs back, because all operations of a process share one slice. */
let nowMs = performance.now();

/** Every slice is used up at once, so the operation rests wherever it may. */
function hurryTheClock(): void {
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1000));
}

function storeOf(tree: Scratch, count: number): string {
  for (let i = 0; i < count; i++) tree.write(`s/--p--/${i}.jsonl`, fileOf(header({ id: `${i}` })));
  return tree.at("s");
}

describe("an abort", () => {
  test.each([
    ["an Error", new Error("stop it"), "stop it"],
    ["no Error", "enough", "The operation was aborted"],
    ["nothing", undefined, "This operation was aborted"],
  ])("before the call rejects, with %s as its reason", async (_what, reason, message) => {
    const signal = AbortSignal.abort(reason);
    const call = listSessions({}, { sessionsRoot: scratch().directory, signal });
    await expect(call).rejects.toThrow(message);
    if (reason instanceof Error) await expect(call).rejects.toBe(reason);
  });

  test("does not hide a caller's mistake", async () => {
    const options = { sessionsRoot: "/absent", signal: AbortSignal.abort() };
    await expect(listSessions({ limit: 0 }, options)).rejects.toThrow(/^limit must be/);
  });

  test("during the walk stops it between files, with no partial result", async () => {
    const sessionsRoot = storeOf(scratch(), 50);
    hurryTheClock();
    const abort = new AbortController();
    const reason = new Error("seen enough");
    const call = listSessions({}, { sessionsRoot, signal: abort.signal });
    abort.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("stops a walk through directories that hold no transcript at all", async () => {
    const tree = scratch();
    tree.write("s/--p--/a.jsonl", fileOf(header()));
    for (let i = 0; i < 20; i++) tree.mkdir(`s/--p--/a/run-${i}`);
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    nowMs += 1000;
    await listSessions({}, { sessionsRoot: tree.at("s") }); // rests, and with that starts a slice
    const abort = new AbortController();
    const call = listSessions({}, { sessionsRoot: tree.at("s"), signal: abort.signal });
    nowMs += 1000; // the only file was visited before; from here on every slice is used up
    abort.abort(new Error("stop"));
    await expect(call).rejects.toThrow("stop");
  });

  test("after the answer changes nothing, and no listener is left on the signal", async () => {
    const sessionsRoot = storeOf(scratch(), 3);
    const { signal } = new AbortController();
    expect((await listSessions({}, { sessionsRoot, signal })).sessions).toHaveLength(3);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

test("the event loop turns while a large store is walked", async () => {
  const sessionsRoot = storeOf(scratch(), 480);
  hurryTheClock();
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await listSessions({}, { sessionsRoot });
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(30);
});
