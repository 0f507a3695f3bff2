import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { IndexDatabase } from "../../src/index/database.ts";
import { fold } from "../../src/index/fold.ts";
import { openIndex } from "../../src/index/open.ts";
import { syncIndex } from "../../src/index/sync.ts";
import { browse } from "../../src/search/browse.ts";
import { discover } from "../../src/search/discovery.ts";
import { parseQuery } from "../../src/search/grammar.ts";
import { findMatches } from "../../src/search/match.ts";
import { MessageSet } from "../../src/search/messageSet.ts";
import { readerOf } from "../../src/search/reader.ts";
import { scanStore } from "../../src/search/scan.ts";
import type { SearchView } from "../../src/search/view.ts";
import { oracleMatches } from "./oracle.ts";

const everywhere = {
  limit: 10,
  cwdFilter: { directories: undefined, match: "exact" },
  timeRange: { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY },
} as const;
const anyone = { isAllowed: () => true };

const TEXTS = [
  "ECONNREFUSED in foo.bar(1), see session_search",
  "the Migration of naïve C# code: TODO: fix it, don’t wait",
  "配置文件 and 配置x, ΣΑΣ, 👩‍💻 emoji 😀, 100% a_b \\d+",
  `NUL\0here and a lone \ud800 surrogate, ${"long".repeat(2500)} end`,
  'say "quoted words" and it\'s %like_ stuff\n\n  on lines',
  "go CI go, ing things being done; 'the' the THE",
];
const QUERIES = [
  "onnre",
  "session_sea",
  "igrat",
  "foo.bar(",
  "C#",
  "go",
  "CI",
  "配置",
  "TODO: fix",
  "don't",
  "naive",
  "😀",
  "👩",
  "100%",
  "a_b",
  "\\d",
  "%",
  "_",
  '"quoted words"',
  '"quoted',
  "NEAR(go ci, 3)",
  "NEAR(foo search, 9)",
  "nul here",
  "ing",
  "e",
  "longlonglong",
  "migr*",
  "the NOT go",
  "NOT the",
  "σας",
  "go OR 配",
  "it's %like",
  "'",
  "x",
  "longend",
  "ong end",
  "\ufffd",
  "(go OR naive) AND ing",
];

let root: string;
let index: IndexDatabase;

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), "retrospect-rows-"));
  index = await openIndex(path.join(root, "index", "index.db"));
});

afterEach(() => {
  index.close();
  rmSync(root, { recursive: true });
});

const pathOf = (name: string) => path.join(root, "--work-app--", `${name}.jsonl`);
const messageLine = (n: number, text: string) =>
  JSON.stringify({
    type: "message",
    id: `id${n}`,
    parentId: null,
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    message: { role: n % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text }] },
  });

function write(name: string, texts: readonly string[]): void {
  const header = {
    type: "session",
    version: 3,
    id: name,
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: "/work/app",
  };
  const lines = [JSON.stringify(header), ...texts.map((text, n) => messageLine(n, text))];
  mkdirSync(path.dirname(pathOf(name)), { recursive: true });
  writeFileSync(pathOf(name), `${lines.join("\n")}\n`);
}

const sync = () => syncIndex(index, { roots: [root] });
const search = (query: string) =>
  readerOf(index).read([root], (view) => discover(view, { ...everywhere, query }, anyone));

/** The messages that a view finds, as `path:line`. */
function foundIn(view: SearchView, query: string, maxWords: number): readonly string[] {
  const eligible = new MessageSet(view.messages.count);
  for (let i = 0; i < view.messages.count; i++) eligible.add(i);
  const { root: node } = parseQuery(query);
  const positions =
    node === undefined
      ? []
      : findMatches(node, view, eligible, { maxExpandedWords: maxWords }).messages.positions();
  return Array.from(positions, (position) => {
    const session = view.sessions[view.messages.sessionOf[position] ?? -1];
    return `${session?.path}:${view.sourceAt(position)?.lineNo}`;
  }).sort();
}

function expectedIn(store: Readonly<Record<string, readonly string[]>>, query: string): readonly string[] {
  const { root: node } = parseQuery(query);
  return Object.entries(store)
    .flatMap(([name, texts]) =>
      texts.flatMap((text, n) => (oracleMatches(node, fold(text)) ? [`${pathOf(name)}:${n + 2}`] : [])),
    )
    .sort();
}

