/**
 * Discovery: the sessions in which something was said, best first. First those with a message that matches the query;
 * when these leave room and the query is plain, those that hold some of its words.
 */

import type { SearchHit } from "../model.ts";
import { bestFirst, bestPassages, type RankedSession } from "./best.ts";
import { occurrencesIn } from "./closeness.ts";
import { parseQuery, type Query, type QueryNode, termsOf } from "./grammar.ts";
import { ancestry, Copies, ForkFilter } from "./lineage.ts";
import { findMatches, type Matches } from "./match.ts";
import { MessageSet } from "./messageSet.ts";
import { bestMessageOf, type Evidence, scorePassages } from "./rank.ts";
import { addNamedTimes, looseEvidence } from "./relax.ts";
import { snippetOf } from "./snippet.ts";
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
  readonly evidence: readonly Evidence[];
  /** What each of these is worth. */
  readonly weights: readonly number[];
}

export function discover(view: SearchView, request: DiscoveryRequest, viewer: Viewer): Discovered {
  const query = parseQuery(request.query);
  const visible = visibleSessions(view.sessions, viewer);
  const eligible = eligibleMessages(view, request, viewer, visible);
  // To whom something may be denied, it must not show whether anything is.
  const isAllVisible =
    viewer.isAllowed === undefined || (viewer.isBounded !== true && visible.every((isVisible) => isVisible));
  const isVisible =
    viewer.isAllowed === undefined ? undefined : (session: number) => visible[session] === true;
  const forks = new ForkFilter(ancestry(view.sessions, isVisible));

  const strict = new StrictMatches(query, view, eligible, isAllVisible);
  const isStrict = (session: number) => strict.isMatching(session);
  const hits = toHits(
    forks.pass(strict.rows(), (_, ancestor) => isStrict(ancestor)),
    request.limit,
    view,
  );
  if (hits.length === request.limit || !query.isPlain) return { results: hits };

  const loose = looseMatches(query, request.query, view, eligible, isAllVisible, isStrict);
  // Nearly every session holds one of the words: an ancestor is a match of the same kind when it holds the same message.
  const copies = new Copies(view);
  const givesWay = ({ position }: Row, ancestor: number) =>
    isStrict(ancestor) || (loose.sessions.has(ancestor) && copies.isIn(ancestor, position));
  const rows = forks.pass(loose.rows(), givesWay);
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
  /** What was found out about single sessions: many forks have the same ancestors. */
  readonly #judged = new Map<number, boolean>();

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
    const whole = findMatches(root, view, this.#eligible, { strictness: "whole", isAllVisible });
    const first = sessionsOf(whole.messages, view);
    this.#sessions = first;
    yield* this.#ranked(whole);
    const anywhere = findMatches(root, view, this.#eligible, { isAllVisible });
    this.#sessions = sessionsOf(anywhere.messages, view);
    this.#isComplete = true;
    yield* this.#ranked(anywhere, first);
  }

  /** Right at any time once the first row was asked for. */
  isMatching(session: number): boolean {
    if (this.#sessions.has(session)) return true;
    if (this.#isComplete) return false;
    const judged = this.#judged.get(session) ?? this.#judge(session);
    this.#judged.set(session, judged);
    return judged;
  }

  #judge(session: number): boolean {
    const viewed = this.#view.sessions[session];
    if (this.#root === undefined || viewed === undefined) return false;
    const own = new MessageSet(this.#view.messages.count);
    for (let at = viewed.first; at < viewed.end; at++) if (this.#eligible.has(at)) own.add(at);
    return !own.isEmpty && !findMatches(this.#root, this.#view, own).messages.isEmpty;
  }

  *#ranked(
    { messages, evidence }: Matches,
    shown: ReadonlySet<number> = new Set(),
  ): Generator<Row, void, undefined> {
    const view = this.#view;
    const scores = scorePassages(view, this.#eligible, evidence, messages);
    const passages = bestPassages(view, messages, scores).filter(({ session }) => !shown.has(session));
    for (const ranked of bestFirst(view, passages, messages, evidence, scores)) {
      yield { ...ranked, match: "all", evidence, weights: scores.weights };
    }
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
  const evidence = looseEvidence(termsOf(root), view, eligible, isAllVisible);
  const scores = scorePassages(view, eligible, evidence, eligible);
  addNamedTimes(scores, text, view, eligible);
  const passages = bestPassages(view, eligible, scores).filter(
    ({ session, score }) => score > 0 && !isStrict(session),
  );
  function* rows(): Generator<Row, void, undefined> {
    for (const ranked of bestFirst(view, passages, eligible, evidence, scores)) {
      const position = bestMessageOf(view, ranked.position, scores, evidence);
      yield { ...ranked, position, match: "some", evidence, weights: scores.weights };
    }
  }
  return { sessions: new Set(passages.map(({ session }) => session)), rows };
}

/** The first rows whose files are still there. Messages are read for these alone. */
function toHits(rows: Iterable<Row>, limit: number, view: SearchView, firstRank = 0): readonly SearchHit[] {
  const hits: SearchHit[] = [];
  for (const { session, position, match, evidence, weights } of rows) {
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
      snippet: snippetOf(source.text, folded, occurrencesIn(folded, evidence), weights),
      match,
      ...(viewed.launchedByPath === undefined ? {} : { parentPath: viewed.launchedByPath }),
    });
  }
  return hits;
}
