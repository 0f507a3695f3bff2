import { describe, expect, test } from "vitest";
import { readTranscript } from "../../src/transcript/readTranscript.ts";
import { chain, entry, headerOf, lineOf, makeStore, message } from "./store.ts";

const store = makeStore();
const read = (sessionId: string) => readTranscript({ sessionId }, store.options);
const readLines = (lines: readonly (object | string)[], version?: number) =>
  read(store.write(lines, version));
const idsOf = (output: { messages: readonly { id: string | null }[] }) => output.messages.map(({ id }) => id);

describe("which messages read shows", () => {
  test("the active branch is the path that ends at the last entry, root first", async () => {
    const output = await readLines([
      message("a", null),
      message("b", "a"),
      message("left", "b"),
      message("c", "b"),
      entry("label", "l", "c", { targetId: "a", label: "x" }),
    ]);
    expect(idsOf(output)).toEqual(["a", "b", "c"]);
    expect(output).toMatchObject({ mode: "read", totalMessages: 3, branchTip: "l" });
    expect(output).not.toHaveProperty("truncated");
    expect(output).not.toHaveProperty("warnings");
  });

  test("messages are user, assistant, toolResult, bashExecution, custom and custom_message, nothing else", async () => {
    const output = await readLines([
      message("sys", null, "prompt", "system"),
      message("u", "sys", "hi"),
      message("a", "u", [{ type: "text", text: "hello" }], "assistant"),
      message("t", "a", [{ type: "text", text: "out" }], "toolResult", { toolName: "bash", isError: true }),
      entry("message", "b", "t", {
        message: { role: "bashExecution", command: "ls", output: "x", exitCode: 0 },
      }),
      message("c", "b", "injected", "custom"),
      entry("custom_message", "cm", "c", { content: "by an extension" }),
      entry("custom", "cu", "cm", { data: 1 }),
      entry("compaction", "co", "cu", { summary: "all of it" }),
      message("bs", "co", "x", "branchSummary"),
      message("odd", "bs", "x", "oracle"),
      entry("message", "none", "odd", { message: null }),
    ]);
    expect(output.messages.map(({ id, role, content }) => [id, role, content])).toEqual([
      ["u", "user", "hi"],
      ["a", "assistant", "hello"],
      ["t", "toolResult", "out"],
      ["b", "bashExecution", "$ ls\nx"],
      ["c", "custom", "injected"],
      ["cm", "custom", "by an extension"],
    ]);
    expect(output.messages[2]).toMatchObject({ toolName: "bash", isError: true });
    expect(output.messages[0]).not.toHaveProperty("isError");
    expect(output.messages.map(({ lineNo }) => lineNo)).toEqual([3, 4, 5, 6, 7, 8]);
  });

  test("hookMessage, the name of version 2, counts as custom", async () => {
    const output = await readLines([message("h", null, "from a hook", "hookMessage")], 2);
    expect(output.messages).toMatchObject([{ role: "custom", content: "from a hook" }]);
  });

  test("30 messages come whole, of 31 the first 20 and the last 10", async () => {
    expect(await readLines(chain(30))).toMatchObject({ totalMessages: 30, messages: { length: 30 } });
    const output = await readLines(chain(31));
    const expected = [...Array(20).keys(), 21, 22, 23, 24, 25, 26, 27, 28, 29, 30].map((i) => `m${i}`);
    expect(idsOf(output)).toEqual(expected);
    expect(output).toMatchObject({ totalMessages: 31, truncated: true });
  });

  test("a session without entries has no messages and no tip", async () => {
    expect(await readLines([])).toEqual({
      mode: "read",
      path: expect.stringContaining("--project--"),
      totalMessages: 0,
      messages: [],
      branchTip: null,
    });
  });

  test("of duplicate ids the last wins, as in Pi", async () => {
    const output = await readLines([message("a", null, "old"), message("b", "a"), message("a", null, "new")]);
    expect(output.messages.map(({ content }) => content)).toEqual(["new"]);
    const below = await readLines([message("a", null, "old"), message("a", null, "new"), message("b", "a")]);
    expect(below.messages.map(({ content }) => content)).toEqual(["new", "text of b"]);
  });

  test("a message whose stored timestamp only just parses keeps it as it is", async () => {
    const odd = {
      ...entry("message", "a", null, { message: { role: "user", content: "x" } }),
      timestamp: "2026-02-30",
    };
    expect((await readLines([odd])).messages[0]?.timestamp).toBe("2026-02-30");
  });
});

