import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BrowsedSession, BrowseOutput, DiscoveryOutput, SearchHit } from "../../../src/model.ts";
import { inputOf } from "../../../src/surface/recall/input.ts";
import { emptyTexts, noteOf, statusOf } from "../../../src/surface/recall/messages.ts";
import {
  initialState,
  isOutdated,
  isSearching,
  PAGE_ROWS,
  queryOf,
  type RecallEvent,
  type RecallState,
  selectedOf,
  update,
} from "../../../src/surface/recall/state.ts";
import { hit, session } from "./samples.ts";

const PLACE = { cwd: "/srv/app", worktrees: ["/srv/app", "/elsewhere/app-fix"] };

const start = (query = "") => initialState(PLACE, query);
const typed = (state: RecallState, text: string) => update(state, { type: "input", input: inputOf(text) });
const recent = (sessions: readonly BrowsedSession[], more: Partial<BrowseOutput> = {}): BrowseOutput => ({
  ...more,
  mode: "browse",
  sessions,
});
const found = (results: readonly SearchHit[], more: Partial<DiscoveryOutput> = {}): DiscoveryOutput => ({
  query: "q",
  ...more,
  mode: "discovery",
  results,
});
const answer = (state: RecallState, output: BrowseOutput | DiscoveryOutput, ticket = state.question.ticket) =>
  update(state, { type: "answer", ticket, output });
const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => session(from + i));

describe("what is asked", () => {
  test("recent sessions of this project at first, the query that was given at once", () => {
    expect(start().question.params).toEqual({ limit: 10, cwds: ["/srv/app"] });
    expect(start("retry").question.params).toEqual({ query: "retry", limit: 10, cwds: ["/srv/app"] });
  });

  test("searching starts at two letters, and fewer ask nothing new", () => {
    const one = typed(start(), "a");
    expect(one.question.ticket).toBe(1);
    const two = typed(one, "ab");
    expect(two.question).toMatchObject({ ticket: 2, params: { query: "ab" } });
    expect(typed(two, " ab ").question.ticket).toBe(2);
    expect(typed(two, "a").question.params).not.toHaveProperty("query");
    expect([queryOf("配"), queryOf("配置"), queryOf("😀"), queryOf("   ")]).toEqual(["", "配置", "", ""]);
  });

  test("the scope goes round: this project, its worktrees, everywhere", () => {
    const worktrees = update(start("ab"), { type: "scope" });
    expect(worktrees.question.params).toEqual({
      ...{ query: "ab", limit: 10 },
      ...{ cwds: PLACE.worktrees, cwdMatch: "sibling-prefix" },
    });
    const everywhere = update(worktrees, { type: "scope" });
    expect(everywhere.question.params).toEqual({ query: "ab", limit: 10 });
    expect(update(everywhere, { type: "scope" }).question.params).toEqual(start("ab").question.params);
  });

  test("moving the cursor asks nothing", () => {
    const state = typed(start(), "abc");
    const moved = update(state, { type: "input", input: { text: "abc", cursor: 1 } });
    expect(moved.question).toBe(state.question);
    expect(moved.input.cursor).toBe(1);
  });
});

describe("answers", () => {
  test("a stale one never replaces a newer one", () => {
    const older = typed(start(), "ab");
    const newer = typed(older, "abc");
    const shown = answer(newer, found([hit(1)]));
    expect(answer(shown, found([hit(2)]), older.question.ticket)).toBe(shown);
    expect(answer(newer, found([hit(2)]), older.question.ticket)).toBe(newer);
    expect(update(newer, { type: "failure", ticket: older.question.ticket, error: "x" })).toBe(newer);
  });

  test("of any order of events only the latest question's answer is shown", () => {
    const step = fc.oneof(
      fc.constantFrom("ab", "abc", "xyz", "").map((text) => ({ text })),
      fc.nat({ max: 12 }).map((ticket) => ({ ticket })),
      fc.constant({ scope: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let state = start();
        for (const one of steps) {
          if ("text" in one) state = typed(state, one.text);
          else if ("scope" in one) state = update(state, { type: "scope" });
          else state = answer(state, found([hit(one.ticket)]), one.ticket);
          expect(state.answeredTicket).toBeLessThanOrEqual(state.question.ticket);
          if (!isSearching(state)) expect(selectedOf(state)?.path).toBe(hit(state.answeredTicket).path);
        }
      }),
    );
  });

  test("what is shown stays until the new answer is there, and is known to be outdated", () => {
    const shown = answer(typed(start(), "ab"), found([hit(1)]));
    const next = typed(shown, "abc");
    expect(next.rows).toBe(shown.rows);
    expect([isOutdated(shown), isOutdated(next)]).toEqual([false, true]);
  });

  test("a new answer selects the best; the same question asked again keeps the selection", () => {
    const shown = answer(typed(start(), "ab"), found([hit(1), hit(2)], { backlogRemaining: 3 }));
    const second = update(shown, { type: "move", by: 1 });
    const again = update(second, { type: "refresh" });
    expect(again.question.ticket).toBe(second.question.ticket + 1);
    expect(isOutdated(again)).toBe(false);
    expect(selectedOf(answer(again, found([hit(0), hit(1), hit(2)])))?.path).toBe(hit(2).path);
    expect(answer(typed(second, "abc"), found([hit(0), hit(2)])).selected).toBe(0);
  });

  test("a question is asked again while the index grows, also when names add to a full page", () => {
    const named = [8, 9].map((n) => ({ path: `/n/${n}.jsonl`, name: "ab", cwd: null, lastActivityAt: null }));
    const hits = Array.from({ length: PAGE_ROWS }, (_, n) => hit(n));
    const output = { ...found(hits, { backlogRemaining: 3 }), forPeople: { named, firstWords: {} } };
    const shown = answer(typed(start(), "ab"), output);
    expect(shown.rows.map(({ path }) => path).slice(0, 3)).toEqual(["/n/8.jsonl", "/n/9.jsonl", hit(0).path]);
    expect(update(shown, { type: "refresh" }).question.ticket).toBe(shown.question.ticket + 1);
  });

  test("a failure is told and shows no old rows", () => {
    const shown = answer(typed(start(), "ab"), found([hit(1)]));
    const asked = typed(shown, "abc");
    const failed = update(asked, { type: "failure", ticket: asked.question.ticket, error: "no disk" });
    expect(failed.rows).toEqual([]);
    expect(noteOf(failed)).toEqual({ text: "Could not search: no disk", ink: "error" });
    expect(noteOf(answer(typed(failed, "abcd"), found([hit(1)])))).toBeUndefined();
  });

  test("a preview of a row that is no longer selected is dropped", () => {
    const shown = answer(typed(start(), "ab"), found([hit(1), hit(2)]));
    const [first] = shown.rows;
    if (first === undefined) throw new Error("no row");
    const preview = { row: first, error: "x" };
    expect(update(shown, { type: "preview", preview }).preview).toBe(preview);
    const moved = update(shown, { type: "move", by: 1 });
    expect(update(moved, { type: "preview", preview })).toBe(moved);
  });
});

