import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../src/index/fold.ts";
import { parseQuery } from "../../src/search/grammar.ts";
import { findMatches } from "../../src/search/match.ts";
import { MessageSet } from "../../src/search/messageSet.ts";
import { isMatch } from "../../src/search/terms.ts";
import { oracleMatches } from "./oracle.ts";
import { viewOf } from "./stores.ts";

const PIECES = [
  "ECONNREFUSED",
  "session_search",
  "migration",
  "migrations",
  "Migrating",
  "foo.bar(1)",
  "C#",
  "c++",
  "go",
  "CI",
  "配置文件",
  "配置x",
  "가져오기",
  "TODO: fix",
  "don't",
  "don’t",
  "naïve",
  "ΣΑΣ",
  "Ёлка",
  "क़ा",
  "👩‍💻",
  "😀",
  "100%",
  "a_b",
  "\\d+\\",
  "\0",
  "\ud800",
  "\n\n",
  " ",
  " ",
  " ",
  "x".repeat(600),
  "NOT",
  "(a)",
  '"',
  "'",
  "/usr/lib/a.so",
  "-x",
  "𐐀𐐁",
  "𠮷野家",
  "e\u0301",
  "=",
  "the",
  "ing",
];

const textOf = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 5 }) },
    ),
    {
      maxLength: 8,
    },
  )
  .map((pieces) => pieces.join(""));
const storeOf = fc.array(fc.array(textOf, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });

/** A piece of a text of the store, or anything: cut anywhere, so that it crosses words, marks and pairs. */
const cutOf = (texts: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 12 }))
    .map(([text, at, length]) => text.slice(at % Math.max(1, text.length)).slice(0, length));

const queryOf = (texts: readonly string[]) =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: cutOf(texts) },
        { weight: 2, arbitrary: cutOf(texts).map((cut) => `"${cut}"`) },
        { weight: 2, arbitrary: cutOf(texts).map((cut) => `${cut}*`) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(cutOf(texts), cutOf(texts), fc.nat({ max: 3 }))
            .map(([a, b, n]) => `NEAR(${a} ${b}, ${n})`),
        },
        { weight: 2, arbitrary: fc.constantFrom("AND", "OR", "NOT", "(", ")", '"') },
        { weight: 1, arbitrary: textOf },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(" "));

function matchedBy(
  query: string,
  sessions: readonly (readonly string[])[],
  maxExpandedWords = 200,
): readonly number[] {
  const view = viewOf(sessions);
  const { root } = parseQuery(query);
  const eligible = new MessageSet(view.messages.count);
  for (let i = 0; i < view.messages.count; i++) eligible.add(i);
  return root === undefined
    ? []
    : [...findMatches(root, view, eligible, { maxExpandedWords }).messages.positions()];
}

function scannedBy(query: string, sessions: readonly (readonly string[])[]): readonly number[] {
  const { root } = parseQuery(query);
  return sessions.flat().flatMap((text, i) => (oracleMatches(root, fold(text)) ? [i] : []));
}

