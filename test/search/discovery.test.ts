import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../src/index/fold.ts";
import { type DiscoveryRequest, discover } from "../../src/search/discovery.ts";
import { parseQuery } from "../../src/search/grammar.ts";
import { type HeldSession, MemoryView } from "../../src/search/memoryView.ts";
import type { Viewer } from "../../src/search/viewer.ts";
import { oracleMatches } from "./oracle.ts";
import { heldSession, START_MS } from "./stores.ts";

const everywhere = {
  limit: 10,
  cwdFilter: { directories: undefined, match: "exact" },
  timeRange: { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY },
} as const;

function search(
  sessions: readonly HeldSession[],
  query: string,
  more: Partial<DiscoveryRequest & Viewer> = {},
) {
  const viewer = { isAllowed: more.isAllowed ?? (() => true), currentSessionPath: more.currentSessionPath };
  return discover(new MemoryView(sessions), { ...everywhere, ...more, query }, viewer);
}

/** The numbers of the sessions found, `~` before those that match some words only. */
function found(...call: Parameters<typeof search>): string {
  return search(...call)
    .results.map(({ path, match }) => `${match === "some" ? "~" : ""}${/\d+/.exec(path)?.[0]}`)
    .join(" ");
}

const store = (...texts: readonly (readonly string[])[]) =>
  texts.map((messages, i) => heldSession(i, messages));

describe("a hit", () => {
  test("says where the message stands and why it was found", () => {
    const session = heldSession(0, ["hello", "the Migration failed"], {
      name: "n",
      launchedByPath: "/s/9.jsonl",
    });
    expect(search([session], "migration").results).toEqual([
      {
        path: "/s/0.jsonl",
        name: "n",
        cwd: "/work/project0",
        startedAt: "2026-01-01T00:00:00.000Z",
        rank: 0,
        matchMessageId: "0-1",
        lineNo: 3,
        role: "assistant",
        timestamp: "2026-01-01T00:01:00.000Z",
        snippet: "the «Migration» failed",
        match: "all",
        parentPath: "/s/9.jsonl",
      },
    ]);
  });

  test("whose file has gone is dropped, and the next takes its place", () => {
    const [gone, there] = store(["needle"], ["needle and more"]);
    if (gone === undefined || there === undefined) throw new Error("two sessions");
    const messages = gone.messages.map((message) => ({ ...message, source: () => undefined }));
    expect(found([{ ...gone, messages }, there], "needle", { limit: 1 })).toBe("1");
  });

  test("is a message that matches, when the query matches", () => {
    const texts = ["alpha", "beta", "alpha beta", "gamma"];
    expect(search(store(texts), "alpha beta").results[0]?.lineNo).toBe(4);
  });
});

describe("the order", () => {
  test("puts sessions with whole or inflected words before those with parts of words, however often these occur", () => {
    const sessions = store(
      ["xmigration xmigration"],
      ["we talked of many things and of migrations too"],
      ["immigration", "immigration"],
    );
    expect(found(sessions, "migration")).toBe("1 2 0");
  });

  test("counts a match in a user message more than one in an assistant message", () => {
    expect(found(store(["x", "needle"], ["needle", "x"], ["x", "needle"]), "needle")).toMatch(/^1/);
  });

  test("ranks a session by its best passage, not by how much it contains", () => {
    const scattered = Array.from({ length: 40 }, (_, i) => (i % 8 === 0 ? "needle" : `other text ${i}`));
    const dense = ["a", "needle", "the needle", "needle again", "b"];
    expect(found(store(scattered, dense), "needle")).toBe("1 0");
  });

  test("breaks ties by the newer session, then by path", () => {
    expect(found(store(["needle"], ["needle"], ["needle"]), "needle")).toBe("2 1 0");
    const same = store(["needle"], ["needle"]).map((session) => ({ ...session, lastActivityMs: 5 }));
    expect(found(same, "needle")).toBe("0 1");
  });
});

