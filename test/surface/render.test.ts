import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import { listSessions } from "../../src/list/listSessions.ts";
import type { EntryWarningCode, SessionEntry, SessionMetadata } from "../../src/model.ts";
import { renderEntries, renderSessions } from "../../src/surface/render.ts";
import { createListSessionsTool, createSessionEntriesTool } from "../../src/surface/tools.ts";
import { invisibleIn } from "../support/cli.ts";
import { hostileText } from "../support/hostile-text.ts";
import { generated, generatedPath } from "../support/samples.ts";

const session = (path: string, ...subagentSessions: SessionMetadata[]): SessionMetadata => ({
  ...{ id: path, path, timestamp: "2026-05-01", cwd: "/srv", subagentSessions },
});
const row = (fields: Partial<SessionEntry>): SessionEntry => ({
  ...{
    lineNo: 2,
    id: null,
    parentId: null,
    timestamp: "2026-05-01",
    type: "custom",
    messageRole: null,
    text: null,
    raw: {},
  },
  ...fields,
});

describe("rendered sessions", () => {
  test("count the top level, indent children by two spaces a level, and end with the warnings", () => {
    const sessions = [session("/a", session("/a/b", session("/a/b/c")), session("/a/d")), session("/e")];
    const warnings = [
      { path: "/f", reason: "file is empty" },
      { path: "/g", reason: "odd: very" },
    ];
    expect(renderSessions({ sessions, warnings }).split("\n")).toEqual([
      ...["Sessions (2)", "- /a", "  - /a/b", "    - /a/b/c", "  - /a/d", "- /e"],
      ...["", "Warnings (2)", "- /f: file is empty", "- /g: odd: very"],
    ]);
  });

  test("without rows or warnings are one line", () => {
    expect(renderSessions({ sessions: [], warnings: [] })).toBe("Sessions (0)");
  });

  test("are never cut", () => {
    const sessions = Array.from({ length: 5000 }, (_, i) => session(`/${"x".repeat(300)}/${i}`));
    const lines = renderSessions({ sessions, warnings: [], nextCursor: "c" }).split("\n");
    expect(lines.slice(1)).toEqual(sessions.map(({ path }) => `- ${path}`));
  });
});

describe("rendered entries", () => {
  test("are an index of line, type, role and id, a null column left out, and never a payload", () => {
    const entries = [
      row({
        lineNo: 2,
        type: "message",
        messageRole: "user",
        id: "a",
        text: "payload",
        raw: { secret: "payload" },
      }),
      row({ lineNo: 3, type: "label", id: "b" }),
      row({ lineNo: 40, type: "message", messageRole: "user" }),
      row({ lineNo: 41 }),
    ];
    const warnings = [
      { lineNo: null, code: "legacy_version" as EntryWarningCode, reason: "old" },
      { lineNo: 7, code: "invalid_json" as EntryWarningCode, reason: "bad" },
    ];
    expect(renderEntries({ entries, warnings, nextLineNo: 42 }).split("\n")).toEqual([
      ...["Entries (4)", "- 2 message user a", "- 3 label b", "- 40 message user", "- 41 custom"],
      ...["", "Warnings (2)", "- file legacy_version: old", "- line 7 invalid_json: bad"],
    ]);
    expect(renderEntries({ entries: [], warnings: [] })).toBe("Entries (0)");
  });
});

test("no path, id, type, role or reason can add a line or drive the display", () => {
  fc.assert(
    fc.property(
      fc.array(hostileText, { minLength: 6, maxLength: 6 }),
      ([a = "", b = "", c = "", d = "", e = "", f = ""]) => {
        const sessions = renderSessions({
          sessions: [session(a, session(b))],
          warnings: [{ path: c, reason: d }],
        });
        const entries = renderEntries({
          entries: [row({ type: a, messageRole: b, id: c, text: d, raw: { e } })],
          warnings: [{ lineNo: 3, code: "invalid_json", reason: f }],
        });
        expect(sessions.split("\n")).toHaveLength(6);
        expect(entries.split("\n")).toHaveLength(5);
        expect(invisibleIn(sessions + entries)).toBeUndefined();
      },
    ),
    { numRuns: 500 },
  );
});

describe("a tool's content is the rendering of its structuredContent, which is what the library returns", () => {
  const options = { sessionsRoot: generatedPath(generated.root) };

  test("for the whole generated store", async () => {
    const { content, structuredContent, details } = await createListSessionsTool(options).execute("id", {});
    expect(structuredContent).toEqual(await listSessions({}, options));
    expect(details).toEqual(structuredContent);
    expect(content).toEqual([{ type: "text", text: renderSessions(structuredContent) }]);
  });

  test("for each of its files", async () => {
    for (const { path, reject } of generated.entries) {
      if (reject !== null) continue;
      const params = { sessionPath: generatedPath(path) };
      const { content, structuredContent, details } = await createSessionEntriesTool(options).execute(
        "id",
        params,
      );
      expect(structuredContent).toEqual(await readSessionEntries(params, options));
      expect(details).toEqual(structuredContent);
      expect(content).toEqual([{ type: "text", text: renderEntries(structuredContent) }]);
      expect(invisibleIn(content.map(({ text }) => text).join("\n"))).toBeUndefined();
    }
  });
});
