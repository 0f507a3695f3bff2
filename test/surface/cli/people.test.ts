import { describe, expect, test } from "vitest";
import { cli } from "../../support/cli.ts";
import { entry, fileOf, header, type Scratch, scratch, userMessage } from "../../support/stores.ts";

process.env["TZ"] = "UTC";

function storeOf(tree: Scratch) {
  const root = tree.at("s");
  const file = tree.write(
    "s/--p--/a.jsonl",
    fileOf(
      header({ id: "a" }),
      userMessage("u", null, "Retry the queue"),
      "broken",
      entry("c", "u", { type: "label", label: "l" }),
    ),
  );
  tree.write("s/--p--/bad.jsonl", "bad\n");
  return { root, file };
}

describe("for people", () => {
  test("list shows when, project, subagents and name or first words, and warnings on stderr", async () => {
    const tree = scratch();
    const { root } = storeOf(tree);
    tree.write("s/--p--/a/run-0/session.jsonl", fileOf(header()));
    tree.write(
      "s/--p--/named.jsonl",
      fileOf(header({ cwd: "C:\\src\\win" }), entry("n", null, { type: "session_info", name: "Named" })),
    );
    const { out, err } = await cli(["list", "--root", root]);
    expect(out).toMatch(/app +1 +Retry the queue/);
    expect(out).toMatch(/win +Named/);
    expect(err).toMatch(/^warning: .*bad\.jsonl: first line is not JSON/);
  });

  test("list takes the latest name, and first words when a name was taken away", async () => {
    const tree = scratch();
    const name = (id: string, text: string | undefined) =>
      entry(id, null, { type: "session_info", name: text });
    const words = userMessage("u", null, "First words");
    tree.write(
      "s/--p--/a.jsonl",
      fileOf(header(), name("1", "old"), words, userMessage("v", "u", "Later"), name("2", "new")),
    );
    tree.write("s/--p--/b.jsonl", fileOf(header(), name("1", "old"), words, name("2", "")));
    const { out } = await cli(["list", "--root", tree.at("s")]);
    expect(out).toMatch(/ new\n.* First words\n$/);
    expect(out).not.toMatch(/old|Later/);
  });

  test("list prints paths, subagents indented, and how to get more", async () => {
    const tree = scratch();
    const { root, file } = storeOf(tree);
    const child = tree.write("s/--p--/a/run-0/session.jsonl", fileOf(header()));
    tree.write("s/--p--/b.jsonl", fileOf(header()));
    const { out, err } = await cli(["list", "--root", root, "--paths", "--limit", "1"]);
    expect(out).toContain(`\n  ${file}\n    ${child}\n`);
    const cursor = /more with --cursor (\S+)/.exec(err)?.[1] ?? "";
    expect((await cli(["list", "--root", root, "--cursor", cursor, "--paths"])).out).toContain("b.jsonl");
  });

  test("entries show line numbers, roles or types, ids, times and text, and how to get more", async () => {
    const { root, file } = storeOf(scratch());
    const { out, err } = await cli(["entries", file, "--root", root, "--limit", "1"]);
    expect(out).toBe("2  2026-05-01 08:00:01  u  user\n   Retry the queue\n");
    expect(err).toMatch(/^more with --start-line-no 3\nwarning: line 3 invalid_json: /);
    const rest = await cli(["entries", file, "--root", root, "--start-line-no", "3"]);
    expect(rest.out).toMatch(/^4 {2}.* {2}c {2}label\n {3}l\n$/);
  });

  test("an entry without text or id still has its line", async () => {
    const tree = scratch();
    const bare = entry("", null, { type: "model_change" });
    const file = tree.write("s/--p--/a.jsonl", fileOf(header(), bare));
    const { out } = await cli(["entries", file, "--root", tree.at("s")]);
    expect(out).toMatch(/^2 {2}\S+ \S+ {2}- {2}model_change\n {3}\(no text\)\n$/);
  });

  test("at a terminal only the first warnings are shown, and how many there are", async () => {
    const tree = scratch();
    for (let i = 0; i < 15; i++) tree.write(`s/--p--/${i}.jsonl`, "bad");
    const atTerminal = await cli(["list", "--root", tree.at("s")], { columns: 80 });
    expect(atTerminal.err.match(/^warning: /gm)).toHaveLength(11);
    expect(atTerminal.err).toContain("5 more");
    expect((await cli(["list", "--root", tree.at("s")])).err.match(/^warning: /gm)).toHaveLength(15);
  });

  test("a warning about the file as a whole names no line", async () => {
    const tree = scratch();
    const file = tree.write("s/--p--/a.jsonl", fileOf(header({ version: 1 }), entry("a", null)));
    expect((await cli(["entries", file, "--root", tree.at("s")])).err).toMatch(
      /^warning: file legacy_version: /,
    );
  });

  test("nothing found is said, on stderr", async () => {
    const { root, file } = storeOf(scratch());
    const list = await cli(["list", "--root", root, "--cwd", "/none"]);
    expect(list).toMatchObject({ out: "", err: expect.stringMatching(/^no sessions match/) });
    const entries = await cli(["entries", file, "--root", root, "--id", "none"]);
    expect(entries).toMatchObject({ out: "", err: expect.stringMatching(/^no entries match/) });
  });
});

test("an interrupt while names are looked up ends the list", async () => {
  const tree = scratch();
  const { root } = storeOf(tree);
  const abort = new AbortController();
  let reads = 0;
  // The listing itself asks once; the signal turns when the names are being read.
  const signal = new Proxy(abort.signal, {
    get: (target, key) => {
      if (key === "aborted" && ++reads > 1) abort.abort(new Error("interrupted"));
      return Reflect.get(target, key, target);
    },
  });
  expect(await cli(["list", "--root", root], { signal })).toMatchObject({
    status: 1,
    err: "error: interrupted\n",
  });
});
