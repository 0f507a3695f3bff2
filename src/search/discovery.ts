/**
 * Discovery: the sessions in which something was said, best first. First those with a message that matches the query;
 * when these leave room and the query is plain, those that hold some of its words.
 */

import type { SearchHit } from "../model.ts";
import { parseQuery, type Query, type QueryNode, termsOf } from "./grammar.ts";
import { ancestry, withoutForks } from "./lineage.ts";
import { findMatches, type Matches } from "./match.ts";
import { MessageSet } from "./messageSet.ts";
import { bestMessageOf, bestPassages, inOrder, type RankedSession, scorePassages } from "./rank.ts";
import { addNamedTimes, looseTermsOf } from "./relax.ts";
import { MAX_SPANS, type Match, snippetOf } from "./snippet.ts";
import { occurrencesOf, type Span } from "./terms.ts";
import type { SearchView } from "./view.ts";
import { eligibleMessages, type Filters, type Viewer, visibleSessions } from "./viewer.ts";

export interface DiscoveryRequest extends Filters {
  readonly query: string;
  readonly limit: number;
}

export interface Discovered {
  readonly results: readonly SearchHit[];
  readonly relaxed?: true;
}

/** A row before its message is read. */
interface Row extends RankedSession {
  readonly match: "all" | "some";
  /** Where the query's terms stand in the message's folded text. */
  readonly spansIn: (folded: string) => Iterable<Match>;
}

export function discover(view: SearchView, request: DiscoveryRequest, viewer: Viewer): Discovered {
  const query = parseQuery(request.query);
  const visible = visibleSessions(view.sessions, viewer);
  const eligible = eligibleMessages(view, request, viewer, visible);
  const isAllVisible = visible.every((isVisible) => isVisible);
  const ancestorsOf = ancestry(view.sessions, (session) => visible[session] === true);

  const strict = new StrictMatches(query, view, eligible, isAllVisible);
  const isStrict = (session: number) => strict.isMatching(session);
  const hits = toHits(withoutForks(strict.rows(), isStrict, ancestorsOf), request.limit, view);
  if (hits.length === request.limit || !query.isPlain) return { results: hits };

  const loose = looseMatches(query, request.query, view, eligible, isAllVisible, isStrict);
  const isMatching = (session: number) => isStrict(session) || loose.sessions.has(session);
  const rows = withoutForks(loose.rows(), isMatching, ancestorsOf);
  const more = toHits(rows, request.limit - hits.length, view, hits.length);
  return more.length === 0 ? { results: hits } : { results: [...hits, ...more], relaxed: true };
}

/**
 * Sessions with a matching message. Those that match by whole words come first, ranked by these words alone; often
 * they fill the answer, and words are then not looked for inside of longer ones.
 */
class StrictMatches {
  readonly #root: QueryNode | undefined;
  readonly #view: SearchView;
  readonly #eligible: MessageSet;
  readonly #isAllVisible: boolean;
  #sessions: ReadonlySet<number> = new Set();
  /** True when `#sessions` holds all that match, rather than those that match by whole words. */
  #isComplete = false;

  constructor({ root }: Query, view: SearchView, eligible: MessageSet, isAllVisible: boolean) {
    this.#root = root;
    this.#view = view;
    this.#eligible = eligible;
    this.#isAllVisible = isAllVisible;
  }

