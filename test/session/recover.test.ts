import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { recoverEntries } from "../../src/session/recover.ts";

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    '"',
    "\\",
    '{"',
    '"}',
    '{"type":"x","id":"q"',
    "\\\\",
    "a\nb",
    "\u2028",
    "😀",
    "}",
    "]",
    "[{",
    ",",
  ),
);
/** Content as sessions hold it, never an entry of its own: no key here is `timestamp`. */
const content = fc.oneof(
  words,
  fc.array(fc.record({ type: fc.constant("text"), text: words }), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("a", "{", '"', "id", "type", "parentId"), words, { maxKeys: 3 }),
  fc.constantFrom(null, true, false, 0, -1.5e-7, 1e21, [], {}, [[], [{}]]),
);
const entryArbitrary = fc
  .record({
    type: fc.constantFrom("message", "custom", "label", "odd type"),
    id: fc.oneof(fc.constantFrom("a1b2c3d4", "日本"), fc.string({ minLength: 1, maxLength: 8 })),
    parentId: fc.option(fc.string({ minLength: 1, maxLength: 8 })),
    timestamp: fc.constantFrom("2026-05-01T08:00:01.000Z", "2026-02-30T00:00:00Z"),
    message: content,
    details: content,
  })
  .chain((fields) =>
    fc
      .shuffledSubarray(["message", "details"] as const)
      .map((extra) => [
        ...(["type", "id", "parentId", "timestamp"] as const).map((key) => [key, fields[key]] as const),
        ...extra.map((key) => [key, fields[key]] as const),
      ])
      .chain((pairs) =>
        fc.constantFrom(pairs, [...pairs].reverse(), [...pairs.slice(2), ...pairs.slice(0, 2)]),
      ),
  )
  .map((pairs) => Object.fromEntries(pairs));
const line = entryArbitrary.map((value) => ({ value, text: JSON.stringify(value) }));