async function expectEqual(store: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const scan = await scanStore({ roots: [root], excludePrefixes: [], budgetMs: 60_000, ...anyone });
  for (const query of QUERIES) {
    const expected = expectedIn(store, query);
    for (const maxWords of [0, 2, 200]) {
      readerOf(index).read([root], (view) =>
        expect([query, foundIn(view, query, maxWords)]).toEqual([query, expected]),
      );
    }
    expect([query, foundIn(scan.view, query, 200)]).toEqual([query, expected]);
  }
}

describe("the index and the scan of files", () => {
  test("find the messages that the oracle finds, after any change of the store", async () => {
    write("a", TEXTS);
    write("b", [...TEXTS].reverse());
    await sync();
    await expectEqual({ a: TEXTS, b: [...TEXTS].reverse() });

    appendFileSync(pathOf("a"), `${messageLine(6, "an appended go word")}\n`);
    write("b", ["rewritten 配置", "x"]);
    write("c", ["new C# one"]);
    await sync();
    await expectEqual({
      a: [...TEXTS, "an appended go word"],
      b: ["rewritten 配置", "x"],
      c: ["new C# one"],
    });

    rmSync(pathOf("a"));
    await sync();
    await expectEqual({ b: ["rewritten 配置", "x"], c: ["new C# one"] });
  });

  test("give equal answers", async () => {
    write("a", TEXTS);
    write("b", ["go on", "then", ...TEXTS]);
    await sync();
    const { view } = await scanStore({ roots: [root], excludePrefixes: [], budgetMs: 60_000, ...anyone });
    for (const query of [...QUERIES, "how does migrating code wait"]) {
      expect(discover(view, { ...everywhere, query }, anyone)).toEqual(search(query));
    }
  });
});

describe("a hit", () => {
  test("shows the raw text, or the folded one when the file has changed since", async () => {
    write("a", ["The Migration"]);
    await sync();
    expect(search("migration").results[0]).toMatchObject({
      snippet: "The «Migration»",
      lineNo: 2,
      matchMessageId: "id0",
    });
    write("a", ["Another text"]);
    expect(search("migration").results[0]?.snippet).toBe("the «migration»");
  });

  test("of a file that has gone is dropped", async () => {
    write("a", ["needle"]);
    await sync();
    rmSync(pathOf("a"));
    expect(search("needle").results).toEqual([]);
  });

  test("of a subagent session names the session that launched it", async () => {
    write("a", ["x"]);
    const child = path.join(root, "--work-app--", "a", "run", "run-0", "session.jsonl");
    mkdirSync(path.dirname(child), { recursive: true });
    const header = {
      type: "session",
      version: 3,
      id: "c",
      timestamp: "2026-01-01T00:00:00.000Z",
      cwd: "/work/app",
    };
    writeFileSync(child, `${JSON.stringify(header)}\n${messageLine(0, "needle")}\n`);
    await sync();
    expect(search("needle").results[0]).toMatchObject({ path: child, parentPath: pathOf("a") });
    const { view } = await scanStore({ roots: [root], excludePrefixes: [], budgetMs: 60_000, ...anyone });
    expect(discover(view, { ...everywhere, query: "needle" }, anyone)).toEqual(search("needle"));
    const rows = readerOf(index).readSessions([root], (sessions, detailsOf) =>
      browse(sessions, everywhere, anyone, detailsOf),
    );
    expect(rows.map((row) => [row.path, row.subagents, row.messageCount, row.preview])).toEqual([
      [pathOf("a"), 1, 1, "x"],
    ]);
  });
});

describe("a scan", () => {
  test("names the files that it did not reach in time, and reads no more than the header of a denied one", async () => {
    write("a", ["needle"]);
    const late = await scanStore({ roots: [root], excludePrefixes: [], budgetMs: -1, ...anyone });
    expect(late.unreachedPaths).toEqual([pathOf("a")]);
    const denied = await scanStore({
      roots: [root],
      excludePrefixes: [],
      budgetMs: 60_000,
      isAllowed: () => false,
    });
    expect(denied.view.messages.count).toBe(0);
    const excluded = await scanStore({
      roots: [root],
      excludePrefixes: ["--work-"],
      budgetMs: 60_000,
      ...anyone,
    });
    expect(excluded.view.sessions).toEqual([]);
    expect(excluded.isComplete).toBe(true);
  });

  test("rejects with the reason of an abort", async () => {
    write("a", ["needle"]);
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(
      scanStore({ roots: [root], excludePrefixes: [], budgetMs: 1, ...anyone, signal }),
    ).rejects.toThrow("stop");
  });
});
