/**
 * The messages that match a query, exactly those that a look at every text would find. A part of a word is found
 * through the words of the dictionary that contain it. That decides for a text that is one part; any other is looked
 * for in the messages that hold its parts, or in all when its parts are too common to help.
 */
import { MAX_QUERY_CHARS } from "../session/limits.ts";
import type { WordPart } from "./dictionary.ts";
import { type QueryNode, type QueryTerm, termsOf } from "./grammar.ts";
import { MessageSet } from "./messageSet.ts";
import { isGlued, isUnspaced, partsOf } from "./parts.ts";
import type { Evidence } from "./rank.ts";
import { hasTerm, isMatch, occurrencesOf } from "./terms.ts";
import type { SearchView } from "./view.ts";

/** A part that more words contain is looked for in the texts: joining so many lists costs more than reading them. */
export const MAX_EXPANDED_WORDS = 200;

export interface MatchOptions {
  /** How words count: wherever they stand (the default), or only where they stand whole or inflected. */
  readonly strictness?: "anywhere" | "whole";
  /** True when the store holds no session that may not be seen. Default false. */
  readonly isAllVisible?: boolean;
  /** Tests lower it. Default `MAX_EXPANDED_WORDS`. */
  readonly maxExpandedWords?: number;
}

export interface Matches {
  readonly messages: MessageSet;
  /**
   * For each term of the query, in its order, the messages that show how rare it is: the matches that hold it and, for
   * a word, those in which it stands whole. Neither more nor less, so that how a term was looked for, and whether it had
   * to be, does not show in the order of results. Empty when nothing matches.
   */
  readonly evidence: readonly Evidence[];
}

/** Of `eligible`, the messages that match. */
export function findMatches(
  root: QueryNode,
  view: SearchView,
  eligible: MessageSet,
  options: MatchOptions = {},
): Matches {
  const matcher = new Matcher(view, eligible, options);
  const messages = matcher.node(root, eligible);
  return { messages, evidence: messages.isEmpty ? [] : matcher.evidenceFor(termsOf(root), messages) };
}

/** How a term is looked for: by words alone, by words and then the texts, or in the texts. */
interface Plan {
  readonly kind: keyof typeof COSTS;
  /** For each part the words that fit it, undefined when those are too many. */
  readonly words: readonly (readonly string[] | undefined)[];
}

/** Only their order counts. */
const COSTS = { words: 0, candidates: 1, scan: 2 } as const;

class Matcher {
  /** Where each term was looked for, and where it was found: all that hold it of those, or more. */
  readonly #found = new Map<QueryTerm, { readonly within: MessageSet; readonly holders: MessageSet }>();
  readonly #view: SearchView;
  readonly #eligible: MessageSet;
  readonly #strictness: "anywhere" | "whole";
  readonly #isAllVisible: boolean;
  readonly #maxExpandedWords: number;
  readonly #plans = new Map<QueryTerm, Plan>();

  constructor(view: SearchView, eligible: MessageSet, options: MatchOptions) {
    this.#view = view;
    this.#eligible = eligible;
    this.#strictness = options.strictness ?? "anywhere";
    this.#isAllVisible = options.isAllVisible ?? false;
    this.#maxExpandedWords = options.maxExpandedWords ?? MAX_EXPANDED_WORDS;
  }

  node(node: QueryNode, within: MessageSet): MessageSet {
    switch (node.kind) {
      case "literal":
      case "prefix":
        return this.#term(node, within);
      case "and":
        return this.#all(node.nodes, within);
      case "or":
        return node.nodes.map((part) => this.node(part, within)).reduce((a, b) => a.or(b));
      case "not":
        // What is excluded is excluded wherever it stands, and its terms are no evidence.
        return within.without(
          new Matcher(this.#view, within, { maxExpandedWords: this.#maxExpandedWords }).node(
            node.node,
            within,
          ),
        );
      case "near":
        return this.#filter(this.#all(node.terms, within), (folded) => isMatch(node, folded));
    }
  }

  evidenceFor(terms: readonly QueryTerm[], matches: MessageSet): readonly Evidence[] {
    return terms.map((term) => {
      const spansIn = (folded: string) => occurrencesOf(term, folded);
      const matching = this.#holdersAmong(matches, term);
      const [part] = partsOf(term);
      if (term.kind === "prefix" || part?.text !== term.text || isUnspaced(part.text)) {
        return { holders: matching, spansIn };
      }
      const whole = this.#view.withWords(this.#wholeWords(part)).and(this.#eligible);
      return { holders: matching.or(whole), spansIn };
    });
  }

