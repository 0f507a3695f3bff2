import { describe, expect, test } from "vitest";
import { createListSessionsTool, createSessionEntriesTool } from "../../../src/surface/tools.ts";
import { cli } from "../../support/cli.ts";
import { GENERATED, generated, generatedPath } from "../../support/samples.ts";
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

describe("the exit status", () => {
  test("is 0 for an answer, also for an empty one", async () => {
    const { root, file } = storeOf(scratch());
    expect((await cli(["list", "--root", root])).status).toBe(0);
    expect((await cli(["list", "--root", root, "--cwd", "/none"])).status).toBe(0);
    expect((await cli(["entries", file, "--root", root])).status).toBe(0);
    expect((await cli(["entries", file, "--root", root, "--type", "none"])).status).toBe(0);
  });

  test("is 3 for an empty answer with --fail-if-empty, and 0 for another one", async () => {
    const { root, file } = storeOf(scratch());
    for (const json of [[], ["--json"]]) {
      const flags = ["--root", root, "--fail-if-empty", ...json];
      expect((await cli(["list", "--cwd", "/none", ...flags])).status).toBe(3);
      expect((await cli(["entries", file, "--type", "none", ...flags])).status).toBe(3);
      expect((await cli(["list", ...flags])).status).toBe(0);
      expect((await cli(["entries", file, ...flags])).status).toBe(0);
    }
  });

  test.each([
    [["list", "--limit", "0"], "limit must be"],
    [["list", "--limit", "1.5"], "limit must be"],
    [["list", "--limit", "many"], "expected a number"],
    [["list", "--limit", ""], "expected a number"],
    [["list", "--since", "yesterday"], "--since"],
    [["list", "--since", "2026-05-02", "--until", "2026-05-01"], '--until "2026-05-01" lies before --since'],
    [["list", "--sort-by", "size"], "--sort-by"],
    [["list", "--cursor", "damaged"], "cursor is damaged"],
    [["list", "--unknown"], "--unknown"],
    [["list", "--limti", "1"], "--limti"],
    [["list", "stray"], "argument"],
    [["entries"], "path"],
    [["entries", "a.jsonl", "b.jsonl"], "argument"],
    [["entries", "a.jsonl", "--search", ""], "search.terms"],
    [["entries", "a.jsonl", "--raw", "half"], "--raw"],
    [["entries", "a.jsonl", "--limit"], "--limit"],
    [["show", "a.jsonl", "--window", "3"], "--window needs --around"],
    [["search", "x", "--since", "yesterday"], "--since"],
    [["lists"], "lists"],
  ])("is 2 for the caller's mistake %j, said in one line on stderr alone", async (args, message) => {
    const { status, out, err } = await cli([
      ...args,
      ...(args.length > 0 && args[0] !== "lists" ? ["--root", scratch().directory] : []),
    ]);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).toMatch(/^error: [^\n]+\n$/);
  });

  test("is 2 for a path outside the roots and for an unknown branch", async () => {
    const { root, file } = storeOf(scratch());
    expect(await cli(["entries", "/etc/passwd", "--root", root])).toMatchObject({ status: 2, out: "" });
    expect(await cli(["entries", file, "--root", root, "--branch", "none"])).toMatchObject({
      status: 2,
      out: "",
    });
  });

  test("is 1 for a failure, said in one line on stderr alone", async () => {
    const { root } = storeOf(scratch());
    const failures = [
      ["entries", `${root}/--p--/none.jsonl`, "--root", root],
      ["entries", `${root}/--p--/bad.jsonl`, "--root", root],
      ["entries", `${root}/--p--/a.jsonl`, "--root", "/absent"],
    ];
    for (const args of failures) {
      const { status, out, err } = await cli(args);
      expect([status, out]).toEqual([1, ""]);
      expect(err).toMatch(/^error: [^\n]+\n$/);
    }
  });

  test("is 0 with a warning when a root cannot be listed", async () => {
    const { status, err } = await cli(["list", "--root", "/absent"]);
    expect(status).toBe(0);
    expect(err).toMatch(/^warning: \/absent: sessions root not readable: /m);
  });

  test("is 1 when the command is interrupted", async () => {
    const { root, file } = storeOf(scratch());
    const signal = AbortSignal.abort(new Error("interrupted"));
    for (const args of [["list"], ["entries", file]]) {
      const result = await cli([...args, "--root", root], { signal });
      expect(result).toEqual({ status: 1, out: "", err: "error: interrupted\n" });
    }
  });
});

describe("help and version", () => {
  test("go to stdout with status 0", async () => {
    expect(await cli(["--version"])).toEqual({ status: 0, out: "9.8.7\n", err: "" });
    for (const args of [["--help"], ["list", "--help"], ["entries", "--help"]]) {
      const { status, out, err } = await cli(args);
      expect([status, err]).toEqual([0, ""]);
      expect(out).toMatch(/^Usage: pi-retrospect/);
    }
  });

  test("of every command hold one example", async () => {
    for (const name of ["list", "entries"]) {
      expect((await cli([name, "--help"])).out).toMatch(new RegExp(`Example:\n {2}pi-retrospect ${name} `));
    }
  });

  test("go to stderr with status 2 when no command is given", async () => {
    const { status, out, err } = await cli([]);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toContain("Usage: pi-retrospect");
  });
});

describe("--json prints exactly what the tool of the same name returns as structuredContent", () => {
  test("for every session file of the samples", async () => {
    const tool = createSessionEntriesTool({ sessionsRoot: GENERATED });
    for (const { path, reject } of generated.entries) {
      if (reject !== null) continue;
      const sessionPath = generatedPath(path);
      const { status, out } = await cli(["entries", sessionPath, "--root", GENERATED, "--json"]);
      const { structuredContent } = await tool.execute("id", { sessionPath });
      expect(status).toBe(0);
      expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(structuredContent)));
      expect(out.endsWith("\n") && !out.slice(0, -1).includes("\n")).toBe(true);
    }
  });

  test("for lists, with and without flags", async () => {
    const root = generatedPath(generated.root);
    const tool = createListSessionsTool({ sessionsRoot: root });
    const cases = [
      [[], {}],
      [["--include-orphans", "--limit", "3"], { includeOrphans: true, limit: 3 }],
      [
        ["--cwd", "/srv/app", "--cwd-match", "sibling-prefix"],
        { cwds: ["/srv/app"], cwdMatch: "sibling-prefix" },
      ],
    ] as const;
    for (const [flags, params] of cases) {
      const { out } = await cli(["list", "--root", root, "--json", ...flags]);
      const { structuredContent } = await tool.execute("id", params as never);
      expect(JSON.parse(out)).toEqual(structuredContent);
    }
  });

  test("cut where the tool cuts when no --max-bytes is given", async () => {
    const tree = scratch();
    const lines = Array.from({ length: 3 }, (_, i) =>
      entry(`${i}`, null, { data: "x".repeat(6 * 1024 * 1024) }),
    );
    const file = tree.write("s/--p--/a.jsonl", fileOf(header(), ...lines));
    const { out } = await cli(["entries", file, "--root", tree.at("s"), "--json"]);
    expect(JSON.parse(out)).toMatchObject({ entries: [{ id: "0" }, { id: "1" }], nextLineNo: 4 });
  });

  test("says nothing on stderr: warnings are part of the value", async () => {
    const { root, file } = storeOf(scratch());
    expect((await cli(["list", "--root", root, "--json"])).err).toBe("");
    expect((await cli(["entries", file, "--root", root, "--json"])).err).toBe("");
  });
});
