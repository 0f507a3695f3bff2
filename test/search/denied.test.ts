/**
 * What may not be seen changes nothing, however its words crowd the dictionary: what is found, in which order, and
 * what is shown of it. Stores that random ones do not become: more words than a list of them is looked at.
 */
import { describe, expect, test } from "vitest";
import { discover } from "../../src/search/discovery.ts";
import { MAX_EXPANDED_WORDS } from "../../src/search/match.ts";
import { type HeldSession, MemoryView } from "../../src/search/memoryView.ts";
import { heldSession } from "./stores.ts";

const MORE = MAX_EXPANDED_WORDS + 10;
const DENIED_CWD = "/work/denied";

function answer(sessions: readonly HeldSession[], query: string): unknown {
  const request = {
    query,
    limit: 10,
    cwdFilter: { directories: undefined, match: "exact" },
    timeRange: { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY },
  } as const;
  const viewer = { isAllowed: (cwd: string | null) => cwd !== DENIED_CWD, isBounded: true };
  return discover(new MemoryView(sessions), request, viewer);
}

const many = (text: (i: number) => string) => Array.from({ length: MORE }, (_, i) => text(i));
const sessionsOf = (texts: readonly string[]) => texts.map((text, i) => heldSession(i, [text]));
const fillers = Array.from({ length: 20 }, () => "nothing of it");
/** CJK characters around a word show no borders. */
const glued = (i: number) => `配${String.fromCodePoint(0x4e00 + i)}api置`;
const repeated = `${"running x ".repeat(3000)}${"runs y ".repeat(3000)}needleword runs`;

describe("a denied session", () => {
  test.each([
    [
      "by being there, words that contain a word of a loose query",
      many((i) => `x${String(i).padStart(3, "0")}retry`),
      "retry zzz",
      ["hi"],
    ],
    ["by being there, words glued to a script without spaces", many(glued), "api", ["hi"]],
    [
      "by its words, which term of an alternative is looked up in texts",
      ["xgammax secreto", "xgammax plain", "xalphax secreto", ...fillers],
      "(alpha ret) OR gamma",
      many((i) => `x${i}rety`),
    ],
    [
      "by its words, which term of a conjunction is looked up first",
      ["xgammax shor", "xgammax plai", ...fillers],
      "(longestest shor) OR gamma",
      many((i) => `x${i}longestesty`),
    ],
    ["by its inflections, which occurrences are looked at", [repeated], "running needleword zzz", ["run"]],
  ])("does not change, %s", (_, texts, query, deniedTexts) => {
    const sessions = sessionsOf(texts);
    const denied = heldSession(999, deniedTexts, { cwd: DENIED_CWD });
    expect(answer([...sessions, denied], query)).toEqual(answer(sessions, query));
  });
});
