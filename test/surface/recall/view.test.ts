import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TranscriptMessage } from "../../../src/model.ts";
import { inputOf } from "../../../src/surface/recall/input.ts";
import type { Paint } from "../../../src/surface/recall/spans.ts";
import { initialState, type RecallState, selectedOf, update } from "../../../src/surface/recall/state.ts";
import { render } from "../../../src/surface/recall/view.ts";
import { visible } from "../../../src/surface/visible.ts";
import { columnsOf, wrapStrictly } from "../../../src/surface/width.ts";
import { hostileText } from "../../support/hostile-text.ts";
import { hit, session } from "./samples.ts";

const PLACE = { cwd: "/srv/app", worktrees: ["/srv/app"] };
const NOW_MS = Date.parse("2026-11-30T21:00:00.000Z");
/** Colours as Pi writes them. */
const COLORS: Paint = {
  fg: (_color, text) => `\u001b[36m${text}\u001b[39m`,
  bg: (_color, text) => `\u001b[44m${text}\u001b[49m`,
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  inverse: (text) => `\u001b[7m${text}\u001b[27m`,
};
/** Colours that a test can read. */
const NAMED: Paint = {
  fg: (color, text) => (color === "accent" ? `{${text}}` : text),
  bg: (_color, text) => `<${text}>`,
  bold: (text) => text,
  inverse: (text) => `[${text}]`,
};
const HINTS = [
  ["enter", "resume"],
  ["alt+enter", "insert reference"],
  ["tab", "scope"],
  ["↑/↓", "move"],
  ["pgup/pgdn", "page"],
  ["esc", "close"],
] as const;

function draw(state: RecallState, width: number, height: number, paint: Paint = COLORS): readonly string[] {
  return render(state, width, height, {
    paint,
    hints: HINTS,
    scopeKey: "tab",
    nowMs: NOW_MS,
    isFocused: true,
  });
}

function withHits(hits: readonly ReturnType<typeof hit>[], messages: readonly TranscriptMessage[] = []) {
  const asked = initialState(PLACE, "word");
  const output = { mode: "discovery", query: "word", results: hits } as const;
  const state = update(asked, { type: "answer", ticket: 1, output });
  const row = selectedOf(state);
  if (row === undefined) return state;
  const around = {
    mode: "scroll",
    path: row.path,
    branchTip: "t",
    messagesBefore: 0,
    messagesAfter: 0,
  } as const;
  return update(state, { type: "preview", preview: { row, output: { ...around, messages } } });
}

function message(content: string, more: Partial<TranscriptMessage> = {}): TranscriptMessage {
  return { id: "m", lineNo: 2, role: "user", timestamp: "2026-11-30T20:00:00.000Z", content, ...more };
}

