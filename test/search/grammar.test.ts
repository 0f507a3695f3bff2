import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipQuery } from "../../src/search/clip.ts";
import { parseQuery, type QueryNode, termsOf } from "../../src/search/grammar.ts";

/** A tree as one line: `and(a, not(b))`, a prefix as `stem*`, nearness as `near3(a, b)`. */
function shown(node: QueryNode | undefined): string {
  if (node === undefined) return "nothing";
  switch (node.kind) {
    case "literal":
      return node.text;
    case "prefix":
      return `${node.text}*`;
    case "near":
      return `near${node.maxWordsBetween}(${node.terms.map(shown).join(", ")})`;
    case "not":
      return `not(${shown(node.node)})`;
    default:
      return `${node.kind}(${node.nodes.map(shown).join(", ")})`;
  }
}

const tree = (query: string) => shown(parseQuery(query).root);

describe("a query", () => {
  test.each([
    // words
    ["  Foo  bar ", "and(foo, bar)"],
    ["why did it fail?! Really...", "and(why, did, it, fail, really)"],
    ["what ? is , this", "and(what, is, this)"],
    ["...", "..."],
    ["?! !", "and(?!, !)"],
    ["e.g. foo,bar .gitignore", "and(e.g, foo,bar, .gitignore)"],
    ["TODO: fix don't -x src/a.ts 'q'", "and(todo:, fix, don't, -x, src/a.ts, 'q')"],
    ["C# c++ go 配置 %_\\", "and(c#, c++, go, 配置, %_\\)"],
    ["a\0b\tc", "and(a, b, c)"],
    ["\u0301", "nothing"],
    ["", "nothing"],
    // phrases
    ['"Foo  BAR" baz', "and(foo bar, baz)"],
    ["“Foo bar”", "foo bar"],
    ['"unbalanced foo', 'and("unbalanced, foo)'],
    ['say"hello world"', 'and(say"hello, world")'],
    ['"" a', 'and("", a)'],
    ['"a"b', "and(a, b)"],
    ['"AND" OR', "and(and, or)"],
    ['"a b"?', "a b"],
    // operators
    ["a AND b OR c", "or(and(a, b), c)"],
    ["a OR b c", "or(a, and(b, c))"],
    ["a OR b AND NOT c", "or(a, and(b, not(c)))"],
    ["NOT a b", "and(not(a), b)"],
    ["NOT a", "not(a)"],
    ["NOT NOT a", "not(not(a))"],
    ["a NOT (b OR c)", "and(a, not(or(b, c)))"],
    ["a and b or not c", "and(a, and, b, or, not, c)"],
    // an operator with nothing to bind to
    ["AND", "and"],
    ["a OR", "and(a, or)"],
    ["AND a", "and(and, a)"],
    ["OR OR OR", "or(or, or)"],
    ["a AND AND b", "and(a, and, b)"],
    ["a AND OR b", "and(a, or, b)"],
    ["(OR a)", "and(or, a)"],
    ["(a OR) b", "and(a, or, b)"],
    ["a OR ?", "and(a, or)"],
    ["a NOT", "and(a, not)"],
    ["NOT OR", "not(or)"],
    ["a NOT (?)", "and(a, not)"],
    ["(a OR ((?) !)) b", "and(a, or, b)"],
    // parentheses
    ["(a OR b) c", "and(or(a, b), c)"],
    ["((a)) (b)?", "and(a, b)"],
    ["foo.bar( f(x) (void)0 call()", "and(foo.bar(, f(x), (void)0, call())"],
    ["(foo() OR bar)", "or(foo(), bar)"],
    ["(a b", "and((a, b)"],
    ["a b)", "and(a, b))"],
    ["() ( )", "and((), (, ))"],
    [":) a", "and(:), a)"],
    // NEAR
    ["NEAR(a b)", "near10(a, b)"],
    ["NEAR(a b, 3) c", "and(near3(a, b), c)"],
    ["NEAR(a b,3)", "near3(a, b)"],
    ['NEAR("a (b" c, 0)', "near0(a (b, c)"],
    ["NEAR(f(x) AND, 2)", "near2(f(x), and)"],
    ["NEAR(stem* b)", "near10(stem*, b)"],
    ["(NEAR(a b, 3) OR c)", "or(near3(a, b), c)"],
    ["NEAR(a b", "and(near(a, b)"],
    ["NEAR() a", "and(near(), a)"],
    ["near(a b)", "and(near(a, b))"],
    // prefixes
    ["migr* mi* ***", "and(migr*, mi*, ***)"],
    ["migr*?", "migr*"],
    ["配置文*", "配置文*"],
  ])("%j means %s", (query, expected) => {
    // A literal `mi*` and a prefix look alike above; the kinds are checked below.
    expect(tree(query)).toBe(expected);
  });

  test("parentheses around sentence marks alone change nothing", () => {
    const marks = fc.constantFrom("?", "!", "...", "? !");
    const item = fc.oneof(
      { arbitrary: marks.map((bare) => [bare, `(${bare})`] as const), weight: 2 },
      {
        arbitrary: fc
          .constantFrom("a", "mig*", '"c d"', "AND", "OR", "NOT", "(", ")")
          .map((text) => [text, text] as const),
        weight: 3,
      },
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 10 }), (items) => {
        const bare = items.map(([text]) => text).join(" ");
        const grouped = items.map(([, text]) => text).join(" ");
        expect(parseQuery(grouped)).toEqual(parseQuery(bare));
      }),
      { numRuns: 1000 },
    );
  });

  test("a stem of fewer than three characters keeps its star as text", () => {
    expect(parseQuery("mi*").root).toEqual({ kind: "literal", text: "mi*" });
    expect(parseQuery("mig*").root).toEqual({ kind: "prefix", text: "mig" });
    expect(parseQuery("é́é*").root).toEqual({ kind: "literal", text: "ee*" });
    expect(parseQuery("😀😀*").root).toEqual({ kind: "literal", text: "😀😀*" });
  });

  test.each([
    ["why did it fail?", true],
    ["what (if anything) broke", true],
    ["a and b", true],
    ["OR a", true],
    ["a OR b", false],
    ["a AND b", false],
    ["NOT a", false],
    ['"a"', false],
    ["NEAR(a b)", false],
    ["migr*", false],
  ])("%j is plain: %s", (query, isPlain) => expect(parseQuery(query).isPlain).toBe(isPlain));

  test("parentheses nested 50 deep group, deeper ones are text", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}a OR b${")".repeat(depth)}`;
    expect(tree(nested(50))).toBe("or(a, b)");
    expect(tree(nested(51))).toBe("or((a, b))");
    expect(tree(`${"( ".repeat(60)}a${" )".repeat(60)}`)).toMatch(/^and\(\(, .*\(, a, \), .*\)\)$/);
  });

  test("only the first 512 characters count, never half of a pair", () => {
    expect(clipQuery(`  ${"a".repeat(600)}`)).toHaveLength(512);
    expect(clipQuery(`${"a".repeat(511)}😀`)).toBe("a".repeat(511));
    expect(clipQuery(`${"a".repeat(510)}😀`)).toBe(`${"a".repeat(510)}😀`);
    expect(clipQuery(`${"a".repeat(510)}😀b`)).toBe(`${"a".repeat(510)}😀`);
    expect(clipQuery(`😀${"a".repeat(600)}`)).toHaveLength(512);
    expect(clipQuery(`${"a".repeat(511)}\ud83d`)).toHaveLength(512);
    expect(clipQuery(`  ${"a".repeat(511)} b`)).toBe(`${"a".repeat(511)} `);
  });

  test("its terms are what a message can hold, in order, without what is excluded", () => {
    const termsIn = (query: string) => termsOf(parseQuery(query).root).map(shown);
    expect(termsIn('a NOT b (c OR "d e") NEAR(f g*) NOT (h i)')).toEqual(["a", "c", "d e", "f", "g*"]);
    expect(termsIn("stem* NOT b")).toEqual(["stem*"]);
    expect(termsOf(undefined)).toEqual([]);
  });

  test("no text throws, and what is searched is folded and never empty", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "(",
        ")",
        '"',
        "“",
        " ",
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        ", 3)",
        "*",
        "?",
        "a",
        "foo",
        "\0",
        "\ud800",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    );
    const check = (node: QueryNode | undefined): void => {
      if (node === undefined) return;
      if ("text" in node) expect(node.text).not.toBe("");
      if ("node" in node) check(node.node);
      if ("nodes" in node) {
        expect(node.nodes.length).toBeGreaterThan(1);
        node.nodes.forEach(check);
      }
      if ("terms" in node) node.terms.forEach(check);
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => check(parseQuery(pieces.join("")).root)),
      { numRuns: 2000 },
    );
  });

  test.each(["(", ")", "() ", "( ", '"(', "NEAR(", "NOT ", "OR ", "(a) ", "(a", "((a)0"])(
    "a query of nothing but %j is parsed in no time",
    (piece) => {
      const startMs = performance.now();
      parseQuery(piece.repeat(512));
      expect(performance.now() - startMs).toBeLessThan(500);
    },
  );
});