describe("moving", () => {
  test("stays inside of the list", () => {
    const shown = answer(start(), recent(many(3)));
    const by = (state: RecallState, step: number) => update(state, { type: "move", by: step }).selected;
    expect([by(shown, -1), by(shown, 1), by(shown, 99)]).toEqual([0, 1, 2]);
    expect(by(start(), 1)).toBe(0);
  });

  test("at the end of recent sessions the next ones follow, each once", () => {
    const shown = answer(start(), recent(many(10)));
    const asked = update(shown, { type: "move", by: 20 });
    expect(asked.question).toMatchObject({
      isMore: true,
      params: { endTimestamp: session(9).lastActivityAt },
    });
    expect(asked.selected).toBe(9);
    const longer = answer(asked, recent(many(10, 9)));
    expect(longer.rows.map(({ path }) => path)).toEqual(many(19).map(({ path }) => path));
    expect(longer.selected).toBe(9);
    const end = answer(update(longer, { type: "move", by: 20 }), recent(many(1, 18)));
    expect([end.rows.length, end.hasMore, end.selected]).toEqual([19, false, 18]);
    expect(update(end, { type: "move", by: 1 }).question).toBe(end.question);
    expect(update(end, { type: "refresh" })).toBe(end);
  });

  test("sessions of one instant never ask for ever", () => {
    const same = Array.from({ length: 10 }, () => session(1));
    const asked = update(answer(start(), recent(same)), { type: "move", by: 20 });
    expect(answer(asked, recent(same)).hasMore).toBe(false);
  });

  test("hits are not continued", () => {
    const shown = answer(start("ab"), found(Array.from({ length: 10 }, (_, i) => hit(i))));
    expect(update(shown, { type: "move", by: 20 }).question).toBe(shown.question);
  });
});

describe("what is said", () => {
  const widest = (state: RecallState): RecallState =>
    update(update(state, { type: "scope" }), { type: "scope" });

  test("an empty store", () => {
    const state = answer(widest(start()), recent([]));
    expect(emptyTexts(state, "tab")[0]).toBe("No earlier sessions.");
    expect(emptyTexts(state, "tab").join()).not.toContain("tab");
  });

  test("nothing in this scope names the key that widens it", () => {
    expect(emptyTexts(answer(start(), recent([])), "tab")).toContain("tab looks in its worktrees.");
    const worktrees = update(start("ab"), { type: "scope" });
    expect(emptyTexts(answer(worktrees, found([])), "tab")).toContain("tab looks everywhere.");
    expect(emptyTexts(answer(worktrees, found([])), "").join()).not.toContain("looks");
  });

  test("an index that is being built, with and without hits", () => {
    const building = { backlogRemaining: 1234 };
    expect(noteOf(answer(start("ab"), found([hit(1)], building)))?.text).toContain(
      "1,234 files are still to be searched.",
    );
    expect(emptyTexts(answer(start("ab"), found([], building)), "tab")[0]).toContain("still being built");
  });

  test("a stale index, a part that could not be read, a relaxed query", () => {
    const failed = { syncWarning: { kind: "sync-failed", error: "disk full" } } as const;
    expect(noteOf(answer(start("ab"), found([], failed)))?.text).toContain("disk full");
    const walk = { syncWarning: { kind: "incomplete-walk" } } as const;
    expect(noteOf(answer(start("ab"), found([], walk)))?.ink).toBe("warning");
    expect(noteOf(answer(start("ab"), found([hit(1)], { relaxed: true })))?.ink).toBe("muted");
  });

  test("the status: searching, too few letters, how many", () => {
    expect(statusOf(start())).toBe("searching…");
    expect(statusOf(answer(start("ab"), found([hit(1)])))).toBe("1 session");
    const shown = answer(start(), recent(many(2)));
    expect(statusOf(shown)).toBe("recent");
    expect(statusOf(typed(shown, "a"))).toBe("one more letter");
  });

  test("events that change nothing give the same state", () => {
    const state = answer(start(), recent(many(2)));
    const events: readonly RecallEvent[] = [{ type: "answer", ticket: 0, output: recent([]) }];
    for (const event of events) expect(update(state, event)).toBe(state);
  });
});