/** Without what the paint adds and Pi takes out. */
function textOf(line: string): string {
  return line.replaceAll("\u001b_pi:c\u0007", "").replace(/\u001b\[[\d;]*m/g, "");
}

const SIZES = [
  [60, 18],
  [60, 20],
  [80, 24],
  [120, 40],
  [188, 45],
  [200, 50],
] as const;

describe("the palette", () => {
  test.each(SIZES)("fills %i columns and %i lines exactly", (width, height) => {
    const long = message(`${"lorem ipsum ".repeat(400)}\nthe word 配置 ${"x".repeat(500)}`, { anchor: true });
    const states = [
      initialState(PLACE, ""),
      withHits([]),
      withHits(
        [hit(1), hit(2, { name: "日本語の名前 ".repeat(20) })],
        [message("before"), long, message("after")],
      ),
      withHits(Array.from({ length: 10 }, (_, i) => hit(i))),
    ];
    for (const state of states) {
      const lines = draw(state, width, height);
      expect(lines).toHaveLength(height);
      for (const line of lines) expect(visibleWidth(line), textOf(line)).toBe(width);
    }
  });

  test("says that it needs more room rather than drawing nonsense", () => {
    expect(draw(initialState(PLACE, ""), 20, 30).map(textOf)).toEqual(["recall needs more r…"]);
    expect(draw(initialState(PLACE, ""), 80, 5)).toHaveLength(1);
  });

  test("shows when, project, name and the matched words in the accent; the selected row has a background", () => {
    const lines = draw(withHits([hit(3, { name: "Backoff" }), hit(4)]), 80, 24, NAMED);
    expect(lines[3]).toMatch(/<.*\{▸ \}1h {3}app {2}Backoff {2}user.*>/);
    expect(lines[4]).toMatch(/<.*say the \{word\} number 3.*>/);
    expect(lines[5]).not.toMatch(/[<>]/);
  });

  test("a match beyond the end of the line is brought into sight", () => {
    const snippet = `${"filler ".repeat(25)}«needle» in the hay`;
    expect(draw(withHits([hit(1, { snippet })]), 60, 20, NAMED).join("\n")).toContain("{needle}");
  });

  test("the preview shows the match, however far inside of its message, and marks it", () => {
    const content = `${"filler line\n".repeat(3_000)}here is the word itself\n${"more\n".repeat(900)}`;
    const messages = [message("before"), message(content, { anchor: true }), message("after")];
    for (const [width, height] of SIZES) {
      expect(draw(withHits([hit(1)], messages), width, height, NAMED).join("\n")).toContain(
        "here is the {word} itself",
      );
    }
  });

  test("beside the list when there is room, under it when there is none", () => {
    const state = withHits([hit(1)], [message("the word is here", { anchor: true })]);
    const lineWith = (lines: readonly string[], part: string) =>
      lines.findIndex((line) => textOf(line).includes(part));
    const wide = draw(state, 160, 30);
    const narrow = draw(state, 60, 20);
    expect(lineWith(wide, "the word is here")).toBeLessThan(8);
    expect(lineWith(narrow, "the word is here")).toBeGreaterThan(lineWith(narrow, "say the word"));
  });

  test("of a recent session the preview shows the end", () => {
    const asked = initialState(PLACE, "");
    const shown = update(asked, {
      type: "answer",
      ticket: 1,
      output: { mode: "browse", sessions: [session(1)] },
    });
    const row = selectedOf(shown);
    if (row === undefined) throw new Error("no row");
    const messages = Array.from({ length: 30 }, (_, i) => message(`number ${i}`));
    const output = { mode: "read", path: row.path, totalMessages: 30, messages, branchTip: null } as const;
    const text = draw(update(shown, { type: "preview", preview: { row, output } }), 60, 20)
      .map(textOf)
      .join("\n");
    expect(text).toContain("number 29");
    expect(text).not.toContain("number 0");
  });

  test("every key is named at 60 columns", () => {
    const text = draw(initialState(PLACE, ""), 60, 20).map(textOf).join("\n");
    for (const [key, effect] of HINTS) expect(text).toContain(`${key} ${effect}`);
  });

  test("the cursor of a long query stays in sight", () => {
    const state = { ...initialState(PLACE, ""), input: inputOf(`${"a".repeat(300)} tail`) };
    const inputOn = (lines: readonly string[]) => (lines[1] ?? "").replace("\u001b_pi:c\u0007", "");
    expect(inputOn(draw(state, 60, 20, NAMED))).toContain("aa tail[ ]");
    const middle = { ...state, input: { ...state.input, cursor: 100 } };
    expect(inputOn(draw(middle, 60, 20, NAMED))).toContain("aa[a]aa");
  });
});

describe("what sessions hold", () => {
  const anyText = fc.oneof(hostileText, fc.string({ unit: "binary", maxLength: 60 }));
  const anyHit = fc.record({
    name: anyText,
    cwd: anyText,
    snippet: anyText,
    path: anyText,
    error: anyText,
    query: anyText,
  });

  test("never reaches the terminal as a control, and no line is wider than asked", () => {
    fc.assert(
      fc.property(
        anyHit,
        fc.constantFrom(...SIZES),
        ({ name, cwd, snippet, path, error, query }, [width, height]) => {
          const row = hit(1, { name, cwd, snippet, path });
          const messages = [
            message(name, { anchor: true, toolName: cwd }),
            message(snippet, { role: "toolResult", toolName: cwd }),
          ];
          const shown = withHits([row], messages);
          const failed = update(initialState(PLACE, query), { type: "failure", ticket: 1, error });
          for (const state of [shown, { ...shown, input: inputOf(query) }, failed]) {
            for (const line of draw(state, width, height)) {
              expect(textOf(line)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
              expect(visibleWidth(line)).toBe(width);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("breaking a line strictly", () => {
  const words = fc.array(fc.constantFrom("a", "word", "日本語", "x".repeat(30), "👩🏽", " ", "e\u0301"), {
    maxLength: 12,
  });

  test("loses nothing but spaces at breaks, and no piece is too wide", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), fc.nat({ max: 4 }), (parts, columns, indent) => {
        const text = " ".repeat(indent) + parts.join(" ");
        const pieces = wrapStrictly(text, columns);
        for (const piece of pieces) expect(columnsOf(piece)).toBeLessThanOrEqual(columns);
        expect(pieces.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
      { numRuns: 1_000 },
    );
  });

  test("keeps the indent and begins no line with nothing", () => {
    expect(wrapStrictly(`  ${"x".repeat(12)} yy`, 10)).toEqual(["  xxxxxxxx", "  xxxx yy"]);
    expect(wrapStrictly("one two three", 8)).toEqual(["one two", "three"]);
  });
});

describe("columns", () => {
  test("are counted as Pi counts them", () => {
    const pieces = fc.constantFrom(..."aé日本한ก็ำ❤️👩🏽🇩🇪ﾊﾞ1️⃣नमस्ते\u0301\u200d", "👩‍👩‍👧", "\u1100\u1161\u11a8");
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 8 });
    fc.assert(
      fc.property(text, (parts) => {
        const shown = visible(parts.join(""));
        expect(columnsOf(shown)).toBe(visibleWidth(shown));
      }),
      { numRuns: 3_000 },
    );
  });
});
