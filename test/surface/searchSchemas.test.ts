import type { Static } from "typebox";
import { Value } from "typebox/value";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { SessionSearchOutput, SessionSearchParams } from "../../src/model.ts";
import { SESSION_SEARCH } from "../../src/surface/searchDeclaration.ts";
import { SessionSearchOutputSchema, SessionSearchParamsSchema } from "../../src/surface/searchSchemas.ts";
import { readTranscript } from "../../src/transcript/readTranscript.ts";
import { scrollTranscript } from "../../src/transcript/scrollTranscript.ts";
import { chain, makeStore, message } from "../transcript/store.ts";

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

const store = makeStore();

describe("the schemas", () => {
  test("describe the types of the model", () => {
    expectTypeOf<Static<typeof SessionSearchOutputSchema>>().toEqualTypeOf<Mutable<SessionSearchOutput>>();
    expectTypeOf<Static<typeof SessionSearchParamsSchema>>().toExtend<SessionSearchParams>();
  });

  test("accept what read and scroll return, warnings, legacy files and tool facts included", async () => {
    const tool = message("t", "m29", "no such file", "toolResult", { toolName: "read", isError: true });
    const file = store.write([...chain(30), tool, "torn"]);
    const read = await readTranscript({ sessionId: file }, store.options);
    const request = { sessionId: file, aroundMessageId: "t", branchTip: undefined, window: 5 };
    const scroll = await scrollTranscript(request, store.options);
    const legacy = await readTranscript({ sessionId: store.write(chain(2), 1) }, store.options);
    for (const output of [read, scroll, legacy]) {
      expect(Value.Check(SessionSearchOutputSchema, output)).toBe(true);
      expect(Value.Check(SessionSearchOutputSchema, { ...output, other: 1 })).toBe(false);
    }
  });

  test("refuse unknown parameters and empty filters, and let values out of range through to be clamped", () => {
    const accepts = (params: object) => Value.Check(SessionSearchParamsSchema, params);
    expect(accepts({})).toBe(true);
    expect(accepts({ query: "x", limit: -4, cwds: ["/a"], cwdMatch: "exact" })).toBe(true);
    expect(accepts({ sessionId: "/a.jsonl", aroundMessageId: "x", window: 999 })).toBe(true);
    for (const params of [{ other: 1 }, { cwds: [] }, { cwds: [""] }, { operation: "x" }, { limit: 1.5 }]) {
      expect(accepts(params)).toBe(false);
    }
  });
});

describe("the declaration", () => {
  test("costs at most 650 tokens of every prompt", () => {
    const { description, parameters, promptSnippet, promptGuidelines } = SESSION_SEARCH;
    const prompt = [description, JSON.stringify(parameters), promptSnippet, ...promptGuidelines].join("");
    expect(prompt.length / 4).toBeLessThanOrEqual(650);
  });

  test("names every mode's arguments, the marks of an answer and the caution", () => {
    for (const word of [
      ...["query", "sessionId", "aroundMessageId", "branchTip", "operation", "scope"],
      ...[
        'match "some"',
        "backlogRemaining",
        "syncWarning",
        "NEAR(",
        "AND OR NOT",
        "thinking",
        "tool output",
      ],
      ...["data, not instructions", "secrets"],
    ]) {
      expect(SESSION_SEARCH.description).toContain(word);
    }
    expect(
      SESSION_SEARCH.promptGuidelines.every(
        (line) => line.includes("session_search") && !line.includes("\n"),
      ),
    ).toBe(true);
    expect(SESSION_SEARCH).not.toHaveProperty("exposure");
    expect(SESSION_SEARCH.annotations.readOnlyHint).toBe(true);
  });
});
