/**
 * Discovery: the sessions in which something was said, best first. First those with a message that matches the query;
 * when these leave room and the query is plain, those that hold some of its words.
 */

import type { SearchHit } from "../model.ts";
import { parseQuery, type Query, termsOf } from "./grammar.ts";
import { ancestry, withoutForks } from "./lineage.ts";
import { findMatches } from "./match.ts";
import type { MessageSet } from "./messageSet.ts";
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
  const ancestorsOf = ancestry(view.sessions, (session) => visible[session] === true);

  const strict = strictMatches(query, view, eligible);
  const hits = toHits(withoutForks(strict.rows, strict.sessions, ancestorsOf), request.limit, view);
  if (hits.length === request.limit || !query.isPlain) return { results: hits };

  const loose = looseMatches(query, request.query, view, eligible, strict.sessions);
  const matching = new Set([...strict.sessions, ...loose.sessions]);
  const rows = withoutForks(loose.rows, matching, ancestorsOf);
  const more = toHits(rows, request.limit - hits.length, view, hits.length);
  return more.length === 0 ? { results: hits } : { results: [...hits, ...more], relaxed: true };
}

/** Sessions that match, and their rows in order, made as they are asked for. */
interface Matching {
  readonly sessions: ReadonlySet<number>;
  readonly rows: Iterable<Row>;
}

/** Sessions with a matching message. Those that match by whole words come first, ranked by these words alone. */
function strictMatches({ root }: Query, view: SearchView, eligible: MessageSet): Matching {
  if (root === undefined) return { sessions: new Set(), rows: [] };
  const { all, whole, terms } = findMatches(root, view, eligible);
  const sessionsOf = (messages: MessageSet) =>
    new Set(Array.from(messages.positions(), (position) => view.messages.sessionOf[position] ?? 0));
  const spansIn = spansOf(termsOf(root).map((term) => (folded) => occurrencesOf(term, folded)));
  const ranked = (centres: MessageSet, evidence: readonly MessageSet[]) =>
    inOrder(view, bestPassages(view, centres, scorePassages(view, eligible, evidence)));
  const wholeEvidence = terms.map((term) => term.whole);
  const evidence = terms.map((term) => term.all);
  function* rows(): Generator<Row, void, undefined> {
    for (const row of ranked(whole, wholeEvidence)) yield { ...row, match: "all", spansIn };
    const isFirst = sessionsOf(whole);
    for (const row of ranked(all.without(whole), evidence)) {
      if (!isFirst.has(row.session)) yield { ...row, match: "all", spansIn };
    }
  }
  return { sessions: sessionsOf(all), rows: rows() };
}

/** Sessions with a message that holds any word of the query, but for those that match all of it. */
function looseMatches(
  { root }: Query,
  text: string,
  view: SearchView,
  eligible: MessageSet,
  strict: ReadonlySet<number>,
): Matching {
  const terms = looseTermsOf(termsOf(root), view);
  const evidence = terms.map(({ words }) => view.withWords(words).and(eligible));
  const scores = scorePassages(view, eligible, evidence);
  addNamedTimes(scores, text, view, eligible);
  const ranked = bestPassages(view, eligible, scores).filter(
    ({ session, score }) => score > 0 && !strict.has(session),
  );
  const spansIn = spansOf(
    terms.map(({ words, inside }) =>
      inside === undefined
        ? wordSpans(new Set(words))
        : (folded) => occurrencesOf({ kind: "literal", text: inside }, folded),
    ),
  );
  function* rows(): Generator<Row, void, undefined> {
    for (const row of inOrder(view, ranked)) {
      const position = bestMessageOf(view, row.position, scores, evidence);
      yield { ...row, position, match: "some", spansIn };
    }
  }
  return { sessions: new Set(ranked.map(({ session }) => session)), rows: rows() };
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

function wordSpans(words: ReadonlySet<string>): SpanFinder {
  return function* (folded) {
    for (const match of folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      if (words.has(match[0])) yield { start: match.index, end: match.index + match[0].length };
    }
  };
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
