import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listSessions } from "../../src/list/listSessions.ts";
import { canBeOtherUser, runAsOther } from "../support/other-user.ts";
import { flatten } from "../support/samples.ts";
import { fileOf, header, type Scratch, scratch } from "../support/stores.ts";

/** Called with each directory right after its names were read: the moment in which a race happens. */
let afterReaddir: (directory: string) => void = () => undefined;
vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs")>();
  const readdirSync = (...args: Parameters<typeof original.readdirSync>) => {
    const names = original.readdirSync(...args);
    afterReaddir(String(args[0]));
    return names;
  };
  return { ...original, readdirSync };
});
afterEach(() => {
  afterReaddir = () => undefined;
});

describe("a file that changes between the reading of its directory and its opening", () => {
  let tree: Scratch;
  beforeEach(() => {
    tree = scratch();
    for (const id of ["a", "b", "c"]) tree.write(`s/--p--/${id}.jsonl`, fileOf(header({ id })));
    tree.write("s/--p--/b/run-0/session.jsonl", fileOf(header({ id: "b0" })));
  });

  /** Lists the store while `change` happens to `b.jsonl`. */
  async function listDuring(change: (target: string) => void) {
    afterReaddir = (directory) => {
      if (directory !== tree.at("s/--p--")) return;
      rmSync(tree.at("s/--p--/b.jsonl"));
      change(tree.at("s/--p--/b.jsonl"));
    };
    const { sessions, warnings } = await listSessions({}, { sessionsRoot: tree.at("s") });
    return { ids: flatten(sessions).map(({ id }) => id), warnings };
  }

  const expected = {
    ids: ["a", "c"],
    warnings: [
      {
        path: expect.stringMatching(/b\.jsonl$/),
        reason: expect.stringMatching(/^session file not readable: /),
      },
    ],
  };

  test("into nothing is one warning", async () => {
    expect(await listDuring(() => undefined)).toEqual(expected);
  });

  test("into a directory is one warning", async () => {
    expect(await listDuring((target) => mkdirSync(target))).toEqual(expected);
  });

  test("into a link is one warning, and the link is not followed, not even to a good session", async () => {
    const good = tree.write("elsewhere.jsonl", fileOf(header({ id: "stolen" })));
    expect(await listDuring((target) => symlinkSync(good, target))).toEqual(expected);
  });

  test("into a FIFO is one warning, and the pipe is not waited for", async () => {
    const made = await listDuring((target) => {
      if (spawnSync("mkfifo", [target]).status !== 0)
        console.warn("SKIPPED: no mkfifo here, so the file is only missing");
    });
    expect(made).toEqual(expected);
  });

  test("into an empty file is one warning", async () => {
    const { ids, warnings } = await listDuring((target) =>
      tree.write(target.slice(tree.directory.length), ""),
    );
    expect(ids).toEqual(["a", "c"]);
    expect(warnings).toMatchObject([{ reason: "file is empty" }]);
  });
});

describe("a directory that vanishes during the walk", () => {
  test.each([
    ["a project", "s", "s/--p--", /^project directory not readable: /],
    ["a container", "s/--p--", "s/--p--/a", /^container directory not readable: /],
    ["a directory in a container", "s/--p--/a", "s/--p--/a/run", /^container directory not readable: /],
  ])("%s is one warning, and the rest is listed", async (_what, read, gone, reason) => {
    const tree = scratch();
    tree.write("s/--p--/a.jsonl", fileOf(header({ id: "a" })));
    tree.write("s/--p--/a/run/run-0/session.jsonl", fileOf(header({ id: "a0" })));
    tree.write("s/--q--/z.jsonl", fileOf(header({ id: "z" })));
    afterReaddir = (directory) => {
      if (directory === tree.at(read)) rmSync(tree.at(gone), { recursive: true });
    };
    const { sessions, warnings } = await listSessions({}, { sessionsRoot: tree.at("s") });
    expect(flatten(sessions).map(({ id }) => id)).toContain("z");
    expect(warnings).toEqual([{ path: tree.at(gone), reason: expect.stringMatching(reason) }]);
  });
});

describe("without permission", () => {
  const canRun = canBeOtherUser();

  test.skipIf(!canRun)(
    "to a root, project, container or file: one warning each, and the rest is listed",
    () => {
      const tree = scratch();
      chmodSync(tree.directory, 0o755);
      for (const id of ["file", "container", "fine"]) {
        tree.write(`s/--p--/${id}.jsonl`, fileOf(header({ id })));
        tree.write(`s/--p--/${id}/run-0/session.jsonl`, fileOf(header({ id: `${id}0` })));
      }
      tree.write("s/--q--/a.jsonl", fileOf(header({ id: "hidden" })));
      tree.write("t/--p--/a.jsonl", fileOf(header({ id: "hidden" })));
      const closed = ["s/--p--/file.jsonl", "s/--p--/container", "s/--q--", "t"];
      for (const at of closed) chmodSync(tree.at(at), 0);
      const options = { sessionsRoot: tree.at("s"), additionalRoots: [tree.at("t")] };
      const outcome = runAsOther("listSessions", { sortBy: "id" }, options);
      const { sessions, warnings } = (outcome as { output: Awaited<ReturnType<typeof listSessions>> }).output;
      expect(flatten(sessions).map(({ id }) => id)).toEqual(["container", "fine", "fine0"]);
      const reasons = ["container directory", "session file", "project directory", "sessions root"];
      const order = ["s/--p--/container", "s/--p--/file.jsonl", "s/--q--", "t"];
      expect(warnings).toEqual(
        order.map((at, i) => ({
          path: tree.at(at),
          reason: expect.stringMatching(`^${reasons[i]} not readable: .*EACCES`),
        })),
      );
    },
  );

  test.skipIf(!canRun)("to search a directory whose names can be read: each file in it is a warning", () => {
    const tree = scratch();
    chmodSync(tree.directory, 0o755);
    tree.write("s/--p--/a.jsonl", fileOf(header()));
    tree.write("s/--p--/b.jsonl", fileOf(header()));
    chmodSync(tree.at("s/--p--"), 0o644);
    expect(runAsOther("listSessions", {}, { sessionsRoot: tree.at("s") })).toMatchObject({
      output: {
        sessions: [],
        warnings: [{ path: tree.at("s/--p--/a.jsonl") }, { path: tree.at("s/--p--/b.jsonl") }],
      },
    });
  });
});

test("names made of odd characters are names like others", async () => {
  const tree = scratch();
  const odd = ["a\nb", "\u202e", "\x1b[31m", "é", "日本", "a b", "'", "%2e%2e", "-rf", "~"];
  for (const name of odd) tree.write(`s/--${name}--/${name}.jsonl`, fileOf(header({ id: name })));
  const { sessions, warnings } = await listSessions({}, { sessionsRoot: tree.at("s") });
  expect(sessions.map(({ id }) => id).sort()).toEqual([...odd].sort());
  expect(warnings).toEqual([]);
});
