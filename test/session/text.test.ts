import { getSystemMessageText, type SystemMessage } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model.ts";
import { textOf } from "../../src/session/text.ts";

const message = (fields: object): JsonObject => ({ type: "message", message: fields }) as JsonObject;
const blocks = [
  { type: "thinking", thinking: "secret" },
  { type: "text", text: "one" },
  { type: "toolCall", name: "bash", arguments: { text: "no" } },
  { type: "image", data: "AAAA", text: "no" },
  { type: "text", text: "" },
  { type: "text", text: "  two \n" },
];
const blockText = "one\n  two \n";

describe("the text of a message", () => {
  test.each(["user", "assistant", "toolResult", "custom"])(
    "of role %s is its content's own words",
    (role) => {
      expect(textOf(message({ role, content: " as it\r\nstands " }))).toBe(" as it\r\nstands ");
      expect(textOf(message({ role, content: blocks }))).toBe(blockText);
      expect(textOf(message({ role, content: "", summary: "no", command: "no" }))).toBeNull();
      expect(textOf(message({ role, content: [{ type: "thinking", thinking: "t" }] }))).toBeNull();
    },
  );

  test("of role system is content, then its sections that are set, joined by blank lines", () => {
    const sections = { b: "second", a: "third", gone: null, empty: "" };
    expect(textOf(message({ role: "system", content: "first", sections }))).toBe("first\n\nsecond\n\nthird");
    expect(textOf(message({ role: "system", content: "", sections: { a: "only" } }))).toBe("only");
    expect(textOf(message({ role: "system", content: blocks, sections: { a: "x" } }))).toBe(
      `${blockText}\n\nx`,
    );
    expect(textOf(message({ role: "system", content: "", sections: { a: null } }))).toBeNull();
  });

  test("of a shell execution is its command, never its output", () => {
    expect(textOf(message({ role: "bashExecution", command: "ls", output: "no", content: "no" }))).toBe("ls");
    expect(textOf(message({ role: "bashExecution", output: "no" }))).toBeNull();
  });

  test.each(["branchSummary", "compactionSummary"])("of role %s is its summary", (role) => {
    expect(textOf(message({ role, summary: "what was", content: "no" }))).toBe("what was");
  });

  test("of an unknown role is nothing", () => {
    for (const role of ["other", "User", "", "__proto__", "constructor", 1, null, undefined]) {
      expect(textOf(message({ role, content: "no", summary: "no", command: "no" }))).toBeNull();
    }
  });
});

describe("the text of another entry", () => {
  test.each([
    ["compaction", { summary: "s", content: "no" }, "s"],
    ["branch_summary", { summary: "s" }, "s"],
    ["custom_message", { content: "c" }, "c"],
    ["custom_message", { content: blocks }, blockText],
    ["context_edit", { replacement: { content: "r" } }, "r"],
    ["context_edit", { replacement: { content: blocks } }, blockText],
    ["context_edit", { replacement: null }, null],
    ["context_edit", {}, null],
    ["session_info", { name: "n", label: "no" }, "n"],
    ["usage", { note: "n" }, "n"],
    ["label", { label: "l" }, "l"],
    ["label", { label: "" }, null],
    ["label", {}, null],
    ["model_change", { modelId: "m", text: "no", content: "no" }, null],
    ["thinking_level_change", { thinkingLevel: "high", content: "no" }, null],
    ["custom", { data: "no", content: "no", summary: "no" }, null],
    ["unknown", { content: "no", summary: "no", name: "no", message: { role: "user", content: "no" } }, null],
  ])("%s %j is %j", (type, fields, expected) => {
    expect(textOf({ type, ...fields } as JsonObject)).toBe(expected);
  });
});

test("text equals Pi's own rendering on well-formed system messages", () => {
  const words = fc.string({ unit: "binary", maxLength: 8 });
  const block = fc.record({
    type: fc.constant("text" as const),
    text: fc.string({ minLength: 1, maxLength: 8 }),
  });
  const system = fc.record({
    role: fc.constant("system" as const),
    content: fc.oneof(words, fc.array(block, { maxLength: 3 })),
    sections: fc.option(
      fc.dictionary(fc.string({ maxLength: 4 }), fc.option(words), { noNullPrototype: true }),
      {
        nil: undefined,
      },
    ),
    timestamp: fc.nat(),
  });
  fc.assert(
    fc.property(system, (given) => {
      const stored = JSON.parse(JSON.stringify(given)) as SystemMessage;
      expect(textOf(message(stored)) ?? "").toBe(getSystemMessageText(stored));
    }),
    { numRuns: 500 },
  );
});

describe("whatever stands in a file", () => {
  const types =
    "message custom_message compaction branch_summary context_edit session_info usage label custom".split(
      " ",
    );
  const roles =
    "user assistant toolResult custom hookMessage system bashExecution branchSummary compactionSummary".split(
      " ",
    );
  const fields = "content sections command summary replacement name note label text message role".split(" ");
  const anything = fc.jsonValue({ maxDepth: 3 });
  const shaped = (inner: fc.Arbitrary<unknown>) =>
    fc.dictionary(fc.constantFrom(...fields), inner, { noNullPrototype: true });
  const contentLike = fc.oneof(
    anything,
    fc.array(fc.oneof(anything, fc.record({ type: fc.constant("text"), text: anything }))),
  );
  const messageLike = fc
    .tuple(fc.oneof(fc.constantFrom(...roles), anything), shaped(contentLike))
    .map(([role, rest]) => ({ ...rest, role }));
  const entryLike = fc
    .tuple(
      fc.oneof(fc.constantFrom(...types), anything),
      shaped(contentLike),
      fc.oneof(messageLike, anything),
    )
    .map(([type, rest, inner]) => ({ ...rest, type, message: inner }));

  test("the projection gives a non-empty string or null and never throws", () => {
    fc.assert(
      fc.property(entryLike, (value) => {
        const found = textOf(value as JsonObject);
        expect(found === null || (typeof found === "string" && found !== "")).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("malformed blocks are ignored, never stringified", () => {
    fc.assert(
      fc.property(fc.array(anything), (values) => {
        const content = [...values.filter((value) => !isTextBlock(value)), { type: "text", text: "kept" }];
        expect(textOf(message({ role: "user", content }))).toBe("kept");
      }),
    );
    for (const content of [7, true, {}, { type: "text", text: "no" }, null]) {
      expect(textOf(message({ role: "user", content }))).toBeNull();
    }
    for (const sections of ["letters", ["no"].map(() => 7), 7, true]) {
      expect(textOf(message({ role: "system", content: "c", sections }))).toBe("c");
    }
  });

  test("size is no reason to throw: 300,000 sections and 300,000 blocks", () => {
    const sections = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`s${i}`, "x"]));
    expect(textOf(message({ role: "system", content: "", sections }))?.length).toBe(300_000 * 3 - 2);
    const content = Array.from({ length: 300_000 }, () => ({ type: "text", text: "x" }));
    expect(textOf(message({ role: "user", content }))?.length).toBe(300_000 * 2 - 1);
  });
});

function isTextBlock(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && value.type === "text";
}
