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
import { looseTermsOf } from "./relax.ts";
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

  const strict = strictRows(query, view, eligible);
  const matching = new Set(strict.map(({ session }) => session));
  const hits = toHits(withoutForks(strict, matching, ancestorsOf), request.limit, view);
  if (hits.length === request.limit || !query.isPlain) return { results: hits };

  const loose = looseRows(query, view, eligible).filter(({ session }) => !matching.has(session));
  for (const { session } of loose) matching.add(session);
  const rows = withoutForks(loose, matching, ancestorsOf);
  const more = toHits(rows, request.limit - hits.length, view, hits.length);
  return more.length === 0 ? { results: hits } : { results: [...hits, ...more], relaxed: true };
}

/** Sessions with a matching message. Those that match by whole words come first, ranked by these words alone. */
function strictRows({ root }: Query, view: SearchView, eligible: MessageSet): readonly Row[] {
  if (root === undefined) return [];
  const { all, whole, terms } = findMatches(root, view, eligible);
  const spansIn = spansOf(termsOf(root).map((term) => (folded) => occurrencesOf(term, folded)));
  const ranked = (centres: MessageSet, evidence: readonly MessageSet[]) =>
    inOrder(view, bestPassages(view, centres, scorePassages(view, eligible, evidence)));
  const byWholeWords = ranked(
    whole,
    terms.map((term) => term.whole),
  );
  const isFirst = new Set(byWholeWords.map(({ session }) => session));
  const isRest = all.positions().some((position) => !isFirst.has(view.messages.sessionOf[position] ?? 0));
  const byParts = isRest
    ? ranked(
        all,
        terms.map((term) => term.all),
      ).filter(({ session }) => !isFirst.has(session))
    : [];
  return [...byWholeWords, ...byParts].map((row) => ({ ...row, match: "all", spansIn }));
}

/** Sessions with a message that holds any word of the query. */
function looseRows({ root }: Query, view: SearchView, eligible: MessageSet): readonly Row[] {
  const terms = looseTermsOf(termsOf(root), view);
  if (terms.length === 0) return [];
  const evidence = terms.map(({ words }) => view.withWords(words).and(eligible));
  const scores = scorePassages(view, eligible, evidence);
  const ranked = inOrder(view, bestPassages(view, eligible, scores)).filter(({ score }) => score > 0);
  const spansIn = spansOf(
    terms.map(({ words, inside }) =>
      inside === undefined
        ? wordSpans(new Set(words))
        : (folded) => occurrencesOf({ kind: "literal", text: inside }, folded),
    ),
  );
  return ranked.map((row) => {
    const position = bestMessageOf(view, row.position, scores, evidence);
    return { ...row, position, match: "some", spansIn };
  });
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
function toHits(rows: readonly Row[], limit: number, view: SearchView, firstRank = 0): readonly SearchHit[] {
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
