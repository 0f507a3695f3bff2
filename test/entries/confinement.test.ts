import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { canBeOtherUser, runAsOther } from "../support/other-user.ts";
import { entry, fileOf, header, type Scratch, scratch } from "../support/stores.ts";

const SECRET = fileOf(header({ id: "secret" }), entry("secret", null));
const INSIDE = fileOf(header(), entry("inside", null));
let tree: Scratch;
beforeEach(() => {
  tree = scratch();
  tree.write("root/--p--/a.jsonl", INSIDE);
  tree.write("outside/secret.jsonl", SECRET);
});

const read = (sessionPath: string, root = tree.at("root")) =>
  readSessionEntries({ sessionPath }, { sessionsRoot: root });
const outside = {
  name: "ParameterError",
  message: expect.stringMatching(/^sessionPath is outside the sessions root: /),
};
const unreadable = { name: "Error", message: expect.stringMatching(/^could not read session file: /) };
const refused = (error: object) => expect.objectContaining(error);

describe("no spelling reaches a file outside the root", () => {
  test.each([
    ["its own path", () => tree.at("outside/secret.jsonl")],
    [".. from the root", () => `${tree.at("root")}/../outside/secret.jsonl`],
    [".. from below", () => `${tree.at("root")}/--p--/../../outside/secret.jsonl`],
    [".. through a file", () => `${tree.at("root")}/--p--/a.jsonl/../../../outside/secret.jsonl`],
    [".. through nothing", () => `${tree.at("root")}/absent/../../outside/secret.jsonl`],
    ["doubled slashes", () => `${tree.at("root")}//..//outside//secret.jsonl`],
    ["a slash behind it", () => `${tree.at("outside/secret.jsonl")}/`],
    ["/proc", () => `/proc/self/root${tree.at("outside/secret.jsonl")}`],
    ["/proc/self/cwd", () => "/proc/self/cwd/package.json"],
  ])("by %s", async (_what, spelled) => {
    await expect(read(spelled())).rejects.toEqual(refused(outside));
  });

  test("by a linked file, a chain of links, a linked parent or a relative link", async () => {
    const secret = tree.at("outside/secret.jsonl");
    symlinkSync(secret, tree.at("root/--p--/file.jsonl"));
    symlinkSync(tree.at("root/--p--/file.jsonl"), tree.at("root/--p--/chain.jsonl"));
    symlinkSync(tree.at("outside"), tree.at("root/--linked--"));
    symlinkSync("../../outside/secret.jsonl", tree.at("root/--p--/relative.jsonl"));
    for (const at of [
      "--p--/file.jsonl",
      "--p--/chain.jsonl",
      "--linked--/secret.jsonl",
      "--p--/relative.jsonl",
    ]) {
      await expect(read(tree.at("root", at)), at).rejects.toEqual(refused(outside));
    }
  });

  test("by a URL, escapes, backslashes or another case", async () => {
    const root = tree.at("root");
    const spellings = [
      `${root}/%2e%2e/outside/secret.jsonl`,
      `${root}/..%2foutside%2fsecret.jsonl`,
      `${root}/..\\outside\\secret.jsonl`,
      `${root}/..%00/outside/secret.jsonl`,
      `${root}/～/outside/secret.jsonl`,
    ];
    for (const spelled of spellings)
      await expect(read(spelled), spelled).rejects.toEqual(refused(unreadable));
    const upper = tree.at("ROOT/--p--/a.jsonl");
    if (existsSync(upper))
      console.warn("SKIPPED: this file system folds case, so another case is the same file");
    else await expect(read(upper)).rejects.toEqual(refused(outside));
    const notAbsolute = ["outside/secret.jsonl", "~/secret.jsonl", `file://${root}/--p--/a.jsonl`, ""];
    for (const spelled of notAbsolute) {
      await expect(read(spelled), spelled).rejects.toThrow(/^sessionPath must be the absolute path/);
    }
    await expect(read(`${root}/--p--/a.jsonl\0`)).rejects.toThrow(/^sessionPath must be the absolute path/);
  });

  test("by the root itself, its parent or a directory whose name begins like the root's", async () => {
    tree.write("root-copy/a.jsonl", SECRET);
    for (const at of ["root", "root/", "root/.", ".", "root-copy/a.jsonl", "root/--p--/.."]) {
      await expect(read(`${tree.directory}/${at}`), at).rejects.toEqual(refused(outside));
    }
  });
});

