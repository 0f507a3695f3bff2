import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIST_SESSIONS_ROW, SESSION_ENTRIES_ROW, SESSION_SEARCH_ROW } from "../../src/surface/rowDrawing.ts";
import { hostileText } from "../support/hostile-text.ts";
import { hit, session } from "./recall/samples.ts";

const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
type Row = typeof SESSION_SEARCH_ROW;

/** The two parts of a row as Pi draws them: the call first, its count known once the result was drawn. */
function draw(
  row: Row,
  args: unknown,
  details: unknown,
  { expanded = false, isError = false, width = 80, text = "" } = {},
) {
  const context = { args, state: {}, isError, keyText: () => "ctrl+o" };
  const call = row.renderCall(args, theme, context);
  const result = { content: [{ type: "text", text }], details };
  const body = row.renderResult(result, { expanded, isPartial: false }, theme, context);
  return { call: call.render(width), body: body.render(width) };
}

const discovery = (count: number) => ({
  ...{ mode: "discovery", query: "word" },
  results: Array.from({ length: count }, (_, i) => hit(i, { name: `Session ${i}` })),
});

describe("the renderers that Pi is given", () => {
  test("leave the first row to Pi until they are loaded, and then have it drawn again", async () => {
    const { SESSION_SEARCH_ROW: row } = await import("../../src/surface/rows.ts");
    const drawnAgain = Promise.withResolvers<void>();
    const context = { invalidate: () => drawnAgain.resolve() };
    expect(() => row.renderCall({ query: "x" }, theme, context)).toThrow("not loaded yet");
    await drawnAgain.promise;
    expect(row.renderCall({ query: "x" }, theme, context).render(80)).toEqual(['session_search "x"']);
    expect(row.renderResult({ content: [] }, { expanded: false, isPartial: true }, theme).render(80)).toEqual(
      [],
    );
  });
});

