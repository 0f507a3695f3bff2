import { describe, expect, test } from "vitest";
import { listSessions } from "../../src/list/listSessions.ts";
import {
  HEADER_READ_BYTES,
  MAX_HEADER_LINE_BYTES,
  parseFileVersion,
  parseListedHeader,
} from "../../src/session/header.ts";
import { entry, header, scratch } from "../support/stores.ts";

/** What listing makes of a file with these bytes: the id of its row, or the reason of its warning. */
function judge(content: string | Uint8Array): { id: string } | { reason: string } {
  const bytes = Buffer.from(content as string);
  const buffer = Buffer.alloc(HEADER_READ_BYTES, "#"); // what an earlier, longer file left behind
  const filled = bytes.copy(buffer, 0, 0, HEADER_READ_BYTES);
  const parsed = parseListedHeader(buffer, filled);
  return parsed.ok ? { id: parsed.value.id } : { reason: parsed.reason };
}

/** A header of exactly `bytes` bytes, padded inside an unknown field. */
function headerOfBytes(bytes: number): string {
  const filler = "é".repeat(100); // two bytes each
  const bare = Buffer.byteLength(header({ filler }));
  return header({ filler: filler + "x".repeat(bytes - bare) });
}

describe("the length of line 1", () => {
  const rest = entry("a", null);
  test.each([
    ["LF", (size: number) => `${headerOfBytes(size)}\n${rest}\n`],
    ["a CR that counts, LF", (size: number) => `${headerOfBytes(size - 1)}\r\n${rest}\n`],
    ["a lone CR", (size: number) => `${headerOfBytes(size)}\r${rest}\r`],
    ["a BOM that counts, LF", (size: number) => `\ufeff${headerOfBytes(size - 3)}\n${rest}\n`],
    ["a BOM and a CR that count, LF", (size: number) => `\ufeff${headerOfBytes(size - 4)}\r\n${rest}\n`],
    ["the end of the file", (size: number) => headerOfBytes(size)],
    ["the end of the file after a BOM", (size: number) => `\ufeff${headerOfBytes(size - 3)}`],
  ])("of 4,096 bytes is accepted and of 4,097 skipped, before %s", (_what, fileOfSize) => {
    expect(MAX_HEADER_LINE_BYTES).toBe(4096);
    expect(judge(fileOfSize(4095))).toEqual({ id: "s" });
    expect(judge(fileOfSize(4096))).toEqual({ id: "s" });
    for (const size of [4097, 4098, 4099, 9000]) {
      expect(judge(fileOfSize(size))).toEqual({ reason: "first line is longer than 4096 bytes" });
    }
  });

  test("is judged before anything that stands in it", () => {
    expect(judge("x".repeat(5000))).toEqual({ reason: "first line is longer than 4096 bytes" });
    expect(judge(" ".repeat(5000))).toEqual({ reason: "first line is longer than 4096 bytes" });
  });
});

const FAULTS: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
  "file is empty": [""],
  "first line is blank": ["\n", "\r\n", "\r", ` \t\n${header()}`, `\n${header()}\n`, "\ufeff", "\ufeff\n"],
  "first line is not JSON": [
    "{",
    "hello\n",
    "\0\0\0\n",
    `\ufeff\ufeff${header()}\n`,
    `${header()}${header()}\n`,
    `${header()},`,
  ],
  "first line is not a JSON object": ["[]", '"session"', "3\n", "null", "true\n"],
  'first line must have the type "session"': [
    header({ type: "message" }),
    header({ type: "Session" }),
    header({ type: undefined }),
    header({ type: ["session"] }),
    header({ type: "", id: "" }),
  ],
  "header id must be": [
    header({ id: undefined }),
    header({ id: "" }),
    header({ id: 7 }),
    header({ id: null, cwd: "" }),
  ],
  "header cwd must be": [
    header({ cwd: undefined }),
    header({ cwd: "" }),
    header({ cwd: 7 }),
    header({ cwd: [] }),
  ],
  "header timestamp must be": [undefined, "", "soon", "2026-13-01", 1777622400000, null, {}].map(
    (timestamp) => header({ timestamp }),
  ),
  "header parentSession must be": [null, 7, {}, [], false].map((parentSession) => header({ parentSession })),
};