describe("what went wrong on the way is a warning", () => {
  test("a skipped line is named, and a lost parent says where the branch begins", async () => {
    const output = await readLines([
      message("a", null),
      '{"type":"mess',
      message("c", "b"),
      message("d", "c"),
    ]);
    expect(idsOf(output)).toEqual(["c", "d"]);
    expect(output.warnings).toMatchObject([
      { lineNo: 3, code: "invalid_json" },
      { lineNo: 4, code: "missing_parent" },
    ]);
  });

  test("a cycle in parentId ends the walk", async () => {
    const output = await readLines([message("a", "c"), message("b", "a"), message("c", "b")]);
    expect(idsOf(output)).toEqual(["a", "b", "c"]);
    expect(output.warnings).toMatchObject([{ lineNo: 2, code: "parent_cycle" }]);
    const self = await readLines([message("a", "a")]);
    expect(idsOf(self)).toEqual(["a"]);
    expect(self.warnings).toMatchObject([{ lineNo: 2, code: "parent_cycle" }]);
  });

  test("an entry without an id stands on no branch", async () => {
    const output = await readLines([message("a", null), message(null, "a"), message("b", "a")]);
    expect(idsOf(output)).toEqual(["a", "b"]);
    expect(output.warnings).toMatchObject([{ lineNo: 3, code: "missing_id" }]);
  });

  test("more than 20 skipped lines are counted in one more warning", async () => {
    const output = await readLines([message("a", null), ...Array.from({ length: 25 }, () => "torn")]);
    expect(output.warnings).toHaveLength(21);
    expect(output.warnings?.at(-1)).toMatchObject({ lineNo: null, code: "more_warnings" });
    expect(output.warnings?.at(-1)?.reason).toMatch(/^5 more/);
  });

  test("glued entries are read from their common line, each as itself", async () => {
    const glued = [message("b", "a"), message("c", "b")].map(lineOf).join("");
    const torn = `{"type":"message","id":"x","mess${lineOf(message("d", "c"))}`;
    const output = await readLines([message("a", null), glued, torn]);
    expect(output.messages.map(({ id, lineNo, content }) => [id, lineNo, content])).toEqual([
      ["a", 2, "text of a"],
      ["b", 3, "text of b"],
      ["c", 3, "text of c"],
      ["d", 4, "text of d"],
    ]);
    expect(output.warnings?.map(({ code }) => code)).toEqual(["recovered_entry", "recovered_entry"]);
  });
});

describe("version 1 files", () => {
  test("are linear: every message in file order, ids null even when stored, and no tip", async () => {
    const output = await readLines([message("a", null), message(null, "zzz"), message("b", null)], 1);
    expect(output).toMatchObject({ totalMessages: 3, branchTip: null });
    expect(idsOf(output)).toEqual([null, null, null]);
    expect(output.messages.map(({ lineNo }) => lineNo)).toEqual([2, 3, 4]);
    expect(output.warnings).toMatchObject([{ lineNo: null, code: "legacy_version" }]);
  });

  test("a header without a version is version 1", async () => {
    const header = { type: "session", id: "s", timestamp: "2026-01-01", cwd: "/p" };
    const file = store.writeBytes(`${lineOf(header)}\n${lineOf(message("a", null))}`);
    expect(idsOf(await read(file))).toEqual([null]);
  });
});

describe("bytes", () => {
  test("CRLF, lone CR, a BOM on line 1 and a missing last line break change neither lines nor places", async () => {
    const lines = [
      headerOf(3),
      message("a", null),
      message("b", "a"),
      message("c", "b", "naïve 配置 🙂"),
    ].map(lineOf);
    const expected = ["text of a", "text of b", "naïve 配置 🙂"];
    for (const breaks of ["\n", "\r\n", "\r"]) {
      const output = await read(store.writeBytes(`\ufeff${lines.join(breaks)}`));
      expect(output.messages.map(({ content }) => content)).toEqual(expected);
      expect(output.messages.map(({ lineNo }) => lineNo)).toEqual([2, 3, 4]);
      expect(output).not.toHaveProperty("warnings");
    }
  });
});