describe("relaxation", () => {
  test("fills the room that strict hits leave, after them, and says so", () => {
    const sessions = store(["the index is slow"], ["slow thing"], ["index thing"], ["other"]);
    expect(found(sessions, "why is the index slow?")).toMatch(/^~0 ~/);
    expect(found(sessions, "index slow")).toMatch(/^0 ~[12] ~[12]$/);
    expect(search(sessions, "index slow").relaxed).toBe(true);
    expect(found(sessions, "index slow", { limit: 1 })).toBe("0");
    expect(search(sessions, "index slow", { limit: 1 }).relaxed).toBeUndefined();
    expect(search(sessions, "index slow").results.map(({ rank }) => rank)).toEqual([0, 1, 2]);
  });

  test("folds inflections, regular and irregular, and finds identifiers", () => {
    const sessions = store(["we migrated it"], ["he wrote that"], ["see retryPolicy"]);
    expect(found(sessions, "how do migrations go")).toBe("~0");
    expect(found(sessions, "who writes")).toBe("~1");
    expect(found(sessions, "when is it retrying")).toBe("~2");
    expect(search(sessions, "how do migrations go").results[0]?.snippet).toBe("we «migrated» it");
  });

  test("takes text without spaces apart", () => {
    expect(found(store(["我们修改了配置文件"], ["天气"]), "如何修改配置")).toBe("~0");
  });

  test.each([
    '"alpha"',
    "alpha AND gamma",
    "alpha OR gamma",
    "alpha NOT beta",
    "NEAR(alpha gamma)",
    "alph* gamma",
  ])("is never applied to %s", (query) => {
    const result = search(store(["alpha beta", "x"], ["alphabet"], ["gammas"]), query);
    expect(result.relaxed).toBeUndefined();
    expect(result.results.every(({ match }) => match === "all")).toBe(true);
  });

  test("prefers messages of a time that the query names, and finds none by the time alone", () => {
    const sessions = store(["the deploy broke"], ["the deploy broke"], ["nothing"], ["the deploy broke"]);
    expect(found(sessions, "why did the deploy break on 2026-01-02?")).toMatch(/^~1 /);
    expect(found(sessions, "why did the deploy break on January 1")).toMatch(/^~0 /);
    expect(found(sessions, "why did the deploy break on January 3")).toBe("~3 ~1 ~0");
  });

  test("of stop words alone finds nothing", () => {
    expect(found(store(["what is it"]), "who are they")).toBe("");
  });
});

