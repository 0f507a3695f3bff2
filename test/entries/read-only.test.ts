import { describe, expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { listSessions } from "../../src/list/listSessions.ts";
import { runCli } from "../../src/surface/cli/run.ts";
import { GENERATED, generated, generatedPath, RECORDED } from "../support/samples.ts";
import { entry, fileOf, header, scratch, snapshotOf } from "../support/stores.ts";

const quiet = { write: () => undefined, columns: 80, hasColor: true };
const cli = {
  version: "0",
  packageRoot: "/",
  environment: {},
  workingDirectory: "/",
  out: quiet,
  err: quiet,
};

describe("nothing under a store is ever written: content, names, times and modes stay", () => {
  test.each([GENERATED, RECORDED])("by any operation on %s", async (directory) => {
    const before = snapshotOf(directory);
    const roots = [directory, ...["store", "flat", "sessions"].map((name) => `${directory}/${name}`)];
    for (const sessionsRoot of roots) {
      const { sessions } = await listSessions({ includeOrphans: true, limit: 1000 }, { sessionsRoot });
      for (const { path: sessionPath } of sessions) {
        const read = (params = {}) =>
          readSessionEntries({ sessionPath, ...params }, { sessionsRoot }).catch(() => undefined);
        await read();
        await read({ branch: "active", limit: 1 });
      }
      await runCli(["list", "--root", sessionsRoot, "--paths", "--include-orphans"], cli);
    }
    expect(snapshotOf(directory)).toEqual(before);
  });

  test("by reading files that Pi itself would rewrite: old versions, torn tails, no final newline", async () => {
    const tree = scratch();
    const contents = [
      fileOf(header({ version: 1 }), entry("a", null)),
      fileOf(header({ version: 2 }), entry("a", null)),
      `${fileOf(header(), entry("a", null))}${entry("b", "a").slice(0, 20)}`,
      "",
      "bad\n",
      `\ufeff${header()}\r\n`,
    ];
    const paths = contents.map((content, i) => tree.write(`--p--/${i}.jsonl`, content));
    const before = snapshotOf(tree.directory);
    await listSessions({}, { sessionsRoot: tree.directory });
    for (const sessionPath of paths) {
      await readSessionEntries({ sessionPath }, { sessionsRoot: tree.directory }).catch(() => undefined);
      await runCli(["entries", sessionPath, "--root", tree.directory], cli);
      await runCli(["entries", sessionPath, "--root", tree.directory, "--json"], cli);
    }
    expect(snapshotOf(tree.directory)).toEqual(before);
  });

  test("by calls that fail", async () => {
    const tree = scratch();
    tree.write("--p--/a.jsonl", fileOf(header(), entry("a", null)));
    const before = snapshotOf(tree.directory);
    const calls = generated.paths.map(({ path }) =>
      readSessionEntries({ sessionPath: generatedPath(path) }, { sessionsRoot: tree.directory }).catch(
        () => undefined,
      ),
    );
    await Promise.all(calls);
    await listSessions({ cursor: "bad" }, { sessionsRoot: tree.directory }).catch(() => undefined);
    await runCli(["entries", tree.at("absent"), "--root", tree.at("absent")], cli);
    expect(snapshotOf(tree.directory)).toEqual(before);
  });
});