describe("the messages that match", () => {
  test.each([
    ["onnre", ["ECONNREFUSED"]],
    ["session_sea", ["a session_search b"]],
    ["igrat", ["the Migration"]],
    ["foo.bar(", ["xfoo.bar(1)"]],
    ["C#", ["in C#, 8"]],
    ["go", ["let's Go"]],
    ["配置", ["文件配置x"]],
    ["TODO: fix", ["fix the TODO: x"]],
    ["don't", ["I don’t"]],
    ["100% a_b \\d", ["\\d 100% a_b"]],
    ["naive", ["Naïve"]],
    ["😀", ["a😀b"]],
    ['"a  b', ['"a b']],
    ["NEAR(a b, 3)", ["a 1 2 3 b"]],
    ["NEAR(-> bar, 1)", ["->foo bar"]],
    ['"foo bar"', ["xfoo\n\nbary"]],
  ])("%s is found in %j", (query, texts) => expect(matchedBy(query, [texts])).toEqual([0]));

  test.each([
    ["100% x", ["100 x"]],
    ["a_b", ["axb"]],
    ["NEAR(a b, 3)", ["a 1 2 3 4 b"]],
    ["NEAR(-> bar, 0)", ["->foo bar"]],
    ["igr*", ["migration"]],
    ['"foo bar"', ["foo, bar"]],
    ["one two", ["one", "two"]],
    ["one NOT two", ["one two"]],
  ])("%s is not found in %j", (query, texts) => expect(matchedBy(query, [texts])).toEqual([]));

  test("are those that the oracle finds in every text, whatever the store and the query", () => {
    fc.assert(
      fc.property(
        storeOf.chain((sessions) => fc.tuple(fc.constant(sessions), queryOf(sessions.flat()))),
        fc.constantFrom(0, 1, 200),
        ([sessions, query], maxWords) => {
          expect(matchedBy(query, sessions, maxWords)).toEqual(scannedBy(query, sessions));
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("one message alone is judged as the oracle judges it", () => {
    fc.assert(
      fc.property(
        textOf.chain((text) => fc.tuple(fc.constant(text), queryOf([text]))),
        ([text, query]) => {
          const { root } = parseQuery(query);
          const folded = fold(text);
          expect(root !== undefined && isMatch(root, folded)).toBe(oracleMatches(root, folded));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("NEAR of any terms is judged as the oracle judges it", () => {
    const item = fc.constantFrom("a", "b", "ab", "bab", "c", "a b", "b.c", "ab*", "abb*", "配", "x");
    const quoted = item.map((text) => (/[ .]/.test(text) ? `"${text}"` : text));
    const words = fc.constantFrom("a", "b", "ab", "abb", "bab", "c", "配置", "x", ".", "b.c");
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 14 }),
        fc.constantFrom(" ", "  ", "-"),
        fc.array(quoted, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 4 }),
        (text, border, items, distance) => {
          const { root } = parseQuery(`NEAR(${items.join(" ")}, ${distance})`);
          const folded = fold(text.join(border));
          expect(root !== undefined && isMatch(root, folded)).toBe(oracleMatches(root, folded));
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("NEAR looks a long text through once, whatever stands how often in it", () => {
    const text = `${"a b c d ".repeat(500_000)}zzz`;
    const isFound = (query: string) => isMatch(parseQuery(query).root ?? { kind: "or", nodes: [] }, text);
    expect(isFound("NEAR(a b c d zzz, 2)")).toBe(false);
    expect(isFound("NEAR(a b c d zzz, 3)")).toBe(true);
    expect(isFound("NEAR(a c, 0)")).toBe(false);
  });

  test("a part of a word of any length is found, and no prefix begins inside one", () => {
    const word = Array.from({ length: 5000 }, (_, i) => i.toString(36).padStart(4, "0")).join("");
    for (const at of [0, 7000, 7680, 7681, 8191, 8192, 15000, 19400]) {
      expect(matchedBy(word.slice(at, at + 500), [[`a ${word} b`]])).toEqual([0]);
      expect(matchedBy(`${word.slice(at, at + 500)}*`, [[`a ${word} b`]])).toEqual(at === 0 ? [0] : []);
    }
  });

  test("whole words and inflections are told from parts of longer words", () => {
    const view = viewOf([
      ["migration", "the migrations", "immigration", "配置文件", "xgo", "c# d", "abc# d", "请go吧"],
    ]);
    const eligible = new MessageSet(view.messages.count);
    for (let i = 0; i < view.messages.count; i++) eligible.add(i);
    const wholeOf = (query: string, maxExpandedWords = 200) => {
      const { root } = parseQuery(query);
      return root === undefined
        ? []
        : [
            ...findMatches(root, view, eligible, {
              strictness: "whole",
              maxExpandedWords,
            }).messages.positions(),
          ];
    };
    expect(wholeOf("migration")).toEqual([0, 1]);
    expect(wholeOf("配置")).toEqual([3]);
    expect(wholeOf("go")).toEqual([7]);
    expect(wholeOf("c#")).toEqual([5]);
    expect(wholeOf("go OR migration")).toEqual([0, 1, 7]);
    expect(wholeOf("migration", 0)).toEqual([0, 1]);
    expect(wholeOf("migr*")).toEqual([0, 1]);
    expect(wholeOf("the NOT xgo")).toEqual([1]);
  });
});