describe("what a call may see", () => {
  const fork = { parentSessionPath: "/s/0.jsonl" };

  test("of a fork and its ancestor the ancestor is shown, the fork when the ancestor is out of reach", () => {
    const sessions = [heldSession(0, ["needle"]), heldSession(1, ["needle", "more needle"], fork)];
    expect(found(sessions, "needle")).toBe("0");
    expect(found(sessions, "needle", { currentSessionPath: "/s/0.jsonl" })).toBe("1");
    expect(
      found(sessions, "needle", { cwdFilter: { directories: ["/work/project1"], match: "exact" } }),
    ).toBe("1");
    expect(found(sessions, "more")).toBe("1");
  });

  test("a fork that matches some words folds into the ancestor that matches all", () => {
    const sessions = [heldSession(0, ["alpha beta"]), heldSession(1, ["alpha"], fork)];
    expect(found(sessions, "alpha beta")).toBe("0");
  });

  test("of some words, a fork shows its own answer, and not what it has copied", () => {
    const ancestor = heldSession(0, ["alpha", "filler", "more", "filler", "filler"]);
    const copied = heldSession(1, ["alpha", "filler", "more", "filler", "x"], fork);
    const own = heldSession(1, ["alpha", "filler", "more", "filler", "x", "alpha beta gamma"], fork);
    expect(found([ancestor, copied], "alpha beta gamma delta")).toBe("~0");
    expect(found([ancestor, own], "alpha beta gamma delta")).toBe("~1");
    expect(found([ancestor, own], "alpha beta gamma")).toBe("1");
  });

  test("a transcript below a denied session is denied", () => {
    const child = heldSession(1, ["needle"], { isSubagent: true, launchedByPath: "/s/0.jsonl" });
    const isAllowed = (cwd: string | null) => cwd !== "/work/project0";
    expect(found([heldSession(0, ["x"]), child], "needle", { isAllowed })).toBe("");
    expect(found([heldSession(0, ["x"]), child], "needle")).toBe("1");
  });

  test("a message's own time is what the window bounds", () => {
    const timeRange = { startMs: START_MS + 60_000, endMs: START_MS + 60_000 };
    expect(search(store(["needle", "x needle", "needle"]), "needle", { timeRange }).results[0]?.lineNo).toBe(
      3,
    );
  });

  const text = fc
    .array(fc.constantFrom("alpha", "beta", "gamma", "alphabet", "the", "C#", "配置"), { maxLength: 6 })
    .map((words) => words.join(" "));
  const stores = fc.array(fc.array(text, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 8 });
  const queries = fc.oneof(
    fc.array(fc.constantFrom("alpha", "beta", "alph", "C#", "配", "the", "OR", "NOT"), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom(["alpha", "beta"]),
  );

  test("what one question left in memory changes nothing for the next, whatever its filters", () => {
    const filters = fc.record({
      timeRange: fc.constantFrom(
        { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY },
        { startMs: START_MS + 60_000, endMs: Number.POSITIVE_INFINITY },
        { startMs: Number.NEGATIVE_INFINITY, endMs: START_MS + 120_000 },
      ),
      cwdFilter: fc.constantFrom(
        { directories: undefined, match: "exact" as const },
        { directories: ["/work/project1"], match: "exact" as const },
      ),
      currentSessionPath: fc.constantFrom(undefined, "/s/0.jsonl"),
      isAllowed: fc.constantFrom(undefined, (cwd: string | null) => cwd !== "/work/project1"),
    });
    const questions = fc.array(fc.tuple(queries, filters), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(stores, questions, (texts, asked) => {
        const sessions = texts.map((messages, i) =>
          heldSession(i, messages, i === 2 ? { parentSessionPath: "/s/1.jsonl" } : {}),
        );
        const view = new MemoryView(sessions);
        for (const [words, { isAllowed, currentSessionPath, ...rest }] of asked) {
          const request = { ...everywhere, ...rest, query: words.join(" ") };
          const viewer = { isAllowed, currentSessionPath };
          expect(discover(view, request, viewer)).toEqual(
            discover(new MemoryView(sessions), request, viewer),
          );
          if (isAllowed === undefined) {
            const everybody = { isAllowed: () => true, currentSessionPath };
            expect(discover(view, request, viewer)).toEqual(discover(view, request, everybody));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("denied sessions change nothing in the answer", () => {
    fc.assert(
      fc.property(stores, stores, queries, (allowed, denied, words) => {
        const seen = allowed.map((texts, i) => heldSession(i, texts));
        const hidden = denied.map((texts, i) =>
          heldSession(i, texts, {
            path: `/denied/${i}.jsonl`,
            cwd: i % 2 === 0 ? null : "/secret",
            parentSessionPath: "/s/0.jsonl",
          }),
        );
        const isAllowed = (cwd: string | null) => cwd !== null && cwd !== "/secret";
        const query = words.join(" ");
        expect(search([...hidden, ...seen], query, { isAllowed })).toEqual(search(seen, query));
      }),
    );
  });

  test("words of denied sessions push no others out of a list that is cut", () => {
    const seen = store(["see retrypolicyx"], ["other"], ["the 请retry吧 thing", "retry"], ["xretry"]);
    const words = Array.from({ length: 600 }, (_, i) => `aretrya${i} 配retry${i}置`);
    const hidden = heldSession(9, [words.join(" "), "retry"], { path: "/denied.jsonl", cwd: null });
    const isAllowed = (cwd: string | null) => cwd !== null;
    for (const query of ["retry", "how to retry", "retry thing", "retry other", "xretr OR thing"]) {
      expect(search([hidden, ...seen], query, { isAllowed })).toEqual(search(seen, query));
    }
  });

  test("the sessions that match all are those in which the oracle finds a message", () => {
    fc.assert(
      fc.property(stores, queries, (texts, words) => {
        const { root } = parseQuery(words.join(" "));
        const hits = search(store(...texts), words.join(" ")).results.filter(({ match }) => match === "all");
        const expected = texts.flatMap((messages, i) =>
          messages.some((message) => oracleMatches(root, fold(message))) ? [`/s/${i}.jsonl`] : [],
        );
        expect(hits.map(({ path }) => path).sort()).toEqual(expected);
      }),
    );
  });
});

test("to judge how close words stand, no more is read of endless words than of others", () => {
  const endless = "yw".repeat(50_000);
  const view = new MemoryView(
    Array.from({ length: 100 }, (_, i) => heldSession(i, [`alpha ${endless} beta`])),
  );
  let charsRead = 0;
  const foldedTextAt = view.foldedTextAt.bind(view);
  view.foldedTextAt = (position) => {
    const text = foldedTextAt(position);
    charsRead += text.length;
    return text;
  };
  const request = { ...everywhere, query: "alpha beta" };
  expect(discover(view, request, { isAllowed: () => true }).results).toHaveLength(10);
  expect(charsRead).toBeLessThan(5_000_000);
});
