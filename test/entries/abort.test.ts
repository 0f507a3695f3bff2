import { readdirSync, readlinkSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { entry, fileOf, header, scratch } from "../support/stores.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The clock of this file: it never runs back, because all operations of a process share one slice. */
let nowMs = performance.now();

/** Every slice is used up at once, so the operation rests between any two lines. */
function hurryTheClock(): void {
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1000));
}

function openFilesBelow(directory: string): string[] {
  const links = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed meanwhile: the listing's own descriptor
    }
  });
  return links.filter((target) => target.startsWith(directory));
}
const hasProc = process.platform === "linux";

describe("an abort", () => {
  const content = fileOf(header(), ...Array.from({ length: 50 }, (_, i) => entry(`${i}`, null)));

  test("before the call rejects with the signal's reason, before the file is opened", async () => {
    const reason = new Error("stop it");
    const options = { sessionsRoot: "/absent", signal: AbortSignal.abort(reason) };
    await expect(readSessionEntries({ sessionPath: "/absent/x" }, options)).rejects.toBe(reason);
    const other = { sessionsRoot: "/absent", signal: AbortSignal.abort("enough") };
    await expect(readSessionEntries({ sessionPath: "/absent/x" }, other)).rejects.toThrow(
      "The operation was aborted",
    );
  });

  test.each([{}, { branch: "active" }, { limit: 1 }, { types: [] as string[] }])(
    "while lines are read with %j stops between them, with no partial result and no file left open",
    async (params) => {
      const tree = scratch();
      const sessionPath = tree.write("s.jsonl", content);
      hurryTheClock();
      const abort = new AbortController();
      const call = readSessionEntries(
        { sessionPath, ...params },
        { sessionsRoot: tree.directory, signal: abort.signal },
      );
      const reason = new Error("seen enough");
      abort.abort(reason);
      await expect(call).rejects.toBe(reason);
      if (hasProc) expect(openFilesBelow(tree.directory)).toEqual([]);
    },
  );
});

test.skipIf(!hasProc)(
  "no file is left open by an answer, a file that is no session or an unknown branch",
  async () => {
    const tree = scratch();
    const good = tree.write("s.jsonl", fileOf(header(), entry("a", null)));
    const bad = tree.write("bad.jsonl", "bad");
    const ask = (sessionPath: string, branch?: string) =>
      readSessionEntries({ sessionPath, branch }, { sessionsRoot: tree.directory });
    await ask(good);
    await expect(ask(bad)).rejects.toThrow("not a Pi session file");
    await expect(ask(good, "unknown")).rejects.toThrow("branch");
    expect(openFilesBelow(tree.directory)).toEqual([]);
  },
);

test("a file that grows while it is read is read as it was when it was opened", async () => {
  const tree = scratch();
  const { appendFileSync } = await import("node:fs");
  const sessionPath = tree.write("s.jsonl", fileOf(header(), entry("a", null), entry("b", "a")));
  hurryTheClock();
  const call = readSessionEntries({ sessionPath }, { sessionsRoot: tree.directory });
  appendFileSync(sessionPath, fileOf(entry("c", "b")));
  expect((await call).entries.map(({ id }) => id)).toEqual(["a", "b"]);
});
