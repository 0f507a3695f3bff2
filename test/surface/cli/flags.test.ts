import { describe, expect, test } from "vitest";
import { parseCommand } from "../../../src/surface/cli/program.ts";
import { ListSessionsParamsSchema, SessionEntriesParamsSchema } from "../../../src/surface/schemas.ts";
import { cli } from "../../support/cli.ts";
import { fileOf, header, scratch, userMessage } from "../../support/stores.ts";

const silent = { writeOut: () => undefined, writeErr: () => undefined };
const paramsOf = (...args: string[]) => {
  const command = parseCommand(args, "0", silent);
  return "params" in command ? command.params : undefined;
};
const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** For each parameter: what is typed behind its flag, and the value that arrives. */
const LIST = {
  cwds: [["/a"], ["/a"]],
  cwdMatch: [["sibling-prefix"], "sibling-prefix"],
  startTimestamp: [["2026-05-01"], "2026-05-01"],
  endTimestamp: [["2026-05-02"], "2026-05-02"],
  includeCurrentSession: [[], true],
  sortBy: [["cwd"], "cwd"],
  sortDirection: [["desc"], "desc"],
  limit: [["5"], 5],
  cursor: [["abc"], "abc"],
  includeOrphans: [[], true],
} as const;
const ENTRIES = {
  startLineNo: [["2"], 2],
  endLineNo: [["3"], 3],
  ids: [["a"], ["a"]],
  parentIds: [["b"], ["b"]],
  types: [["message"], ["message"]],
  messageRoles: [["user"], ["user"]],
  search: [["term"], { terms: ["term"], caseSensitive: undefined }],
  startTimestamp: [["2026-05-01"], "2026-05-01"],
  endTimestamp: [["2026-05-02"], "2026-05-02"],
  limit: [["5"], 5],
  branch: [["active"], "active"],
  raw: [["none"], "none"],
  maxBytes: [["1000"], 1000],
} as const;

describe("every parameter of a schema has a flag of its name, and its value arrives", () => {
  test("the tables of this test name each parameter", () => {
    expect(Object.keys(LIST).sort()).toEqual(Object.keys(ListSessionsParamsSchema.properties).sort());
    expect([...Object.keys(ENTRIES), "sessionPath"].sort()).toEqual(
      Object.keys(SessionEntriesParamsSchema.properties).sort(),
    );
  });

  test.each(Object.entries(LIST))("list: %s", async (name, [typed, value]) => {
    expect(paramsOf("list", flagOf(name), ...typed)).toEqual({ [name]: value });
    expect((await cli(["list", "--help"])).out).toMatch(new RegExp(`[ ,]${flagOf(name)}[ \n]`));
  });

  test.each(Object.entries(ENTRIES))("entries: %s", async (name, [typed, value]) => {
    expect(paramsOf("entries", "/s.jsonl", flagOf(name), ...typed)).toEqual({
      sessionPath: "/s.jsonl",
      [name]: value,
    });
    expect((await cli(["entries", "--help"])).out).toMatch(new RegExp(`[ ,]${flagOf(name)}[ \n]`));
  });

  test("lists repeat, in order", () => {
    expect(paramsOf("list", "--cwd", "/a", "--cwds", "/b")).toEqual({ cwds: ["/a", "/b"] });
    const typed = [
      "--id",
      "a",
      "--ids",
      "b",
      "--role",
      "user",
      "--message-roles",
      "x",
      "--search",
      "s",
      "--search",
      "t",
      "--case-sensitive",
    ];
    expect(paramsOf("entries", "/s", ...typed)).toEqual({
      sessionPath: "/s",
      ids: ["a", "b"],
      messageRoles: ["user", "x"],
      search: { terms: ["s", "t"], caseSensitive: true },
    });
  });

  test("a value may begin with a hyphen when it is joined by an equals sign", () => {
    expect(paramsOf("entries", "/s", "--search=--flag", "--id=-x")).toMatchObject({
      ids: ["-x"],
      search: { terms: ["--flag"] },
    });
  });

  test("flags of the command line are no parameters", () => {
    const flags = ["--json", "--fail-if-empty", "--agent-dir", "/a", "--root", "/r", "--root", "/q"];
    const list = parseCommand(["list", "--paths", ...flags], "0", silent);
    const entries = parseCommand(["entries", "/s", ...flags], "0", silent);
    expect(list).toEqual({
      ...{ name: "list", params: {}, withPaths: true, json: true, failIfEmpty: true },
      store: { agentDir: "/a", root: ["/r", "/q"] },
    });
    expect(entries).toMatchObject({
      name: "entries",
      params: { sessionPath: "/s" },
      store: { root: ["/r", "/q"] },
    });
  });
});

describe("relative paths are resolved against the working directory", () => {
  test("for the session file, roots and working directories", async () => {
    const tree = scratch();
    tree.write(
      "s/--p--/a.jsonl",
      fileOf(header({ cwd: tree.at("project") }), userMessage("u", null, "words")),
    );
    const setting = { workingDirectory: tree.directory };
    const listed = await cli(["list", "--root", "s", "--cwd", "./project", "--json"], setting);
    expect(JSON.parse(listed.out)).toMatchObject({ sessions: [{ path: tree.at("s/--p--/a.jsonl") }] });
    const here = await cli(["list", "--root", "../s", "--cwd", ".", "--json"], {
      workingDirectory: tree.at("project"),
    });
    expect(JSON.parse(here.out).sessions).toHaveLength(1);
    const read = await cli(["entries", "s/--p--/../--p--/a.jsonl", "--root", "./s"], setting);
    expect(read).toMatchObject({ status: 0, err: "" });
    expect(read.out).toContain("words");
  });

  test("and ~ is the home directory, a Windows working directory stays as it is", async () => {
    const tree = scratch();
    tree.write("s/--p--/a.jsonl", fileOf(header({ cwd: "C:\\src\\app" })));
    tree.write("s/--p--/b.jsonl", fileOf(header({ cwd: process.env["HOME"] ?? "/" })));
    const count = async (cwd: string) =>
      JSON.parse((await cli(["list", "--root", tree.at("s"), "--cwd", cwd, "--json"])).out).sessions.length;
    expect(await count("C:\\src\\app\\")).toBe(1);
    expect(await count("~")).toBe(1);
    expect(await count("~/none")).toBe(0);
  });

  test("and a file: URL is a path, one that names no path here a caller's mistake", async () => {
    const tree = scratch();
    tree.write("s/--p--/a.jsonl", fileOf(header(), userMessage("u", null, "words")));
    const url = `file://${tree.at("s/--p--/a.jsonl")}`;
    expect((await cli(["entries", url, "--root", `file://${tree.at("s")}`])).out).toContain("words");
    for (const bad of ["file://elsewhere/a.jsonl", "file:///a%2fb", "file:///%zz"]) {
      expect(await cli(["entries", bad, "--root", tree.at("s")]), bad).toMatchObject({ status: 2, out: "" });
      expect(await cli(["list", "--root", bad]), bad).toMatchObject({ status: 2, out: "" });
    }
  });

  test("and still reach nothing outside a root", async () => {
    const tree = scratch();
    tree.mkdir("s");
    tree.write("secret.jsonl", fileOf(header()));
    const result = await cli(["entries", "s/../secret.jsonl", "--root", "s"], {
      workingDirectory: tree.directory,
    });
    expect(result).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining("outside the sessions root"),
    });
  });
});
