import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../src/index/fold.ts";
import { occurrencesIn, STRETCH_CHARS } from "../../src/search/closeness.ts";
import { snippetOf } from "../../src/search/snippet.ts";
import { occurrencesOf } from "../../src/search/terms.ts";

function show(raw: string, ...terms: readonly string[]): string {
  const folded = fold(raw);
  const evidence = terms.map((text) => ({
    spansIn: (within: string) => occurrencesOf({ kind: "literal", text: fold(text) }, within),
  }));
  return snippetOf(
    raw,
    folded,
    occurrencesIn(folded, evidence),
    terms.map(() => 1),
  );
}

const filler = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `filler${i + from}`).join(" ");

describe("a snippet", () => {
  test.each([
    ["The Migration failed", ["migration"], "The «Migration» failed"],
    ["ECONNREFUSED", ["onnre"], "EC«ONNRE»FUSED"],
    ["Ångström naïve\u0301 x", ["naive"], "Ångström «naïve\u0301» x"],
    ["a\n\n  b\tc", ["b"], "a «b» c"],
    ["one two", ["one", "two"], "«one» «two»"],
    ["abcd", ["abc", "bcd"], "«abcd»"],
    ["\u001b[31mred\u202e \u0000x", ["red"], "[31m«red» x"],
    ["配置文件", ["配置"], "«配置»文件"],
    ["a 👩‍💻 b", ["👩"], "a «👩»‍💻 b"],
    ["\ud800 ok", ["ok"], "«ok»"],
    ["no match here", [], "no match here"],
    ["", ["x"], ""],
  ])("of %j for %j is %j", (raw, terms, expected) => expect(show(raw, ...terms)).toBe(expected));

  test("shows where most of the words stand together, with about 200 characters, cut between words", () => {
    const raw = `${filler(90)} alpha ${filler(90, 100)} alpha one two beta ${filler(90, 200)} beta`;
    const snippet = show(raw, "alpha", "beta");
    expect(snippet).toMatch(/«alpha» one two «beta»/);
    expect(snippet).toMatch(/^filler\d+ .* filler\d+$/);
    expect(snippet.length).toBeGreaterThan(150);
    expect(snippet.replace(/[«»]/g, "").length).toBeLessThanOrEqual(STRETCH_CHARS);
  });

  test("uses the room of the side that has none", () => {
    expect(show(`alpha ${filler(90)}`, "alpha").length).toBeGreaterThan(170);
    expect(show(`${filler(90)} alpha`, "alpha").length).toBeGreaterThan(170);
  });

  test("shows a match to its end where another stands in its beginning", () => {
    const phrase = `alpha ${"and so on ".repeat(16)}to the end`;
    const snippet = show(`${filler(90)} ${phrase} ${filler(90)}`, phrase, "alpha");
    expect(snippet).toContain(`«${phrase}»`);
  });

  test("cuts a match that is longer than itself", () => {
    const snippet = show("x".repeat(900), "x".repeat(400));
    expect(snippet).toBe(`«${"x".repeat(STRETCH_CHARS)}»`);
  });

  test("stays short however many marks are piled on its letters", () => {
    expect(show(`z${"\u0301".repeat(50_000)}a match`, "match").length).toBeLessThan(1000);
  });

  test("is found fast in a long text", () => {
    const raw = `${"Füller mit Wörtern. ".repeat(100_000)}needle`;
    const folded = fold(raw);
    const start = folded.indexOf("needle");
    const startMs = performance.now();
    expect(snippetOf(raw, folded, [{ start, end: start + 6, term: 0 }], [1])).toContain("«needle»");
    expect(performance.now() - startMs).toBeLessThan(1000);
  });

  test("always shows a match as it stands in the text, and never half of a pair or a control character", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "alpha",
        "ALPHA",
        "é",
        "e\u0301",
        "\u0301",
        "😀",
        "𐐀",
        "配置",
        " ",
        "\n",
        "\0",
        "\ud83d",
        "\u202e",
        "word ",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.constantFrom("alpha", "é", "😀", "配", "word", "a w"),
        fc.array(piece, { maxLength: 60 }),
        (before, term, after) => {
          const raw = `${before.join("")}${term}${after.join("")}`;
          const snippet = show(raw, term);
          expect(snippet).not.toMatch(
            /\p{Surrogate}|[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u,
          );
          const shown = [...snippet.matchAll(/«([^»]*)»/g)].map(([, text]) => fold(text ?? ""));
          expect(shown.some((text) => text.includes(fold(term)))).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