  *rows(): Generator<Row, void, undefined> {
    const root = this.#root;
    if (root === undefined) return;
    const view = this.#view;
    const isAllVisible = this.#isAllVisible;
    const spansIn = spansOf(termsOf(root).map((term) => (folded) => occurrencesOf(term, folded)));
    const whole = findMatches(root, view, this.#eligible, { strictness: "whole", isAllVisible });
    const first = sessionsOf(whole.messages, view);
    this.#sessions = first;
    for (const row of this.#ranked(whole)) yield { ...row, match: "all", spansIn };
    const anywhere = findMatches(root, view, this.#eligible, { isAllVisible });
    this.#sessions = sessionsOf(anywhere.messages, view);
    this.#isComplete = true;
    for (const row of this.#ranked(anywhere)) {
      if (!first.has(row.session)) yield { ...row, match: "all", spansIn };
    }
  }

  /** Right at any time once the first row was asked for. */
  isMatching(session: number): boolean {
    if (this.#sessions.has(session)) return true;
    const viewed = this.#view.sessions[session];
    if (this.#isComplete || this.#root === undefined || viewed === undefined) return false;
    const own = new MessageSet(this.#view.messages.count);
    for (let at = viewed.first; at < viewed.end; at++) if (this.#eligible.has(at)) own.add(at);
    return !findMatches(this.#root, this.#view, own).messages.isEmpty;
  }

  #ranked({ messages, evidence }: Matches): Iterable<RankedSession> {
    const scores = scorePassages(this.#view, this.#eligible, evidence);
    return inOrder(this.#view, bestPassages(this.#view, messages, scores));
  }
}

function sessionsOf(set: MessageSet, { messages }: SearchView): ReadonlySet<number> {
  const sessions = new Set<number>();
  set.forEach((position) => {
    sessions.add(messages.sessionOf[position] ?? 0);
  });
  return sessions;
}

/** Sessions with a message that holds any word of the query, but for those that match all of it. */
function looseMatches(
  { root }: Query,
  text: string,
  view: SearchView,
  eligible: MessageSet,
  isAllVisible: boolean,
  isStrict: (session: number) => boolean,
): { readonly sessions: ReadonlySet<number>; readonly rows: () => Iterable<Row> } {
  const terms = looseTermsOf(termsOf(root), view, eligible, isAllVisible);
  const evidence = terms.map(({ holders }) => holders);
  const scores = scorePassages(view, eligible, evidence);
  addNamedTimes(scores, text, view, eligible);
  const ranked = bestPassages(view, eligible, scores).filter(
    ({ session, score }) => score > 0 && !isStrict(session),
  );
  const spansIn = spansOf(terms.map((term) => term.spansIn));
  function* rows(): Generator<Row, void, undefined> {
    for (const row of inOrder(view, ranked)) {
      const position = bestMessageOf(view, row.position, scores, evidence);
      yield { ...row, position, match: "some", spansIn };
    }
  }
  return { sessions: new Set(ranked.map(({ session }) => session)), rows };
}

type SpanFinder = (folded: string) => Iterable<Span>;

function spansOf(finders: readonly SpanFinder[]): Row["spansIn"] {
  return (folded) =>
    finders.flatMap((find, term) => {
      const matches: Match[] = [];
      for (const { start, end } of find(folded)) {
        matches.push({ start, end, term });
        if (matches.length === MAX_SPANS) break;
      }
      return matches;
    });
}

/** The first rows whose files are still there. Messages are read for these alone. */
function toHits(rows: Iterable<Row>, limit: number, view: SearchView, firstRank = 0): readonly SearchHit[] {
  const hits: SearchHit[] = [];
  for (const { session, position, match, spansIn } of rows) {
    if (hits.length === limit) break;
    const source = view.sourceAt(position);
    const viewed = view.sessions[session];
    if (source === undefined || viewed === undefined) continue;
    const folded = view.foldedTextAt(position);
    hits.push({
      path: viewed.path,
      ...(viewed.name === undefined ? {} : { name: viewed.name }),
      cwd: viewed.cwd,
      startedAt: viewed.startedAt,
      rank: firstRank + hits.length,
      matchMessageId: source.id,
      lineNo: source.lineNo,
      role: view.messages.isUser[position] === 1 ? "user" : "assistant",
      timestamp: source.timestamp,
      snippet: snippetOf(source.text, folded, [...spansIn(folded)]),
      match,
      ...(viewed.launchedByPath === undefined ? {} : { parentPath: viewed.launchedByPath }),
    });
  }
  return hits;
}
