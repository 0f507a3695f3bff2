/**
 * The query language: text to a tree of what a message must and must not hold. Every text is a query, none is a syntax
 * error: what does not form an operator, a phrase or a group is text to be found as it stands.
 */
import { clipQuery } from "./clip.ts";
import { type QueryTerm, type Token, tokenize } from "./tokens.ts";

export type { QueryTerm } from "./tokens.ts";

export type QueryNode =
  | QueryTerm
  /** All terms, with at most so many words between the first that ends and the last that starts. */
  | { readonly kind: "near"; readonly terms: readonly QueryTerm[]; readonly maxWordsBetween: number }
  | { readonly kind: "and" | "or"; readonly nodes: readonly QueryNode[] }
  | { readonly kind: "not"; readonly node: QueryNode };

export interface Query {
  /** Undefined when nothing is asked for: such a query matches no message. */
  readonly root: QueryNode | undefined;
  /** True when words alone were given: no operator, quote or `*`. Only such a query may be relaxed. */
  readonly isPlain: boolean;
}

export function parseQuery(query: string): Query {
  const parser = new Parser(tokenize(clipQuery(query)));
  const root = parser.alternatives();
  return { root, isPlain: parser.isPlain };
}

/** The terms that a matching message can hold, in the order of the query; what is excluded is left out. */
export function termsOf(node: QueryNode | undefined): readonly QueryTerm[] {
  if (node === undefined) return [];
  switch (node.kind) {
    case "not":
      return [];
    case "literal":
    case "prefix":
      return [node];
    case "near":
      return node.terms;
    default:
      return node.nodes.flatMap(termsOf);
  }
}

/** NOT binds tighter than AND, AND than OR. Groups are at most `MAX_NESTING` deep, so recursion is bounded. */
class Parser {
  isPlain = true;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  alternatives(): QueryNode | undefined {
    const nodes = [this.#conjunction()];
    while (this.#isWord("OR") && this.#hasOperandBehind()) {
      this.#at++;
      this.isPlain = false;
      nodes.push(this.#conjunction());
    }
    return joined("or", nodes);
  }

  /** Up to the end, a closing parenthesis, or an OR that has something on both sides. */
  #conjunction(): QueryNode | undefined {
    const nodes: (QueryNode | undefined)[] = [];
    while (this.#hasOperandAt(this.#at)) {
      if (nodes.length > 0 && this.#hasOperandBehind()) {
        if (this.#isWord("OR")) break;
        if (this.#isWord("AND")) {
          this.#at++;
          this.isPlain = false;
        }
      }
      nodes.push(this.#operand());
    }
    return joined("and", nodes);
  }

  #operand(): QueryNode | undefined {
    if (this.#isWord("NOT") && this.#hasOperandBehind()) {
      this.#at++;
      this.isPlain = false;
      const node = this.#operand();
      return node === undefined ? undefined : { kind: "not", node };
    }
    const token = this.#tokens[this.#at++];
    switch (token?.kind) {
      case "open": {
        const node = this.alternatives();
        this.#at++; // its closing parenthesis: the tokenizer gives pairs only
        return node;
      }
      case "near":
        this.isPlain = false;
        return { kind: "near", terms: token.terms, maxWordsBetween: token.maxWordsBetween };
      case "phrase":
        this.isPlain = false;
        return token.term;
      case "word":
        if (token.term.kind === "prefix") this.isPlain = false;
        return token.term;
      default:
        return undefined;
    }
  }

  #isWord(operator: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "word" && token.raw === operator;
  }

  #hasOperandBehind(): boolean {
    return this.#hasOperandAt(this.#at + 1);
  }

  #hasOperandAt(at: number): boolean {
    const token = this.#tokens[at];
    return token !== undefined && token.kind !== "close";
  }
}

function joined(kind: "and" | "or", nodes: readonly (QueryNode | undefined)[]): QueryNode | undefined {
  const present = nodes.flatMap((node) =>
    node === undefined ? [] : node.kind === kind && "nodes" in node ? node.nodes : [node],
  );
  return present.length > 1 ? { kind, nodes: present } : present[0];
}