describe("session_search", () => {
  test("one line for the call, with the count once it is known", () => {
    const args = { query: " retry  queue " };
    expect(SESSION_SEARCH_ROW.renderCall(args, theme, { state: {} }).render(80)).toEqual([
      'session_search "retry  queue"',
    ]);
    expect(draw(SESSION_SEARCH_ROW, args, discovery(3)).call).toEqual([
      'session_search "retry  queue" · 3 sessions',
    ]);
    expect(draw(SESSION_SEARCH_ROW, args, discovery(1)).call[0]).toMatch(/· 1 session$/);
  });

  test.each([
    [{}, "session_search recent sessions"],
    [{ sessionId: "/s/a.jsonl" }, "session_search a.jsonl"],
    [{ sessionId: "/s/a.jsonl", aroundMessageId: "ab" }, "session_search a.jsonl around ab"],
    [{ operation: "prepare-pattern-miner", scope: "all" }, "session_search prepare-pattern-miner all"],
    ["garbage", "session_search"],
  ])("%j is called %s", (args, expected) => {
    expect(SESSION_SEARCH_ROW.renderCall(args, theme).render(80)).toEqual([expected]);
  });

  test("collapsed: the last five visual lines and the number of earlier ones", () => {
    const { body } = draw(SESSION_SEARCH_ROW, {}, discovery(4));
    expect(body).toHaveLength(6);
    expect(body[0]).toBe("… 7 earlier lines (ctrl+o to expand)");
    expect(body.at(-1)).toContain("/s/--srv-app--/3.jsonl");
    expect(draw(SESSION_SEARCH_ROW, {}, discovery(1)).body).toHaveLength(3);
    const narrow = draw(SESSION_SEARCH_ROW, {}, discovery(1), { width: 20 }).body;
    expect(narrow).toHaveLength(6);
    expect(narrow[0]).toMatch(/^… \d+ earlier lines/);
  });

  test("expanded: everything the model got", () => {
    const answer = {
      ...discovery(2),
      relaxed: true,
      backlogRemaining: 12,
      syncWarning: { kind: "incomplete-walk" },
    };
    const { call, body } = draw(SESSION_SEARCH_ROW, { query: "word" }, answer, {
      expanded: true,
      width: 200,
    });
    const text = body.join("\n");
    for (const part of [
      "Session 0",
      "Session 1",
      "say the «word» number 1",
      "message 00000001",
      "match all",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("relaxed: true");
    expect(text).toContain('syncWarning: {"kind":"incomplete-walk"}');
    expect(call[0]).toContain("12 files not indexed yet");
  });

  test("messages of a session, recent sessions, a prepared corpus", () => {
    const messages = [
      { id: "a", lineNo: 2, role: "user", timestamp: "2026-11-30T20:00:00.000Z", content: "first\n\tsecond" },
      {
        id: "b",
        lineNo: 3,
        role: "toolResult",
        toolName: "bash",
        timestamp: "x",
        content: "out",
        anchor: true,
      },
    ];
    const read = { mode: "read", path: "/s/a.jsonl", totalMessages: 120, messages, branchTip: "b" };
    const { call, body } = draw(SESSION_SEARCH_ROW, { sessionId: "/s/a.jsonl" }, read, { expanded: true });
    expect(call[0]).toMatch(/· 2 of 120 messages$/);
    expect(body).toContain("    second");
    expect(body.join("\n")).toMatch(/▌ toolResult · bash · x · b · line 3/);
    const browse = { mode: "browse", sessions: [session(1, { subagents: 2 })] };
    expect(draw(SESSION_SEARCH_ROW, {}, browse, { expanded: true }).body.join()).toContain("subagents 2");
    const prepared = {
      mode: "prepare-pattern-miner",
      scope: "all",
      sessions: [{ path: "/s/a", messages }],
      inventory: {},
    };
    expect(draw(SESSION_SEARCH_ROW, {}, prepared, { expanded: true }).body.join("\n")).toContain(
      "inventory: {}",
    );
    expect(draw(SESSION_SEARCH_ROW, {}, { ...browse, sessions: [] }).body).toContain("Nothing found.");
  });

  test("a failure and a row of another version show their text", () => {
    const failed = draw(SESSION_SEARCH_ROW, {}, undefined, {
      isError: true,
      text: "no such\u001b[2J session",
    });
    expect(failed.call).toEqual(["session_search recent sessions"]);
    expect(failed.body).toEqual(["no such\\u001b[2J session"]);
    for (const odd of [undefined, null, 1, [], { other: true }]) {
      expect(draw(SESSION_SEARCH_ROW, {}, odd, { text: "as it was" }).body).toEqual(["as it was"]);
    }
  });

  test("nothing yet while it runs", () => {
    const partial = SESSION_SEARCH_ROW.renderResult(
      { content: [] },
      { expanded: false, isPartial: true },
      theme,
    );
    expect(partial.render(80)).toEqual([]);
  });

  test("older versions of Pi pass less", () => {
    const result = { content: [], details: discovery(4) };
    const body = SESSION_SEARCH_ROW.renderResult(result, { expanded: false, isPartial: false }, theme);
    expect(body.render(80)[0]).toBe("… 7 earlier lines");
  });

  test("draws again only for another width", () => {
    const body = SESSION_SEARCH_ROW.renderResult(
      { content: [], details: discovery(4) },
      { expanded: true, isPartial: false },
      theme,
    );
    expect(body.render(80)).toBe(body.render(80));
    expect(body.render(40)).not.toBe(body.render(80));
  });

  test("holds nothing that drives a terminal, and is never wider than asked", () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(20, 58, 80), fc.boolean(), (text, width, expanded) => {
        const answer = {
          ...{ mode: text, [text]: text, query: text },
          results: [
            hit(1, {
              path: text,
              name: text,
              cwd: text,
              snippet: text,
              timestamp: text,
              matchMessageId: text,
            }),
            text,
          ],
          sessions: [session(1, { path: text, name: text, preview: text, startedAt: text })],
          messages: [
            { id: text, role: text, timestamp: text, content: text, toolName: text, [text]: [text] },
          ],
        };
        const { call, body } = draw(SESSION_SEARCH_ROW, { query: text }, answer, { width, expanded });
        const other = draw(
          SESSION_SEARCH_ROW,
          { sessionId: text, aroundMessageId: text },
          {},
          { width, expanded, text },
        );
        for (const line of [...call, ...body, ...other.call, ...other.body]) {
          expect(line).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("list_sessions and session_entries", () => {
  const warnings = [{ path: "/s/bad.jsonl", reason: "no header" }];
  const text = "Sessions (2)\n- /s/a.jsonl\n- /s/b.jsonl\n\nWarnings (1)\n- /s/bad.jsonl: no header";

  test("show counts, and collapsed the warnings alone", () => {
    const listed = { sessions: [{}, {}], warnings };
    const { call, body } = draw(LIST_SESSIONS_ROW, {}, listed, { text });
    expect(call).toEqual(["list_sessions · 2 sessions, 1 warning"]);
    expect(body).toEqual(["Warnings (1)", "- /s/bad.jsonl: no header"]);
    expect(draw(LIST_SESSIONS_ROW, {}, listed, { text, expanded: true }).body).toHaveLength(6);
    expect(
      draw(LIST_SESSIONS_ROW, {}, { sessions: [], warnings: [] }, { text: "Sessions (0)" }).body,
    ).toEqual([]);
  });

  test("name the file that is read", () => {
    const args = { sessionPath: "/s/a.jsonl" };
    const { call } = draw(
      SESSION_ENTRIES_ROW,
      args,
      { entries: [{}], warnings: [] },
      { text: "Entries (1)\n- 2 message" },
    );
    expect(call).toEqual(["session_entries a.jsonl · 1 entry"]);
  });
});