describe("a faulty header", () => {
  test.each(Object.entries(FAULTS))("has a reason of its own: %s", (reason, contents) => {
    for (const content of contents) {
      const judged = judge(content);
      expect(judged).toEqual({ reason: expect.stringMatching(new RegExp(`^${reason}`)) });
      const others = Object.keys(FAULTS).filter(
        (other) => "reason" in judged && judged.reason.startsWith(other),
      );
      expect(others).toContain(reason);
    }
  });

  test("costs exactly one warning and no row, and a good one a row and no warning", async () => {
    const tree = scratch();
    const bad = Object.values(FAULTS).flat();
    const badPaths = bad.map((content, i) => tree.write(`--p--/bad-${i}.jsonl`, content)).sort();
    const good = [
      header(),
      header({ parentSession: "" }),
      header({ cwd: "relative" }),
      header({ version: "odd" }),
    ];
    const goodPaths = good.map((content, i) => tree.write(`--p--/good-${i}.jsonl`, content)).sort();
    const { sessions, warnings } = await listSessions({ sortBy: "path" }, { sessionsRoot: tree.directory });
    expect(sessions.map((row) => row.path)).toEqual(goodPaths);
    expect(warnings.map((warning) => warning.path)).toEqual(badPaths);
  });

  test("never gets a reason longer than a line, whatever it holds", () => {
    for (const content of [
      header({ type: "x".repeat(3000) }),
      header({ id: 7, cwd: "y".repeat(3000) }),
      "z".repeat(4000),
    ]) {
      const judged = judge(content);
      expect("reason" in judged && judged.reason.length < 300 && !judged.reason.includes("\n")).toBe(true);
    }
  });
});

describe("a good header", () => {
  test("is returned verbatim: time, working directory and parent as stored", () => {
    const stored = { timestamp: "2026-02-30T10:00:00.000Z", cwd: "C:\\src\\ app/../", id: " s\u0000 " };
    const bytes = Buffer.from(header({ ...stored, parentSession: "../not resolved" }));
    expect(parseListedHeader(bytes, bytes.length)).toEqual({
      ok: true,
      value: {
        ...stored,
        timestampMs: Date.parse("2026-03-02T10:00:00Z"),
        parentSessionPath: "../not resolved",
      },
    });
  });

  test("with an empty parentSession has no parent", () => {
    const bytes = Buffer.from(header({ parentSession: "" }));
    const parsed = parseListedHeader(bytes, bytes.length);
    expect(parsed.ok && "parentSessionPath" in parsed.value).toBe(false);
  });
});

describe("the version of a file that is read", () => {
  test("is 1 when none is stored, else a positive integer", () => {
    expect(parseFileVersion('{"type":"session"}')).toEqual({ ok: true, value: 1 });
    for (const version of [1, 2, 3, 99])
      expect(parseFileVersion(header({ version }))).toEqual({ ok: true, value: version });
    for (const version of [0, -1, 1.5, "3", true, null, [3], {}]) {
      expect(parseFileVersion(header({ version }))).toEqual({
        ok: false,
        reason: expect.stringContaining("version"),
      });
    }
  });

  test("is known although listing refuses the header", () => {
    for (const fields of [
      { cwd: "" },
      { id: undefined },
      { timestamp: "soon" },
      { filler: "x".repeat(9000) },
    ]) {
      expect(parseFileVersion(header(fields))).toEqual({ ok: true, value: 3 });
    }
    expect(parseFileVersion(undefined)).toMatchObject({ ok: false });
  });
});
