import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listSessions } from "../../src/list/listSessions.ts";
import { flatten } from "../support/samples.ts";
import { fileOf, header, type Scratch, scratch } from "../support/stores.ts";

const FLAT_NAME = "2026-05-01T08-00-00-000Z_one.jsonl";

function projectStore(tree: Scratch, root: string): string {
  tree.write(`${root}/--p--/a.jsonl`, fileOf(header({ id: "a" })));
  tree.write(`${root}/--p--/a/run/run-0/session.jsonl`, fileOf(header({ id: "a0" })));
  tree.write(`${root}/--p--/gone/run-0/session.jsonl`, fileOf(header({ id: "orphan" })));
  tree.write(`${root}/--p--/bad.jsonl`, "bad\n");
  return tree.at(root);
}

const idsOf = async (options: Parameters<typeof listSessions>[1], params = {}) =>
  flatten((await listSessions({ includeOrphans: true, sortBy: "path", ...params }, options)).sessions).map(
    ({ id }) => id,
  );

describe("a root that cannot be read", () => {
  test("is one warning on the resolved root and no error; other roots are still read", async () => {
    const tree = scratch();
    const good = projectStore(tree, "good");
    const file = tree.write("file", "x");
    const { sessions, warnings } = await listSessions(
      {},
      { sessionsRoot: `${tree.at("absent")}/../gone/`, additionalRoots: [file, good] },
    );
    expect(sessions.map(({ id }) => id)).toEqual(["a"]);
    expect(warnings).toEqual(
      [
        { path: file, reason: expect.stringMatching(/^sessions root not readable: .*ENOTDIR/) },
        { path: tree.at("gone"), reason: expect.stringMatching(/^sessions root not readable: .*ENOENT/) },
        { path: tree.at("good/--p--/bad.jsonl"), reason: expect.stringContaining("not JSON") },
      ].sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  });

  test("is told from an empty one, which gives two empty lists", async () => {
    const tree = scratch();
    tree.mkdir("empty");
    tree.mkdir("project/--p--");
    for (const root of ["empty", "project"]) {
      expect(await listSessions({}, { sessionsRoot: tree.at(root) })).toEqual({ sessions: [], warnings: [] });
    }
  });
});

describe("a root given more than once", () => {
  test("in one spelling or several, as a link, or above another one: each file is one row with one warning", async () => {
    const tree = scratch();
    const root = projectStore(tree, "store");
    symlinkSync(root, tree.at("alias"));
    const once = ["a", "a0", "orphan"];
    expect(await idsOf({ sessionsRoot: root })).toEqual(once);
    const repeats = [
      [root],
      [`${root}/`],
      [tree.at("alias")],
      [`${root}/--p--`],
      [tree.at("alias/--p--"), root],
      [tree.at("store/../store")],
    ];
    for (const additionalRoots of repeats) {
      expect(await idsOf({ sessionsRoot: root, additionalRoots }), additionalRoots.join()).toEqual(once);
      const { warnings } = await listSessions({}, { sessionsRoot: root, additionalRoots });
      expect(warnings.map((warning) => warning.path)).toEqual([tree.at("store/--p--/bad.jsonl")]);
    }
  });

  test("as a flat directory before the root that holds it keeps nesting and orphans as they are", async () => {
    const tree = scratch();
    tree.write(`store/--p--/${FLAT_NAME}`, fileOf(header({ id: "top" })));
    tree.write("store/--p--/2026-05-01T08-00-00-000Z_one/run-0/session.jsonl", fileOf(header({ id: "sub" })));
    const project = tree.at("store/--p--");
    const alone = await listSessions({}, { sessionsRoot: tree.at("store") });
    const both = await listSessions(
      { includeOrphans: true },
      { sessionsRoot: project, additionalRoots: [tree.at("store")] },
    );
    expect(both).toEqual(alone);
  });
});

describe("a flat session directory", () => {
  test("is read as one project directory, files of other names included", async () => {
    const tree = scratch();
    tree.write(`flat/${FLAT_NAME}`, fileOf(header({ id: "one" })));
    tree.write("flat/renamed.jsonl", fileOf(header({ id: "renamed" })));
    tree.write("flat/renamed/run-0/session.jsonl", fileOf(header({ id: "sub" })));
    tree.write("flat/gone/run-0/session.jsonl", fileOf(header({ id: "orphan" })));
    expect(await idsOf({ sessionsRoot: tree.at("flat") })).toEqual(["one", "orphan", "renamed", "sub"]);
  });

  test("needs a file of Pi's name shape and no project directory beside it", async () => {
    const tree = scratch();
    tree.write("renamed/renamed.jsonl", fileOf(header()));
    tree.write(`mixed/${FLAT_NAME}`, fileOf(header({ id: "stray" })));
    tree.write("mixed/--p--/a.jsonl", fileOf(header({ id: "a" })));
    mkdirSync(tree.at("linked"));
    symlinkSync(tree.at("mixed", FLAT_NAME), tree.at("linked", FLAT_NAME));
    mkdirSync(tree.at("directory", FLAT_NAME), { recursive: true });
    for (const root of ["linked", "directory"]) {
      tree.write(`${root}/gone/run-0/session.jsonl`, fileOf(header({ id: "in no project" })));
    }
    expect(await idsOf({ sessionsRoot: tree.at("renamed") })).toEqual([]);
    expect(await idsOf({ sessionsRoot: tree.at("mixed") })).toEqual(["a"]);
    expect(await idsOf({ sessionsRoot: tree.at("linked") })).toEqual([]);
    expect(await idsOf({ sessionsRoot: tree.at("directory") })).toEqual([]);
  });
});

test("a symlinked root is read, and its rows keep the root's spelling", async () => {
  const tree = scratch();
  projectStore(tree, "real");
  symlinkSync(tree.at("real"), tree.at("alias"));
  const { sessions } = await listSessions({}, { sessionsRoot: tree.at("alias") });
  expect(sessions.map((row) => row.path)).toEqual([tree.at("alias/--p--/a.jsonl")]);
});

test("a relative root is resolved against the process's directory", async () => {
  const tree = scratch();
  projectStore(tree, "store");
  const before = process.cwd();
  process.chdir(tree.directory);
  try {
    const { sessions } = await listSessions({}, { sessionsRoot: "store" });
    expect(sessions.map((row) => row.path)).toEqual([tree.at("store/--p--/a.jsonl")]);
  } finally {
    process.chdir(before);
  }
});

test("order follows code units and never the order of directories or the locale", async () => {
  const tree = scratch();
  const names = ["b", "a", "B", "ä", "a-b", "a_b", "Z", "10", "9", "é", "\uffee", "😀"];
  for (const name of names)
    tree.write(`s/--p--/${name}.jsonl`, fileOf(header({ id: name, cwd: `/${name}` })));
  const byCodeUnit = [...names].sort();
  for (const sortBy of ["id", "cwd"] as const) {
    expect(await idsOf({ sessionsRoot: tree.at("s") }, { sortBy })).toEqual(byCodeUnit);
    expect(await idsOf({ sessionsRoot: tree.at("s") }, { sortBy, sortDirection: "desc" })).toEqual(
      [...byCodeUnit].reverse(),
    );
  }
});

test("children are ordered by instant, then path, whatever the parameters say", async () => {
  const tree = scratch();
  tree.write("s/--p--/a.jsonl", fileOf(header({ id: "top" })));
  const times = ["2026-05-01T12:00:00+02:00", "2026-05-01T09:00:00Z", "2026-05-01T10:00:00Z", "2025-01-01"];
  times.forEach((timestamp, i) => {
    tree.write(`s/--p--/a/run-${i}/session.jsonl`, fileOf(header({ id: `${i}`, timestamp })));
  });
  for (const sortDirection of ["asc", "desc"]) {
    expect(await idsOf({ sessionsRoot: tree.at("s") }, { sortBy: "id", sortDirection })).toEqual([
      "top",
      "3",
      "1",
      "0",
      "2",
    ]);
  }
});

describe("the current session", () => {
  async function storeAndPaths() {
    const tree = scratch();
    const root = projectStore(tree, "store");
    return {
      tree,
      root,
      top: tree.at("store/--p--/a.jsonl"),
      child: tree.at("store/--p--/a/run/run-0/session.jsonl"),
    };
  }

  test.each([
    ["a top-level session with its subtree", "--p--/a.jsonl", ["orphan"]],
    ["a subagent session", "--p--/a/run/run-0/session.jsonl", ["a", "orphan"]],
    ["an orphan", "--p--/gone/run-0/session.jsonl", ["a", "a0"]],
    ["nothing, for a path that names no row", "--p--/b.jsonl", ["a", "a0", "orphan"]],
    ["nothing, for a directory", "--p--", ["a", "a0", "orphan"]],
  ])("leaves out %s", async (_what, relative, expected) => {
    const { root } = await storeAndPaths();
    const currentSessionPath = `${root}/x/../${relative}`;
    expect(await idsOf({ sessionsRoot: root, currentSessionPath })).toEqual(expected);
    expect(await idsOf({ sessionsRoot: root, currentSessionPath }, { includeCurrentSession: true })).toEqual([
      "a",
      "a0",
      "orphan",
    ]);
  });

  test("is dropped before the limit, so a page is full without it", async () => {
    const { root, tree } = await storeAndPaths();
    tree.write("store/--p--/z.jsonl", fileOf(header({ id: "z" })));
    const options = { sessionsRoot: root, currentSessionPath: tree.at("store/--p--/a.jsonl") };
    expect(await idsOf(options, { limit: 1, includeOrphans: false })).toEqual(["z"]);
  });

  test("is compared by path alone: no case folding, no link, no copy", async () => {
    const { root, tree, top } = await storeAndPaths();
    symlinkSync(root, tree.at("alias"));
    for (const currentSessionPath of [top.toUpperCase(), tree.at("alias/--p--/a.jsonl"), "", undefined]) {
      expect(await idsOf({ sessionsRoot: root, currentSessionPath })).toEqual(["a", "a0", "orphan"]);
    }
    renameSync(top, tree.at("store/--p--/copy.jsonl"));
    expect(await idsOf({ sessionsRoot: root, currentSessionPath: top })).toContain("a");
  });
});
