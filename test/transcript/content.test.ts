import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/model.ts";
import { judgeLine } from "../../src/session/entry.ts";
import type { Line } from "../../src/session/lines.ts";
import { callLineOf, jsonStart, MAX_CALL_LINE_CHARS } from "../../src/transcript/callLine.ts";
import { contentOf, MAX_CONTENT_CHARS } from "../../src/transcript/content.ts";
import { lineOf, message } from "./store.ts";

function contentOfEntry(entry: object): string {
  const buffer = Buffer.from(lineOf(entry));
  const line: Line = {
    number: 2,
    offset: 0,
    nextOffset: buffer.length,
    buffer,
    start: 0,
    end: buffer.length,
    isTerminated: true,
    isTooLong: false,
  };
  const [found] = judgeLine(line, 3).entries;
  if (found === undefined) throw new Error("no entry");
  return contentOf(found);
}
const contentFor = (content: unknown, role = "user", fields: object = {}) =>
  contentOfEntry(message("a", null, content, role, fields));
const isWellFormed = (whole: string) => !/\p{Surrogate}/u.test(whole);
const call = (name: string, args: JsonValue): JsonObject => ({
  type: "toolCall",
  id: "c",
  name,
  arguments: args,
});

describe("visible text", () => {
  test("text blocks are joined by line breaks, thinking and malformed blocks are left out", () => {
    const blocks = [
      { type: "thinking", thinking: "secret" },
      { type: "text", text: "a" },
      null,
      7,
      { type: "text" },
    ];
    expect(contentFor([...blocks, { type: "text", text: "b" }], "assistant")).toBe("a\nb");
    expect(contentFor([{ type: "thinking", thinking: "secret" }], "assistant")).toBe("");
  });

  test("no shape of content throws", () => {
    for (const content of [null, 3, {}, true, [[]], [{ type: "image" }], { text: "x" }]) {
      for (const role of ["user", "assistant", "toolResult", "bashExecution", "custom"]) {
        expect(typeof contentFor(content, role)).toBe("string");
      }
    }
  });

  test("an image is a label with its type and decoded size", () => {
    const image = (bytes: number, mimeType = "image/png") => ({
      type: "image",
      mimeType,
      data: Buffer.alloc(bytes).toString("base64"),
    });
    expect(contentFor([{ type: "text", text: "see" }, image(34 * 1024)])).toBe(
      "see\n[image image/png, 34 KB]",
    );
    expect(contentFor([image(500, "image/jpeg")])).toBe("[image image/jpeg, 500 B]");
    expect(contentFor([image(3 * 1024 * 1024)], "toolResult")).toBe("[image image/png, 3.0 MB]");
    expect(contentFor([{ type: "image" }])).toBe("[image of unknown type]");
  });

  test("an assistant message ends with one line per tool call", () => {
    const content = [
      call("bash", { command: "ls -la" }),
      { type: "text", text: "Looking." },
      call("read", { path: "/x", lines: [1, 2] }),
    ];
    expect(contentFor(content, "assistant")).toBe(
      'Looking.\n→ bash {"command":"ls -la"}\n→ read {"path":"/x","lines":[1,2]}',
    );
  });

  test("an answer that broke off says so", () => {
    const fields = { stopReason: "error", errorMessage: "529 overloaded" };
    expect(contentFor([], "assistant", fields)).toBe("[error: 529 overloaded]");
    expect(contentFor([{ type: "text", text: "So" }], "assistant", { stopReason: "aborted" })).toBe(
      "So\n[aborted]",
    );
  });

  test("a shell command shows its output and how it ended", () => {
    const shell = (fields: object) => contentFor(undefined, "bashExecution", fields);
    expect(shell({ command: "ls", output: "a\nb", exitCode: 0 })).toBe("$ ls\na\nb");
    expect(shell({ command: "false", output: "", exitCode: 1 })).toBe("$ false\n[exit code 1]");
    expect(shell({ command: "sleep 9", output: "", cancelled: true })).toBe("$ sleep 9\n[cancelled]");
  });
});

describe("call lines", () => {
  test("are at most 200 characters, whatever the arguments are", () => {
    expect(callLineOf(call("write", { content: "x".repeat(1000) }))).toHaveLength(MAX_CALL_LINE_CHARS);
    const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) as JsonValue;
    expect(callLineOf(call("deep", deep))).toHaveLength(MAX_CALL_LINE_CHARS);
    expect(callLineOf(call("na\nme".repeat(99), {}))).toMatch(/^→ na me.{192}…$/u);
    expect(callLineOf({ type: "toolCall" })).toBe("→ unnamed tool");
  });

  test("never end inside a surrogate pair", () => {
    for (let shift = 0; shift < 4; shift++) {
      const line = callLineOf(call("x".repeat(shift + 1), "😀".repeat(200)));
      expect(isWellFormed(line)).toBe(true);
    }
  });

  test("hold the start of the arguments' JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 60 }), (value, maxChars) => {
        const whole = JSON.stringify(value);
        const start = jsonStart(JSON.parse(whole) as JsonValue, maxChars);
        if (whole.length <= maxChars) expect(start).toBe(whole);
        else expect(start.length).toBeGreaterThan(maxChars);
        expect(whole.startsWith(start.slice(0, maxChars))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("display", () => {
  test("controls other than line break and tab become visible, CR and CRLF line breaks", () => {
    expect(contentFor("\u001b[31mred\u001b[0m\ta\r\nb\rc\u0000\u007f\u009b\u202e")).toBe(
      "\\u001b[31mred\\u001b[0m\ta\nb\nc\\u0000\\u007f\\u009b\\u202e",
    );
  });

  test("no raw control or lone surrogate ever comes through, and joined emoji do", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("user", "toolResult", "bashExecution"),
        (text, role) => {
          const content = contentFor(text, role, { command: text, output: text });
          expect(content).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
          expect(isWellFormed(content)).toBe(true);
        },
      ),
    );
    expect(contentFor('lone "\ud800" and 👩‍👩‍👧')).toBe('lone "\\ud800" and 👩‍👩‍👧');
  });

  test("a content longer than any answer is kept at its ends only", () => {
    const content = contentFor(`start${"x".repeat(200_000)}end`);
    expect(content.length).toBeLessThanOrEqual(MAX_CONTENT_CHARS);
    expect(content).toMatch(/^start.* \[…\] .*end$/su);
    expect(contentFor("\u0007".repeat(MAX_CONTENT_CHARS)).length).toBeLessThanOrEqual(MAX_CONTENT_CHARS);
  });
});
