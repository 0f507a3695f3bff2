/** What a transcript holds cannot drive the terminal, on any surface. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { listSessions, readSessionEntries, searchSessions } from "../../src/index.ts";
import { renderEntries, renderSessions } from "../../src/surface/render.ts";
import { cli, invisibleIn } from "../../test/support/cli.ts";
import { hostileName, hostileText } from "../../test/support/hostile-text.ts";
import { entry, fileOf, header, userMessage } from "../../test/support/session-lines.ts";
import type { SoakCase } from "../case.ts";

const story = fc.record({
  ...{ id: hostileText, cwd: hostileText, name: hostileName, words: hostileText, title: hostileText },
  ...{ type: hostileText, role: hostileText, broken: hostileText, project: hostileName, tool: hostileText },
});

export const display: SoakCase = {
  name: "display",
  what: "escape sequences, bidirectional and zero-width text in every field: nothing reaches the terminal raw",
  longRounds: 100,
  shortRounds: 1,
  async run({ seed, isShort, directory, count }) {
    let run = 0;
    const property = fc.asyncProperty(story, fc.boolean(), async (given, hasColor) => {
      const root = path.join(directory, String(run++));
      const { project, name, words, id, broken } = given;
      const file = path.join(root, `--${project}--`, `${name}.jsonl`);
      mkdirSync(path.join(root, `--${project}--`, name, name), { recursive: true });
      writeFileSync(file, fileOf(...linesOf(given)));
      writeFileSync(
        path.join(root, `--${project}--`, name, name, "session.jsonl"),
        fileOf(header({ id: words })),
      );
      writeFileSync(path.join(root, `--${project}--`, `bad${name}.jsonl`), `${broken}\n`);
      const store = ["--root", root, "--index", path.join(root, "index.db")];
      const commands = [
        ["list", ...store],
        ["list", ...store, "--paths", "--limit", "1"],
        ["entries", file, ...store],
        ["search", "needle", ...store],
        ["search", words.replaceAll("\0", "") || "x", ...store],
        ["search", ...store],
        ["show", file, ...store],
        ["show", file, "--around", "n1", ...store],
        ["entries", `${file}.gone`, ...store],
        ["index", ...store],
        ["index", "--status", ...store],
        ["doctor", ...store],
      ];
      for (const args of commands) {
        const { out, err } = await cli(args, { hasColor, columns: 80 });
        const found = invisibleIn(out + withoutProgress(err), { allowColor: hasColor });
        assert.equal(
          found,
          undefined,
          `${args[0]} shows ${JSON.stringify(found)} of ${JSON.stringify(out + err)}`,
        );
        if (args.includes("--paths")) continue;
        const json = await cli([...args, "--json"], { hasColor, columns: 80 });
        assert.equal(
          invisibleIn(json.out + withoutProgress(json.err), { allowColor: hasColor }),
          undefined,
          `${args[0]} --json`,
        );
        if (json.status === 0) JSON.parse(json.out);
      }
      await requireSafeToolTexts(root, file);
      count("stores");
      count("commands", commands.length);
      assert.ok(id !== undefined);
    });
    await fc.assert(property, { seed, numRuns: isShort ? 3 : 20 });
  },
};

/** A progress bar, drawn where a busy machine lets a command wait, clears its line. */
function withoutProgress(err: string): string {
  return err.replaceAll("\r\u001b[K", "");
}

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

function linesOf({ id, cwd, words, title, type, role, broken, tool }: Story): readonly string[] {
  const call = { type: "toolCall", id: tool, name: tool, arguments: { command: words } };
  return [
    header({ id, cwd: `/${cwd}` }),
    userMessage("n1", null, `needle ${words}`),
    userMessage(id, "n1", words),
    entry("a", "n1", {
      type: "message",
      message: { role: "assistant", content: [{ type: "text", text: words }, call] },
    }),
    entry("r", "a", {
      type: "message",
      message: { role: "toolResult", toolName: tool, content: words, isError: true },
    }),
    entry("m", id, { type: "message", message: { role, content: words } }),
    entry("t", words, { type: `t${type}` }),
    broken.replace(/[\r\n]/g, ""),
    entry("n", "t", { type: "session_info", name: title }),
  ];
}

/** The text beside `structuredContent`, and what a search gives a model. */
async function requireSafeToolTexts(root: string, file: string): Promise<void> {
  const options = { sessionsRoot: root };
  const listed = renderSessions(await listSessions({}, options));
  const read = renderEntries(await readSessionEntries({ sessionPath: file }, options));
  for (const text of [listed, read]) assert.equal(invisibleIn(text), undefined, text);
  const shown = await searchSessions({ sessionId: file }, options);
  if (!("messages" in shown)) throw new Error("no messages");
  for (const { content } of shown.messages) {
    assert.equal(/[^\P{Cc}\n\t]/u.exec(content)?.[0], undefined, `content ${JSON.stringify(content)}`);
  }
}