describe("inside the root", () => {
  test.each(["a.jsonl", "./a.jsonl", "../--p--/a.jsonl", "/a.jsonl"])(
    "the spelling %s of a file is read",
    async (spelled) => {
      const { entries } = await read(`${tree.at("root/--p--")}/${spelled}`);
      expect(entries.map(({ id }) => id)).toEqual(["inside"]);
    },
  );

  test("a link to another file inside is read, and any name will do", async () => {
    symlinkSync(tree.at("root/--p--/a.jsonl"), tree.at("root/any name"));
    expect((await read(tree.at("root/any name"))).entries).toHaveLength(1);
  });

  test.each([
    ["a missing file", "--p--/b.jsonl"],
    ["a file below a file", "--p--/a.jsonl/b.jsonl"],
    ["a directory", "--p--"],
    ["a directory named like a file", "--p--/directory.jsonl"],
    ["a link that leads nowhere", "--p--/dangling.jsonl"],
    ["a link to itself", "--p--/loop.jsonl"],
    ["an overlong name", `--p--/${"x".repeat(300)}.jsonl`],
    ["an overlong path", "x/".repeat(3000)],
  ])("%s could not be read", async (_what, relative) => {
    mkdirSync(tree.at("root/--p--/directory.jsonl"));
    symlinkSync(tree.at("root/absent"), tree.at("root/--p--/dangling.jsonl"));
    symlinkSync(tree.at("root/--p--/loop.jsonl"), tree.at("root/--p--/loop.jsonl"));
    await expect(read(tree.at("root", relative))).rejects.toEqual(refused(unreadable));
  });

  test("a FIFO and a device could not be read, and the pipe is not waited for", async () => {
    if (spawnSync("mkfifo", [tree.at("root/pipe.jsonl")]).status === 0) {
      await expect(read(tree.at("root/pipe.jsonl"))).rejects.toEqual(refused(unreadable));
    } else console.warn("SKIPPED: no mkfifo here, so a FIFO was not tried");
    if (existsSync("/dev/null")) await expect(read("/dev/null", "/dev")).rejects.toEqual(refused(unreadable));
  });
});

describe("several roots", () => {
  test("are alternatives: a file inside any of them is read, one inside none is refused", async () => {
    const options = { sessionsRoot: tree.at("root"), additionalRoots: [tree.at("outside"), tree.at("gone")] };
    const sessionPath = tree.at("outside/secret.jsonl");
    expect((await readSessionEntries({ sessionPath }, options)).entries.map(({ id }) => id)).toEqual([
      "secret",
    ]);
    const elsewhere = tree.write("third/x.jsonl", SECRET);
    await expect(readSessionEntries({ sessionPath: elsewhere }, options)).rejects.toEqual(refused(outside));
  });
});

describe("errors come in order", () => {
  const mistakes = [
    { limit: 0 },
    { ids: 7 },
    { startLineNo: 2, endLineNo: 1 },
    { search: { terms: [] } },
    { odd: 1 },
    { raw: "" },
  ];

  test.each(mistakes)(
    "the mistake %j before a root that does not exist, and before any file",
    async (mistake) => {
      const params = { sessionPath: "/absent/x.jsonl", ...mistake } as never;
      const call = readSessionEntries(params, { sessionsRoot: "/absent" });
      await expect(call).rejects.toEqual(refused({ name: "ParameterError" }));
      await expect(call).rejects.not.toThrow(/sessions root|outside/);
    },
  );

  test("an unreadable root before a path outside it, a missing file and a file that is no session", async () => {
    for (const sessionPath of [tree.at("outside/secret.jsonl"), tree.at("gone/x.jsonl"), "/etc/passwd"]) {
      await expect(read(sessionPath, tree.at("gone"))).rejects.toThrow(
        /^sessions root is not readable: .*ENOENT/,
      );
    }
  });

  test("a path outside before what the file holds, an unreadable file before what it is", async () => {
    tree.write("outside/bad.jsonl", "no session");
    await expect(read(tree.at("outside/bad.jsonl"))).rejects.toEqual(refused(outside));
    await expect(read(tree.at("outside/absent.jsonl"))).rejects.toEqual(refused(outside));
    tree.write("root/bad.jsonl", "no session");
    await expect(read(tree.at("root/bad.jsonl"))).rejects.toThrow(/^not a Pi session file: /);
  });

  test("a file that is no session before an unknown branch", async () => {
    const sessionPath = tree.write("root/bad.jsonl", "no session");
    const call = readSessionEntries({ sessionPath, branch: "x" }, { sessionsRoot: tree.at("root") });
    await expect(call).rejects.toThrow(/^not a Pi session file: /);
  });
});

const canRun = canBeOtherUser();
test.skipIf(!canRun)("without permission a root is not readable and a file could not be read", () => {
  chmodSync(tree.directory, 0o755);
  const sessionPath = tree.at("root/--p--/a.jsonl");
  const ask = () => runAsOther("readSessionEntries", { sessionPath }, { sessionsRoot: tree.at("root") });
  expect(ask()).toHaveProperty("output");
  const closed = [
    ["root/--p--/a.jsonl", /^could not read session file: .*EACCES/],
    ["root/--p--", /^could not read session file: .*EACCES/],
    ["root", /^sessions root is not readable: .*EACCES/],
  ] as const;
  for (const [at, message] of closed) {
    chmodSync(tree.at(at), 0);
    expect(ask(), at).toEqual({ error: expect.stringMatching(message) });
  }
});

test("the message of a refusal names the path as it was given and every root", async () => {
  const given = `${tree.at("root")}/../outside/secret.jsonl`;
  await expect(read(given)).rejects.toThrow(given);
  await expect(read(given)).rejects.toThrow(`expected a file inside ${tree.at("root")}`);
  expect(path.isAbsolute(given)).toBe(true);
});
