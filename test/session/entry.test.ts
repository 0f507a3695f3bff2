import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIRST_ADDRESSED_VERSION, type JudgedLine, judgeLine } from "../../src/session/entry.ts";
import { type Line, MAX_LINE_BYTES } from "../../src/session/lines.ts";
import { textOf } from "../../src/session/text.ts";
import { entry } from "../support/stores.ts";

function judge(content: string | Uint8Array, version = 3): JudgedLine {
  return judgeLine(lineOf(content), version);
}

function lineOf(content: string | Uint8Array): Line {
  const buffer = Buffer.from(content as string);
  const [start, end] = [0, buffer.length];
  return { number: 2, offset: 0, nextOffset: end, buffer, start, end, isTerminated: true, isTooLong: false };
}

/** The rule that holds for every line whatever it is made of: an entry without a problem, or exactly one problem. */
function expectSound(judged: JudgedLine): void {
  if (judged.problem === undefined) expect(judged.entries).toHaveLength(1);
  else if (judged.problem.code === "recovered_entry") expect(judged.entries.length).toBeGreaterThan(0);
  else expect(judged.entries).toEqual([]);
  for (const found of judged.entries) {
    expect(typeof found.type).toBe("string");
    expect(found.timestampMs).toBe(Date.parse(found.timestamp));
    textOf(found.raw);
  }
}

const A = { type: "custom", id: "a", parentId: null, timestamp: "2026-05-01T08:00:00Z" };
const text = JSON.stringify(A);

describe("a line of version 2 or later", () => {
  test("holds one entry whose raw is the whole parsed line, unknown fields included", () => {
    const whole = { ...A, unknown: { nested: [1, null] }, __extra: true };
    const { entries, problem } = judge(JSON.stringify(whole));
    expect(problem).toBeUndefined();
    expect(entries).toEqual([
      {
        id: "a",
        parentId: null,
        timestamp: A.timestamp,
        timestampMs: 1777622400000,
        type: "custom",
        messageRole: null,
        raw: whole,
      },
    ]);
  });

  test("never loses an entry for its ids: whatever is no non-empty string becomes null", () => {
    for (const odd of [undefined, null, "", 0, 7, true, [], {}, ["a"]]) {
      const [found] = judge(JSON.stringify({ ...A, id: odd, parentId: odd })).entries;
      expect(found).toMatchObject({ id: null, parentId: null });
    }
  });

  test.each(["toString", "constructor", "__proto__", "hasOwnProperty", "A B", "\ud800"])(
    "keeps the id %j",
    (id) => {
      expect(judge(JSON.stringify({ ...A, id, parentId: id })).entries).toMatchObject([{ id, parentId: id }]);
    },
  );

  test("has a role only as a message, and only when the role is a string", () => {
    const roleOf = (fields: object) => judge(JSON.stringify({ ...A, ...fields })).entries[0]?.messageRole;
    expect(roleOf({ type: "message", message: { role: "user" } })).toBe("user");
    expect(roleOf({ type: "message", message: { role: "" } })).toBe("");
    expect(roleOf({ type: "message", message: { role: "Unknown" } })).toBe("Unknown");
    expect(roleOf({ type: "custom", message: { role: "user" } })).toBeNull();
    for (const message of [undefined, null, "user", [{ role: "user" }], {}, { role: 1 }, { role: null }]) {
      expect(roleOf({ type: "message", message })).toBeNull();
    }
  });

  test.each([
    ["not JSON", "{", "invalid_json", "not JSON"],
    ["blank", "", "invalid_json", "blank"],
    ["white space", " \t ", "invalid_json", "blank"],
    ["an array", "[]", "invalid_entry", "an array"],
    ["a string", '"entry"', "invalid_entry", '"entry"'],
    ["null", "null", "invalid_entry", "null"],
    ["no type", JSON.stringify({ ...A, type: undefined }), "invalid_entry", "type"],
    ["an empty type", JSON.stringify({ ...A, type: "" }), "invalid_entry", "type"],
    ["a further header", JSON.stringify({ ...A, type: "session" }), "invalid_entry", "header"],
    ["no timestamp", JSON.stringify({ ...A, timestamp: undefined }), "invalid_entry", "timestamp"],
    [
      "a time that does not parse",
      JSON.stringify({ ...A, timestamp: "2026-13-01" }),
      "invalid_entry",
      "2026-13-01",
    ],
    [
      "a numeric timestamp",
      JSON.stringify({ ...A, timestamp: 1777622400000 }),
      "invalid_entry",
      "1777622400000",
    ],
    ["a byte order mark below line 1", `\ufeff{}`, "invalid_json", "not JSON"],
  ] as const)("is skipped with one problem that names it when it holds %s", (_what, content, code, named) => {
    const judged = judge(content);
    expect(judged.problem?.code).toBe(code);
    expect(judged.problem?.reason).toContain(named);
    expectSound(judged);
  });

  test("may have white space around what it holds", () => {
    for (const around of [" ", "\t", " \t  "]) {
      expect(judge(around + text + around)).toEqual(judge(text));
    }
  });

  test("links through when it is skipped as an entry and still has an id", () => {
    const link = judge(JSON.stringify({ ...A, id: "b", parentId: "a", timestamp: "soon" })).skippedLink;
    expect(link).toEqual({ id: "b", parentId: "a" });
    expect(judge("[]").skippedLink).toBeUndefined();
  });

  test("that is too long to be a string is one invalid_json", () => {
    const judged = judgeLine({ ...lineOf(text), isTooLong: true }, 3);
    expect(judged.problem?.code).toBe("invalid_json");
    expect(judged.problem?.reason).toContain(`longer than the ${MAX_LINE_BYTES} bytes`);
    expectSound(judged);
  });

  test("that is glued has one recovered_entry problem that counts its entries", () => {
    expect(judge(text + text)).toMatchObject({
      entries: [A, A].map((raw) => ({ raw })),
      problem: { code: "recovered_entry" },
    });
    expect(judge(text + text).problem?.reason).toContain("2 complete entries");
    expect(judge(text.slice(0, 9) + text).problem?.reason).toContain("one complete entry");
  });

  test("is judged the same in each of these versions", () => {
    for (const content of [text, text + text, JSON.stringify({ ...A, type: "" })]) {
      const judged = judge(content, FIRST_ADDRESSED_VERSION);
      for (const version of [3, 4, 99]) expect(judge(content, version)).toEqual(judged);
    }
  });
});