describe("glued entries", () => {
  test("several complete entries on one line are all recovered, in order, with white space between and behind", () => {
    const spaced = fc.array(fc.tuple(line, fc.constantFrom("", " ", "\t ")), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(spaced, (parts) => {
        const glued = parts.map(([{ text }, space]) => text + space).join("");
        expect(recoverEntries(glued)).toEqual(parts.map(([{ value }]) => value));
      }),
    );
  });

  test("A torn at any position and glued to B gives B", () => {
    fc.assert(
      fc.property(line, line, (a, b) => {
        for (let at = 1; at < a.text.length; at++) {
          expect(recoverEntries(a.text.slice(0, at) + b.text)).toEqual([b.value]);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("A, then B torn at any position, then C gives A and C", () => {
    fc.assert(
      fc.property(line, line, line, (a, b, c) => {
        for (let at = 1; at < b.text.length; at++) {
          expect(recoverEntries(a.text + b.text.slice(0, at) + c.text)).toEqual([a.value, c.value]);
        }
      }),
      { numRuns: 80 },
    );
  });

  test("when the last entry is torn at any position, nothing is recovered", () => {
    fc.assert(
      fc.property(line, line, (a, b) => {
        for (let at = 1; at < b.text.length; at++) {
          expect(recoverEntries(a.text + b.text.slice(0, at))).toEqual([]);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe("what is no recovered entry", () => {
  test("JSON quoted inside a broken line, at any depth of quoting", () => {
    fc.assert(
      fc.property(line, line, fc.integer({ min: 1, max: 3 }), (outer, inner, depth) => {
        let quoted = inner.text;
        for (let i = 0; i < depth; i++) quoted = JSON.stringify({ ...outer.value, details: quoted });
        for (const broken of [
          quoted.slice(0, -1),
          `${quoted.slice(0, -1)},`,
          `${quoted},`,
          `x${quoted.slice(1)}`,
        ]) {
          expect(recoverEntries(broken)).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("an object nested in a broken line whose rest goes on behind it", () => {
    fc.assert(
      fc.property(line, line, content, (outer, inner, after) => {
        const { type, id, parentId } = outer.value as Record<string, unknown>;
        const holder = JSON.stringify({ type, id, parentId, data: inner.value, after });
        expect(recoverEntries(holder)).toEqual([]); // complete, but without a timestamp: no entry itself
        expect(recoverEntries(holder.slice(0, -1))).toEqual([]);
        const list = JSON.stringify({ type, id, parentId, data: [inner.value, inner.value, after] });
        expect(recoverEntries(list.slice(0, -1))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("an object nested in an entry whose start is lost, although a complete entry follows", () => {
    fc.assert(
      fc.property(line, content, line, fc.nat(40), (inner, after, c, at) => {
        const holder = JSON.stringify({ type: "custom", id: "holder", data: inner.value, after });
        const list = JSON.stringify({ type: "custom", id: "holder", data: [inner.value, after] });
        for (const lost of [holder, list]) {
          const end = lost.slice(1 + Math.min(at, lost.indexOf(inner.text) - 1));
          expect(recoverEntries(end + c.text)).toEqual([c.value]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("an object without the four fields of an entry", () => {
    const whole = { type: "custom", id: "a", parentId: null, timestamp: "2026-05-01T08:00:00Z" };
    const good = JSON.stringify(whole);
    const spoilt: object[] = [
      { ...whole, type: "" },
      { ...whole, type: "session" },
      { ...whole, id: "" },
      { ...whole, id: 7 },
      { ...whole, parentId: "" },
      { ...whole, parentId: 7 },
      { ...whole, timestamp: "soon" },
      { ...whole, timestamp: 1 },
      ...Object.keys(whole).map((key) => ({ ...whole, [key]: undefined })),
    ];
    for (const bad of spoilt) {
      expect(recoverEntries(JSON.stringify(bad) + good)).toEqual([whole]);
      expect(recoverEntries(good + JSON.stringify(bad))).toEqual([]);
    }
  });
});

test("nothing that is recovered is invented: each entry stands in the line as it is, and they do not overlap", () => {
  const noise = fc.constantFrom(
    "{",
    "}",
    '"',
    "\\",
    '{"',
    '"}',
    ":",
    ",",
    "[",
    "]",
    " ",
    "\0",
    "\ufeff",
    "1",
    "tru",
  );
  const parts = fc.array(
    fc.oneof(
      noise,
      line.map(({ text }) => text),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(parts, (pieces) => {
      const glued = pieces.join("");
      let from = 0;
      for (const found of recoverEntries(glued)) {
        const text = JSON.stringify(found);
        const at = glued.indexOf(text, from);
        expect(at).toBeGreaterThanOrEqual(from);
        from = at + text.length;
      }
    }),
    { numRuns: 500 },
  );
});

/** Characters that the scanning calls pass over: searching for text, matching literals, parsing. */
function charactersVisited(text: string): number {
  let visited = 0;
  const { indexOf } = String.prototype;
  const parse = JSON.parse;
  const spies = [
    vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, needle, from = 0) {
      const found = indexOf.call(this, needle, from);
      visited += (found === -1 ? this.length : found) - Math.min(from, this.length) + 1;
      return found;
    }),
    vi.spyOn(JSON, "parse").mockImplementation((json: string) => {
      visited += json.length;
      return parse(json);
    }),
  ];
  try {
    recoverEntries(text);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return visited;
}

test("the work grows with the line's length, not with its square, on lines made to break the walk", () => {
  const entryText = '{"type":"custom","id":"a","parentId":null,"timestamp":"2026-05-01T08:00:00Z"}';
  const motifs = [
    '{"',
    '{"a":',
    '{"a":{"',
    '{"a":"\\',
    '"{',
    '{"a":1,',
    '{"a":[',
    '{"\\"',
    "{}",
    '{"a":{}',
    '{"":',
    "\\",
  ];
  for (const motif of [...motifs, entryText, entryText.slice(0, -1)]) {
    const once = charactersVisited(motif.repeat(500));
    const tenTimes = charactersVisited(motif.repeat(5000));
    expect(tenTimes, motif).toBeLessThanOrEqual(once * 11 + 1000);
    expect(tenTimes, motif).toBeLessThanOrEqual(motif.length * 5000 * 4 + 1000);
  }
});
