import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { searchSessions } from "../../../src/index.ts";
import { SessionSearchParamsSchema } from "../../../src/surface/searchSchemas.ts";
import { cli } from "../../support/cli.ts";
import { fileOf, header, scratch, userMessage } from "../../support/stores.ts";

const samples = path.resolve(import.meta.dirname, "..", "..", "..", "samples", "recorded", "sessions");

function places() {
  const tree = scratch();
  return { tree, indexPath: tree.at("private/index.db") };
}

describe("a person", () => {
  const NAME = "Retry queue: decide the backoff";

  test("finds a session by its name, before those that only say the words", async () => {
    const { out } = await cli(["search", '"decide the backoff"', "--root", samples]);
    expect(out.split("\n")[0]).toMatch(new RegExp(`^ 1 .*${NAME} +by its name$`));
    const { results } = JSON.parse(
      (await cli(["search", '"decide the backoff"', "--root", samples, "--json"])).out,
    );
    expect(results).toEqual([]); // names are not what the tool searches
  });

  test("sees the first words of a session without a name", async () => {
    const tree = scratch();
    const say = (id: string, text: string) => userMessage(id, null, text);
    tree.write(
      "s/--p--/a.jsonl",
      fileOf(header({ id: "a" }), say("u", "Please mend the roof"), say("v", "needle")),
    );
    const { out } = await cli(["search", "needle", "--root", tree.at("s")]);
    expect(out.split("\n")[0]).toMatch(/Please mend the roof {2}user$/);
  });

  test("is told how to see more hits, and which projects are not searched", async () => {
    const { err } = await cli(["search", "retry", "--root", samples]);
    expect(err).toBe("more with --limit 10\n");
    const tree = scratch();
    tree.write("s/--tmp-x--/a.jsonl", fileOf(header(), userMessage("u", null, "needle")));
    expect((await cli(["search", "needle", "--cwd", "/x", "--root", tree.at("s")])).err).toBe(
      `nothing found in ${tree.at("s")} with --cwd /x\n1 project directory named --tmp-… is not searched (setting index.excludePrefixes)\n`,
    );
  });

  test("may name a session of the store by its file name or its id, or by the start of an id that no other has", async () => {
    const tree = scratch();
    const write = (id: string) =>
      tree.write(
        `s/--p--/2026-01-01T00-00-00-000Z_${id}.jsonl`,
        fileOf(header({ id }), userMessage("u", null, id)),
      );
    const one = write("11111111-aaaa");
    write("22222222-bbbb");
    write("22222222-cccc");
    const show = (name: string) => cli(["show", name, "--root", tree.at("s"), "--json"]);
    for (const name of [path.basename(one), path.basename(one, ".jsonl"), "11111111-aaaa", "11111111"]) {
      expect(JSON.parse((await show(name)).out).path, name).toBe(one);
    }
    expect(await show("22222222")).toMatchObject({
      status: 2,
      err: expect.stringContaining("22222222-cccc.jsonl"),
    });
    expect(await show("1111")).toMatchObject({ status: 2, err: expect.stringContaining("list --paths") });
  });

  test("who has no sessions yet is told so, and nothing is made", async () => {
    const tree = scratch();
    const agentDir = tree.at("agent");
    for (const args of [["search", "x"], ["search"], ["index"], ["doctor"]]) {
      const { status, out, err } = await cli([...args, "--agent-dir", agentDir]);
      expect([status, out]).toEqual([0, ""]);
      expect(err).toBe(
        `no sessions yet: there is no ${agentDir}/sessions; --agent-dir or --root names another place\n`,
      );
    }
    expect((await cli(["search", "x", "--agent-dir", agentDir, "--json"])).out).toContain('"results":[]');
    for (const name of ["index", "doctor"]) {
      expect(await cli([name, "--agent-dir", agentDir, "--json"])).toMatchObject({ status: 1, out: "" });
    }
    await cli(["prepare", "--scope", "all", "--agent-dir", agentDir]);
    expect(existsSync(agentDir)).toBe(false);
  });
});

describe("search", () => {
  test("--json prints what the tool returns", async () => {
    const { indexPath } = places();
    const { status, out } = await cli([
      "search",
      "backoff",
      "jitter",
      "--root",
      samples,
      "--index",
      indexPath,
      "--json",
    ]);
    expect(status).toBe(0);
    const expected = await searchSessions({ query: "backoff jitter" }, { sessionsRoot: samples, indexPath });
    expect(JSON.parse(out)).toEqual(expected);
  });

  test("prints for each hit the command that opens it, in the same store, and the command works", async () => {
    const { out } = await cli(["search", "backoff", "jitter", "--root", samples]);
    const command = /^ {3}pi-retrospect (show .*)$/m.exec(out)?.[1];
    expect(command).toContain(`--root ${samples}`);
    const shown = await cli((command ?? "").split(" "));
    expect(shown.status).toBe(0);
    expect(shown.out).toMatch(/^▶ /m);
  });

  test("without words the most recent sessions are shown", async () => {
    const { out } = await cli(["search", "--root", samples, "--limit", "2"]);
    expect(out.match(/^ {3}pi-retrospect show /gm)).toHaveLength(2);
  });

  test("nothing found is said on the side, and is no failure unless asked", async () => {
    const args = ["search", "nosuchword", "--root", samples];
    expect(await cli(args)).toMatchObject({ status: 0, out: "", err: `nothing found in ${samples}\n` });
    expect((await cli([...args, "--fail-if-empty"])).status).toBe(3);
  });

  test("a store that is named has no index unless one is named too", async () => {
    const { tree } = places();
    const agentDir = tree.at("agent");
    await cli(["search", "backoff", "--root", samples, "--agent-dir", agentDir]);
    expect(existsSync(agentDir)).toBe(false);
  });

  test("every parameter of the tool that search and show can use has a flag", async () => {
    const help = (await cli(["search", "--help"])).out + (await cli(["show", "--help"])).out;
    const named = Object.keys(SessionSearchParamsSchema.properties).filter(
      (name) => !["query", "sessionId", "operation", "scope", "projectPath"].includes(name),
    );
    for (const name of named) {
      expect(help).toContain(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    }
  });

  test("a transcript cannot drive the terminal", async () => {
    const tree = scratch();
    const hostile = "\u001b]0;title\u0007 \u202e backoff \u009b31m \u200b";
    tree.write("s/--p--/2026-01-01T00-00-00-000Z_a.jsonl", fileOf(header(), userMessage("a", null, hostile)));
    for (const args of [
      ["search", "backoff"],
      ["show", tree.at("s/--p--/2026-01-01T00-00-00-000Z_a.jsonl")],
    ]) {
      const { out, err } = await cli([...args, "--root", tree.at("s")]);
      expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/);
      expect(out).toContain("backoff");
    }
  });
});