describe("a line of version 1", () => {
  test("keeps no id, links nothing, and raw keeps what is stored", () => {
    expect(judge(JSON.stringify({ ...A, parentId: "z" }), 1).entries).toMatchObject([
      { id: null, parentId: null, raw: { id: "a", parentId: "z" } },
    ]);
    const skipped = judge(JSON.stringify({ ...A, type: "" }), 1);
    expect(skipped.skippedLink ?? { id: null }).toMatchObject({ id: null });
  });

  test("is never recovered from: its ids do not count, so it has no complete entries", () => {
    expect(judge(text + text, 1)).toMatchObject({ entries: [], problem: { code: "invalid_json" } });
  });
});

describe("hostile lines", () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const deepList = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const holding = (json: string) => `${text.slice(0, -1)},"message":${json}}`;
  const hostile: Readonly<Record<string, string | Uint8Array>> = {
    "100,000 nested objects": deep(100_000),
    "100,000 nested lists": deepList(100_000),
    "100,000 nested objects in an entry": holding(deep(100_000)),
    "100,000 nested lists in an entry": holding(deepList(100_000)),
    "100,000 open objects": '{"a":'.repeat(100_000),
    "100,000 open objects before an entry": '{"a":'.repeat(100_000) + text,
    "__proto__ as a key": `${text.slice(0, -1)},"__proto__":{"type":"session","role":"user"}}`,
    "__proto__ instead of the fields": `{"__proto__":${text}}`,
    "constructor as a key": `${text.slice(0, -1)},"constructor":{"prototype":{"type":"x"}}}`,
    "huge numbers": holding("[1e999,-1e999,123456789012345678901234567890,1e-999]"),
    "duplicate keys": `{"type":"session",${text.slice(1)}`,
    "a run of NULs": "\0".repeat(5000),
    "NULs before an entry": "\0".repeat(5000) + text,
    "lone surrogates": holding('"\\ud800 \\udc00 \\ud800\\ud800"'),
    "invalid UTF-8": Buffer.concat([
      Buffer.from(text.slice(0, 20)),
      Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
    ]),
    "a torn UTF-8 sequence before an entry": Buffer.concat([Buffer.from([0xf0, 0x9f]), Buffer.from(text)]),
    "one long string": JSON.stringify({ ...A, message: "x".repeat(2_000_000) }),
    "many quotes": '"'.repeat(200_000),
    "many backslashes": `{"${"\\".repeat(200_000)}`,
    "many glued entries": text.repeat(20_000),
  };

  test.each(Object.keys(hostile))("%s: judged without a throw, as an entry or as one problem", (name) => {
    for (const version of [1, 2, 3, 99]) expectSound(judge(hostile[name] ?? "", version));
  });

  test("a prototype in the data is data: it lends no field and changes no other object", () => {
    expect(judge(hostile["__proto__ instead of the fields"] ?? "").problem?.code).toBe("invalid_entry");
    const [found] = judge(hostile["__proto__ as a key"] ?? "").entries;
    expect(found).toMatchObject({ type: "custom", messageRole: null });
    expect(({} as Record<string, unknown>)["role"]).toBeUndefined();
  });

  test("of duplicate keys the last counts, as for Pi's own parser", () => {
    expect(judge(hostile["duplicate keys"] ?? "").entries).toMatchObject([{ type: "custom" }]);
  });

  test("arbitrary text, arbitrary bytes and pieces of entries never throw", () => {
    const piece = fc.constantFrom(
      text,
      "{",
      "}",
      '"',
      "\\",
      '{"',
      ",",
      ":",
      "[",
      "]",
      "\0",
      " ",
      "\ufeff",
      "null",
    );
    const content = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.uint8Array({ maxLength: 60 }),
      fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join("")),
      fc.json({ maxDepth: 3 }),
      fc.tuple(fc.json({ maxDepth: 2 }), fc.json({ maxDepth: 2 })).map(([a, b]) => a + b),
    );
    fc.assert(
      fc.property(content, fc.constantFrom(1, 2, 3), (bytes, version) => expectSound(judge(bytes, version))),
      { numRuns: 3000 },
    );
  });

  test("one changed byte in an entry costs at most that line", () => {
    const bytes = Buffer.from(
      entry("a", "b", { type: "message", message: { role: "user", content: 'say "hi"\n' } }),
    );
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        expectSound(judge(changed));
      }),
      { numRuns: 1000 },
    );
  });
});
