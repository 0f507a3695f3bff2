import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cli, invisibleIn } from "../../support/cli.ts";
import { ATTACKS, hostileName, hostileText } from "../../support/hostile-text.ts";
import { entry, fileOf, header, scratch, userMessage } from "../../support/stores.ts";

describe("what a transcript holds cannot drive the terminal", () => {
  const story = fc.record({
    ...{ id: hostileText, cwd: hostileText.map((text) => `/${text}`), name: hostileName, words: hostileText },
    ...{
      title: fc.option(hostileText),
      type: hostileText,
      role: hostileText,
      broken: hostileText,
      project: hostileName,
    },
  });

  test("on any surface of the command line: lists, paths, entries, warnings and JSON", async () => {
    let run = 0;
    const tree = scratch();
    await fc.assert(
      fc.asyncProperty(story, fc.boolean(), async (given, hasColor) => {
        const { id, cwd, name, words, title, type, role, broken, project } = given;
        const root = `s${run++}`;
        const lines = [
          header({ id, cwd }),
          userMessage(id, null, words),
          entry("m", id, { type: "message", message: { role, content: words } }),
          entry("t", words, { type: `t${type}` }),
          broken.replace(/[\r\n]/g, ""),
          ...(title === null ? [] : [entry("n", "t", { type: "session_info", name: title })]),
        ];
        const file = tree.write(`${root}/--${project}--/${name}.jsonl`, fileOf(...lines));
        tree.write(`${root}/--${project}--/${name}/${name}/session.jsonl`, fileOf(header({ id: words })));
        tree.write(`${root}/--${project}--/bad${name}.jsonl`, `${broken}\n`);
        const setting = { hasColor, columns: 80 };
        const commands = [
          ["list", "--root", tree.at(root)],
          ["list", "--root", tree.at(root), "--paths", "--limit", "1"],
          ["entries", file, "--root", tree.at(root)],
        ];
        for (const args of commands) {
          const { status, out, err } = await cli(args, setting);
          expect(status, err).toBe(0);
          expect(invisibleIn(out + err, { allowColor: hasColor })).toBeUndefined();
          const json = await cli([...args.filter((arg) => arg !== "--paths"), "--json"], setting);
          expect(invisibleIn(json.out + json.err)).toBeUndefined();
          expect(JSON.parse(json.out)).toHaveProperty("warnings");
        }
        const gone = await cli(["entries", `${file}.gone`, "--root", tree.at(root)], setting);
        expect(gone.status).toBeGreaterThan(0);
        expect(invisibleIn(gone.err, { allowColor: hasColor })).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test("and JSON still holds the very characters", async () => {
    const tree = scratch();
    const file = tree.write(
      "s/--p--/a.jsonl",
      fileOf(header(), ...ATTACKS.map((text, i) => userMessage(`${i}`, null, text))),
    );
    const { out } = await cli(["entries", file, "--root", tree.at("s"), "--json"]);
    expect(JSON.parse(out).entries.map(({ text }: { text: string }) => text)).toEqual(ATTACKS);
    expect(invisibleIn(out)).toBeUndefined();
  });

  test("nor can what is typed: mistakes are said in one safe line", async () => {
    for (const attack of ATTACKS) {
      for (const args of [
        [`--${attack}`],
        ["list", `--${attack}`],
        ["list", "--limit", attack],
        ["list", "--since", attack],
        [attack],
      ]) {
        const { status, out, err } = await cli(args);
        expect([status, out]).toEqual([2, ""]);
        expect(invisibleIn(err), JSON.stringify(args)).toBeUndefined();
        expect(err.split("\n")).toHaveLength(2);
      }
    }
  });

  test("line breaks and tabs of a text stay lines and space, each line indented", async () => {
    const tree = scratch();
    const file = tree.write(
      "s/--p--/a.jsonl",
      fileOf(header(), userMessage("u", null, "one\n\ttwo\r\nthree\rfour")),
    );
    const { out } = await cli(["entries", file, "--root", tree.at("s")]);
    expect(out.split("\n").slice(1)).toEqual(["   one", "       two", "   three", "   four", ""]);
  });

  test("first words are cut at a character", async () => {
    const tree = scratch();
    tree.write("s/--p--/a.jsonl", fileOf(header(), userMessage("u", null, `${"x".repeat(199)}😀 and more`)));
    expect((await cli(["list", "--root", tree.at("s")])).out).toMatch(/x{199}\n$/);
  });
});

describe("colour", () => {
  test("is written only where the terminal has it", async () => {
    const tree = scratch();
    const file = tree.write("s/--p--/a.jsonl", fileOf(header(), userMessage("u", null, "words"), "broken"));
    tree.write("s/--p--/bad.jsonl", "bad");
    for (const args of [
      ["list", "--paths", "--limit", "1"],
      ["entries", file, "--limit", "1"],
      ["entries", "/outside"],
    ]) {
      const plain = await cli([...args, "--root", tree.at("s")]);
      const colored = await cli([...args, "--root", tree.at("s")], { hasColor: true });
      expect(plain.out + plain.err).not.toContain("\u001b");
      expect(colored.err).toMatch(/^\u001b\[3[13]m(error|warning):\u001b\[39m /);
      expect((colored.out + colored.err).replace(/\u001b\[\d+m/g, "")).toBe(plain.out + plain.err);
    }
  });
});