describe("show", () => {
  test("reads a branch; a mistyped name is told apart from a file of another store", async () => {
    const { tree } = places();
    const file = tree.write(
      "s/--p--/2026-01-01T00-00-00-000Z_a.jsonl",
      fileOf(header(), userMessage("a", null, "hello")),
    );
    expect((await cli(["show", file, "--root", tree.at("s")])).out).toContain("hello");
    expect((await cli(["show", `${file}x.jsonl`, "--root", tree.at("s")])).status).toBe(1);
    expect(await cli(["show", file, "--root", samples])).toMatchObject({ status: 2, out: "" });
  });
});

describe("index and doctor", () => {
  test("build a private index, say what it holds, and find it well", async () => {
    const { indexPath } = places();
    const store = ["--root", samples, "--index", indexPath];
    const { status, out } = await cli(["index", ...store]);
    expect(status).toBe(0);
    expect(out).toMatch(/holds +15 sessions/);
    expect(statSync(indexPath).mode & 0o777).toBe(0o600);
    const state = JSON.parse((await cli(["index", "--status", "--json", ...store])).out);
    expect(state).toMatchObject({ sessions: 15, backlogFiles: 0, walkComplete: true });
    expect((await cli(["doctor", ...store])).out).toMatch(
      /checked +15 files .* 0 differ; database ok\nall is well\n$/,
    );
  });

  test("doctor finds an edit far back that an append has hidden, and --rebuild mends it", async () => {
    const { tree, indexPath } = places();
    const name = "s/--p--/2026-01-01T00-00-00-000Z_a.jsonl";
    const filler = userMessage("b", "a", "x".repeat(100_000));
    const lines = (first: string, ...more: string[]) =>
      fileOf(header(), userMessage("a", null, first), filler, ...more);
    const file = tree.write(name, lines("before"));
    const store = ["--root", tree.at("s"), "--index", indexPath];
    await cli(["index", ...store]);
    writeFileSync(file, lines("beyond", userMessage("c", "b", "appended"))); // in place: the inode stays
    await cli(["index", ...store]);
    expect((await cli(["doctor", ...store])).out).toMatch(/1 differ.*\nproblem: .*--rebuild/s);
    await cli(["index", "--rebuild", ...store]);
    expect((await cli(["doctor", ...store])).out).toContain("all is well");
  });

  test("need an index to speak of", async () => {
    for (const name of ["index", "doctor"]) {
      expect(await cli([name, "--root", samples])).toMatchObject({ status: 2 });
    }
  });

  test("an index that is not ours is refused and left as it is", async () => {
    const { tree, indexPath } = places();
    tree.write("private/index.db", "somebody's notes");
    const { status, err } = await cli(["index", "--root", samples, "--index", indexPath]);
    expect(status).toBe(1);
    expect(err).toMatch(/^error: /);
    expect(readdirSync(path.dirname(indexPath))).toEqual(["index.db"]);
    const searched = await cli(["search", "backoff", "--root", samples, "--index", indexPath]);
    expect(searched.out).toContain("«backoff»");
    expect(searched.err).toMatch(/the index is not up to date: /);
  });
});

describe("demo and completion", () => {
  test("the demo answers its three questions and leaves nothing behind", async () => {
    const { status, out } = await cli(["demo"]);
    expect(status).toBe(0);
    expect(out).toContain("Decision for the retry queue");
    expect(out).toContain("EC«ONNREFUS»ED");
    expect(out).toMatch(/asked: Does src\/replay\.ts/);
    expect(out).not.toContain("pi-retrospect-demo-");
  });

  test("bash completes commands, flags and choices", async () => {
    const script = (await cli(["completion", "bash"])).out;
    const complete = (...words: string[]) => {
      const line = ["pi-retrospect", ...words].map((word) => `'${word}'`).join(" ");
      const asked = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _pi_retrospect; echo "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", asked], { encoding: "utf8" }).stdout.trim();
    };
    expect(complete("ent")).toBe("entries");
    expect(complete("list", "--cwd-m")).toBe("--cwd-match");
    expect(complete("list", "--cwd-match", "s")).toBe("sibling-prefix");
    expect(complete("completion", "")).toBe("bash zsh fish");
  });

  test("zsh and fish scripts name every command and long flag", async () => {
    for (const shell of ["zsh", "fish"]) {
      const script = (await cli(["completion", shell])).out;
      for (const word of [
        "search",
        "doctor",
        "cwd-match",
        "around-message-id",
        "sibling-prefix",
        "bash zsh fish",
      ]) {
        expect(script, shell).toContain(word);
      }
    }
    expect((await cli(["completion", "tcsh"])).status).toBe(2);
  });
});
