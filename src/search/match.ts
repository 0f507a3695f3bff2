/**
 * The messages that match a query, exactly those that a look at every text would find. A part of a word is found
 * through the words of the dictionary that contain it. That decides for a text that is one part; any other is looked
 * for in the messages that hold its parts, or in all when its parts are too common to help.
 */
import type { WordPart } from "./dictionary.ts";
import type { QueryNode, QueryTerm } from "./grammar.ts";
import { MessageSet } from "./messageSet.ts";
import { isUnspaced, partsOf, standsWhole } from "./parts.ts";
import { hasTerm, isMatch } from "./terms.ts";
import type { SearchView } from "./view.ts";

/** A part that more words contain is looked for in the texts: joining so many lists costs more than reading them. */
export const MAX_EXPANDED_WORDS = 200;
/** A word as long as a piece of a longer one may be such a piece, which begins and ends where no word does. */
const MAX_TRUSTED_WORD_CHARS = 512;

/** Where one term stands. */
export interface TermMatches {
  readonly term: QueryTerm;
  readonly all: MessageSet;
  /** Those in which all of its words stand whole or inflected, rather than inside longer ones. */
  readonly whole: MessageSet;
}

export interface Matches {
  readonly all: MessageSet;
  /** Those that match by words which stand whole or inflected. */
  readonly whole: MessageSet;
  /** In the order of the query. A term that was looked for only where the others stand is known only there. */
  readonly terms: readonly TermMatches[];
}

/** Of `eligible`, the messages that match. */
export function findMatches(
  root: QueryNode,
  view: SearchView,
  eligible: MessageSet,
  maxExpandedWords = MAX_EXPANDED_WORDS,
): Matches {
  const matcher = new Matcher(view, eligible, maxExpandedWords);
  return { ...matcher.node(root, eligible), terms: matcher.terms };
}

interface Sets {
  readonly all: MessageSet;
  readonly whole: MessageSet;
}

/** How a term is looked for: by words alone, by words and then the texts, or in the texts. */
interface Plan {
  readonly kind: "words" | "candidates" | "scan";
  /** The parts with the words that fit them, undefined when those are too many. */
  readonly parts: readonly { readonly part: WordPart; readonly words: readonly string[] | undefined }[];
}

class Matcher {
  readonly terms: TermMatches[] = [];
  readonly #view: SearchView;
  readonly #eligible: MessageSet;
  readonly #maxExpandedWords: number;
  readonly #plans = new Map<QueryTerm, Plan>();

  constructor(view: SearchView, eligible: MessageSet, maxExpandedWords: number) {
    this.#view = view;
    this.#eligible = eligible;
    this.#maxExpandedWords = maxExpandedWords;
  }

  node(node: QueryNode, within: MessageSet): Sets {
    switch (node.kind) {
      case "literal":
      case "prefix":
        return this.#term(node, within);
      case "and":
        return this.#all(node.nodes, within);
      case "or":
        return node.nodes
          .map((part) => this.node(part, within))
          .reduce((a, b) => ({ all: a.all.or(b.all), whole: a.whole.or(b.whole) }));
      case "not": {
        const rest = within.without(this.#excluded(node.node, within));
        return { all: rest, whole: rest };
      }
      case "near": {
        const { all, whole } = this.#all(node.terms, within);
        const near = this.#filter(all, (folded) => isMatch(node, folded));
        return { all: near, whole: whole.and(near) };
      }
    }
  }

  /** The cheapest first: what they leave is all that the dearer ones have to look at. */
  #all(nodes: readonly QueryNode[], within: MessageSet): Sets {
    const byCost = nodes.map((node) => ({ node, cost: this.#costOf(node) })).sort((a, b) => a.cost - b.cost);
    let sets: Sets = { all: within, whole: within };
    for (const { node } of byCost) {
      if (sets.all.isEmpty) break;
      const { all, whole } = this.node(node, sets.all);
      sets = { all, whole: sets.whole.and(whole) };
    }
    return sets;
  }

  /** What a NOT takes away. Its terms are no evidence, so they are forgotten. */
  #excluded(node: QueryNode, within: MessageSet): MessageSet {
    const known = this.terms.length;
    const { all } = this.node(node, within);
    this.terms.length = known;
    return all;
  }

  #term(term: QueryTerm, within: MessageSet): Sets {
    const plan = this.#planOf(term);
    const found =
      plan.kind === "words" ? this.#byWords(plan, this.#eligible) : this.#byText(term, plan, within);
    this.terms.push({ term, ...found });
    return { all: found.all.and(within), whole: found.whole.and(within) };
  }

  #byWords({ parts }: Plan, within: MessageSet): Sets {
    let all = within;
    for (const { words } of parts) if (words !== undefined) all = all.and(this.#view.withWords(words));
    return { all, whole: this.#whole(parts, all) };
  }

  #byText(term: QueryTerm, { parts }: Plan, within: MessageSet): Sets {
    const candidates = this.#byWords({ kind: "words", parts }, within);
    const all =
      term.kind === "literal"
        ? this.#view.containing(term.text, candidates.all)
        : this.#filter(candidates.all, (folded) => hasTerm(term, folded));
    return { all, whole: candidates.whole.and(all) };
  }

  /** Of `within`, the messages that hold every part as a whole or inflected word. */
  #whole(parts: Plan["parts"], within: MessageSet): MessageSet {
    let whole = within;
    for (const { part, words } of parts) {
      if (words === undefined && isUnspaced(part.text)) continue;
      const known = words ?? this.#view.dictionary.inflectionsOf(part.text);
      const fitting = known.filter((word) => word.includes(part.text) && standsWhole(part.text, word));
      if (words === undefined || fitting.length < words.length) {
        whole = whole.and(this.#view.withWords(fitting));
      }
    }
    return whole;
  }

  #filter(set: MessageSet, isKept: (folded: string) => boolean): MessageSet {
    const kept = new MessageSet(set.capacity);
    for (const position of set.positions()) {
      if (isKept(this.#view.foldedTextAt(position))) kept.add(position);
    }
    return kept;
  }

  #planOf(term: QueryTerm): Plan {
    const known = this.#plans.get(term);
    if (known !== undefined) return known;
    const parts = partsOf(term).map((part) => ({
      part,
      words: this.#view.dictionary.find(part, this.#maxExpandedWords),
    }));
    const plan: Plan = { kind: kindOf(term, parts), parts };
    this.#plans.set(term, plan);
    return plan;
  }

  #costOf(node: QueryNode): number {
    switch (node.kind) {
      case "literal":
      case "prefix":
        return COSTS[this.#planOf(node).kind];
      case "near":
        return Math.max(COSTS.candidates, ...node.terms.map((term) => this.#costOf(term)));
      case "not":
        return COSTS.scan + this.#costOf(node.node);
      default:
        return Math.max(...node.nodes.map((part) => this.#costOf(part)));
    }
  }
}

const COSTS = { words: 0, candidates: 1, scan: 2 } as const;

function kindOf(term: QueryTerm, parts: Plan["parts"]): Plan["kind"] {
  const [only, another] = parts;
  if (parts.every(({ words }) => words === undefined)) return "scan";
  if (only === undefined || another !== undefined || only.part.text !== term.text) return "candidates";
  if (term.kind === "literal") return "words";
  const isTrusted = only.words?.every((word) => word.length < MAX_TRUSTED_WORD_CHARS);
  return isTrusted ? "words" : "candidates";
}