  /**
   * The cheapest first: what they leave is all that the dearer ones have to look at. Long words are seldom, and when
   * nothing is left the others need not be looked up.
   */
  #all(nodes: readonly QueryNode[], within: MessageSet): MessageSet {
    let messages = within;
    const dearer: { readonly node: QueryNode; readonly cost: number }[] = [];
    for (const node of [...nodes].sort((a, b) => lengthOf(b) - lengthOf(a))) {
      if (messages.isEmpty) return messages;
      const cost = this.#costOf(node);
      if (cost === COSTS.words) messages = this.node(node, messages);
      else dearer.push({ node, cost });
    }
    for (const { node } of dearer.sort((a, b) => a.cost - b.cost)) {
      if (messages.isEmpty) return messages;
      messages = this.node(node, messages);
    }
    return messages;
  }

  #term(term: QueryTerm, within: MessageSet): MessageSet {
    const plan = this.#planOf(term);
    const isByWords = plan.kind === "words";
    let found = isByWords ? this.#eligible : within;
    for (const words of plan.words) if (words !== undefined) found = found.and(this.#view.withWords(words));
    if (!isByWords) {
      found =
        term.kind === "literal"
          ? this.#view.containing(term.text, found)
          : this.#filter(found, (folded) => hasTerm(term, folded));
    }
    this.#found.set(term, { within: isByWords ? this.#eligible : within, holders: found });
    return found.and(within);
  }

  /** Of `matches`, those that hold the term: an alternative may have matched where it was not looked for. */
  #holdersAmong(matches: MessageSet, term: QueryTerm): MessageSet {
    const known = this.#found.get(term);
    if (known === undefined) return this.#term(term, matches);
    const rest = matches.without(known.within);
    const holders = known.holders.and(matches);
    return rest.isEmpty ? holders : holders.or(this.#term(term, rest));
  }

  #filter(set: MessageSet, isKept: (folded: string) => boolean): MessageSet {
    const kept = new MessageSet(set.capacity);
    set.forEach((position) => {
      if (isKept(this.#view.foldedTextAt(position))) kept.add(position);
    });
    return kept;
  }

  #planOf(term: QueryTerm): Plan {
    const known = this.#plans.get(term);
    if (known !== undefined) return known;
    const parts = partsOf(term);
    const words = parts.map((part) => this.#wordsFor(part, term.kind));
    const plan: Plan = { kind: kindOf(term, parts, words), words };
    this.#plans.set(term, plan);
    return plan;
  }

  #wordsFor(part: WordPart, kind: QueryTerm["kind"]): readonly string[] | undefined {
    const { dictionary } = this.#view;
    const isByWhole = this.#strictness === "whole" && kind !== "prefix" && !isUnspaced(part.text);
    // A prefix asks for no more than the beginning of a word. Where words have no visible border every occurrence is
    // whole, as far as one can tell.
    return isByWhole ? this.#wholeWords(part) : dictionary.find(part, this.#maxExpandedWords);
  }

  /** The inflections that fit, and the words in which the part stands between characters of unspaced scripts. */
  #wholeWords(part: WordPart): readonly string[] {
    const { dictionary } = this.#view;
    const inflections = dictionary.inflectionsOf(part.text).filter((word) => isFitting(word, part));
    if (!part.isOpenLeft && !part.isOpenRight) return inflections;
    // Words of sessions that may not be seen must not push others out of a list that is cut.
    const limit = this.#isAllVisible ? this.#maxExpandedWords : Number.POSITIVE_INFINITY;
    const glued = dictionary.wideContaining(
      part.text,
      limit,
      (word) => isFitting(word, part) && isGlued(part.text, word),
    );
    return [...new Set([...inflections, ...glued])];
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

/** Of a term; other nodes count as short. */
function lengthOf(node: QueryNode): number {
  return node.kind === "literal" || node.kind === "prefix" ? node.text.length : 0;
}

function isFitting(word: string, { text, isOpenLeft, isOpenRight }: WordPart): boolean {
  if (isOpenLeft) return isOpenRight ? word.includes(text) : word.endsWith(text);
  return isOpenRight ? word.startsWith(text) : word === text;
}

function kindOf(term: QueryTerm, parts: readonly WordPart[], words: Plan["words"]): Plan["kind"] {
  const [part, another] = parts;
  if (words.every((fitting) => fitting === undefined)) return "scan";
  if (part === undefined || another !== undefined || part.text !== term.text) return "candidates";
  // A word as long as a piece of a longer one may be such a piece, which begins where no word does.
  const isCertain = term.kind === "literal" || words[0]?.every((word) => word.length < MAX_QUERY_CHARS);
  return isCertain ? "words" : "candidates";
}
