/** What a query means, as slow and plain as can be: the truth that every faster matcher is compared with. */
import type { QueryNode, QueryTerm } from "../../src/search/grammar.ts";

const WORD = /[\p{L}\p{N}\p{M}]/u;

export function oracleMatches(node: QueryNode | undefined, folded: string): boolean {
  if (node === undefined) return false;
  switch (node.kind) {
    case "literal":
    case "prefix":
      return occurrences(node, folded).length > 0;
    case "and":
      return node.nodes.every((part) => oracleMatches(part, folded));
    case "or":
      return node.nodes.some((part) => oracleMatches(part, folded));
    case "not":
      return !oracleMatches(node.node, folded);
    case "near":
      return isNear(
        node.terms.map((term) => occurrences(term, folded)),
        node.maxWordsBetween,
        wordSpans(folded),
      );
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function occurrences(term: QueryTerm, folded: string): readonly Span[] {
  const spans: Span[] = [];
  for (let start = 0; start + term.text.length <= folded.length; start++) {
    if (!folded.startsWith(term.text, start)) continue;
    const before = [...folded.slice(Math.max(0, start - 2), start)].at(-1) ?? " ";
    const isInsideWord = WORD.test(before) && WORD.test([...term.text][0] ?? "");
    if (term.kind === "literal" || !isInsideWord) spans.push({ start, end: start + term.text.length });
  }
  return spans;
}

function wordSpans(folded: string): readonly Span[] {
  return [...folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Some choice of one occurrence each has at most so many whole words between its first end and its last start. */
function isNear(
  choices: readonly (readonly Span[])[],
  maxWordsBetween: number,
  words: readonly Span[],
): boolean {
  const choose = (at: number, firstEnd: number, lastStart: number): boolean => {
    const spans = choices[at];
    if (spans === undefined) {
      return (
        words.filter(({ start, end }) => start >= firstEnd && end <= lastStart).length <= maxWordsBetween
      );
    }
    return spans.some(({ start, end }) =>
      choose(at + 1, Math.min(firstEnd, end), Math.max(lastStart, start)),
    );
  };
  return choose(0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
}
