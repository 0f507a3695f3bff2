/**
 * Under an allowlist a store must answer as if what is denied did not exist. Random stores are asked everything, then
 * the denied files are deleted and the same questions are asked again: results and errors must be equal.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listSessions, readSessionEntries, searchSessions } from "../../src/index.ts";

const ALLOWED = [["app", "tool"]];
const cwds = [
  "/r/app",
  "/r/app-fix",
  "/r/application",
  "/s/secret",
  "/r/app/",
  "/",
  "",
  "C:\\r\\app",
  "/r/tool",
  7,
];

interface Node {
  readonly cwd: string | number;
  readonly header: "good" | "torn" | "empty" | "no-id" | "other-type";
  readonly children: readonly Node[];
}

const node: fc.Memo<Node> = fc.memo((depth) =>
  fc.record({
    cwd: fc.constantFrom(...cwds),
    header: fc.constantFrom("good", "good", "good", "torn", "empty", "no-id", "other-type"),
    children: depth <= 1 ? fc.constant([]) : fc.array(node(depth - 1), { maxLength: 2 }),
  }),
);

function contentOf({ cwd, header }: Node): string {
  if (header === "empty") return "";
  const fields = {
    type: header === "other-type" ? "other" : "session",
    version: 3,
    timestamp: "2026-01-01T00:00:00Z",
    cwd,
  };
  const line = JSON.stringify(header === "no-id" ? fields : { ...fields, id: "s" });
  const entry = {
    type: "message",
    id: "e1",
    parentId: null,
    timestamp: "2026-01-01T00:00:01Z",
    message: {
      role: "user",
      content: `hi backoff ${String(cwd)} ${"retry ".repeat(String(cwd).length % 4)}`,
    },
  };
  return header === "torn" ? line.slice(0, -5) : `${line}\n${JSON.stringify(entry)}\n`;
}

/** What the contract denies: no usable allowed project in the header, or a denied launcher. */
function isDenied({ cwd, header }: Node): boolean {
  if (header === "torn" || header === "empty" || header === "other-type" || typeof cwd !== "string")
    return true;
  const project = cwd.split(/[/\\]/).findLast((segment) => segment !== "");
  return (
    project === undefined || !ALLOWED[0]?.some((name) => project === name || project.startsWith(`${name}-`))
  );
}

interface Written {
  readonly all: string[];
  readonly denied: string[];
}

function write(node: Node, file: string, isHidden: boolean, written: Written): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, contentOf(node));
  const hidden = isHidden || isDenied(node);
  written.all.push(file);
  if (hidden) written.denied.push(file);
  node.children.forEach((child, i) => {
    write(child, path.join(file.slice(0, -".jsonl".length), `run-${i}`, "session.jsonl"), hidden, written);
  });
}

async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

async function askEverything(root: string, paths: readonly string[], indexPath: string): Promise<unknown> {
  const options = { sessionsRoot: root, allowedProjects: ALLOWED };
  const lists = [
    {},
    { includeOrphans: true },
    { limit: 1 },
    { sortBy: "cwd", sortDirection: "desc", limit: 2 },
    { cwds: ["/s/secret"] },
    { cwds: ["/r/app"], cwdMatch: "sibling-prefix" },
  ] as const;
  const answers: unknown[] = [];
  for (const params of lists) answers.push(await outcome(() => listSessions(params, options)));
  for (const sessionPath of paths) {
    for (const extra of [{}, { branch: "active" }, { branch: "e1" }, { branch: "nope" }, { limit: 1 }]) {
      answers.push([
        sessionPath,
        await outcome(() => readSessionEntries({ sessionPath, ...extra }, options)),
      ]);
    }
  }
  const searches = [
    { query: "backoff", limit: 10 },
    { query: "retry backoff" },
    { query: "nothing like this hi" },
    { query: "secret" },
    { query: "hi", cwds: ["/s/secret"] },
    { limit: 10 },
    { operation: "prepare-pattern-miner", scope: "all" } as const,
    ...paths.flatMap((sessionId) => [
      { sessionId },
      { sessionId, aroundMessageId: "e1" },
      { sessionId, aroundMessageId: "x" },
    ]),
  ];
  for (const params of searches) {
    for (const place of [{ ...options, indexPath }, options]) {
      answers.push(await outcome(() => searchSessions(params, { ...place, syncBudgetMs: 60_000 })));
    }
  }
  return answers;
}

describe("allowed projects", () => {
  it.each(["files", "files and the directories they leave empty"])(
    "a denied session cannot be told from one that does not exist (without its %s)",
    async (removed) => {
      await fc.assert(
        fc.asyncProperty(fc.array(node(3), { minLength: 1, maxLength: 4 }), async (nodes) => {
          const root = mkdtempSync(path.join(tmpdir(), "pi-retrospect-access-"));
          const indexes = mkdtempSync(path.join(tmpdir(), "pi-retrospect-index-"));
          try {
            const written: Written = { all: [], denied: [] };
            nodes.forEach((top, i) => {
              write(top, path.join(root, `--p${i % 2}--`, `s${i}.jsonl`), false, written);
            });
            const hostile = written.all.flatMap((file) => [
              file,
              `${path.dirname(file)}/./x/../${path.basename(file)}`,
              path.dirname(file),
              `${file}/`,
              file.slice(0, -".jsonl".length),
              `${file}.missing`,
            ]);
            const before = await askEverything(root, hostile, path.join(indexes, "one.db"));
            for (const file of written.denied) rmSync(file);
            if (removed !== "files") removeEmptyDirectories(root, root);
            expect(await askEverything(root, hostile, path.join(indexes, "one.db"))).toEqual(before);
            expect(await askEverything(root, hostile, path.join(indexes, "two.db"))).toEqual(before);
          } finally {
            rmSync(root, { recursive: true, force: true });
            rmSync(indexes, { recursive: true, force: true });
          }
        }),
        { numRuns: 20 },
      );
    },
  );

  it("an allowed session is reached, so the comparison is not one of empty answers", async () => {
    const root = mkdtempSync(path.join(tmpdir(), "pi-retrospect-access-"));
    try {
      const written: Written = { all: [], denied: [] };
      const child: Node = { cwd: "/r/tool", header: "good", children: [] };
      const file = path.join(root, "--p--", "s.jsonl");
      write({ cwd: "/r/app-fix", header: "good", children: [child] }, file, false, written);
      const options = { sessionsRoot: root, allowedProjects: ALLOWED };
      const { sessions } = await listSessions({}, options);
      expect(sessions).toMatchObject([{ path: file, subagentSessions: [{ cwd: "/r/tool" }] }]);
      expect((await readSessionEntries({ sessionPath: file }, options)).entries).toHaveLength(1);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it.each([
    [undefined, true],
    [[["*"]], true],
    [[[]], false],
    [[["app"]], true],
    [[["application"]], false],
    [[["App"]], false],
    [[["app"], ["*"]], true],
    [[["app"], ["other"]], false],
    [[["*"], []], false],
  ])("the lists %j allow /r/app: %s", async (allowedProjects, isReached) => {
    const root = mkdtempSync(path.join(tmpdir(), "pi-retrospect-access-"));
    try {
      write({ cwd: "/r/app", header: "good", children: [] }, path.join(root, "--p--", "s.jsonl"), false, {
        all: [],
        denied: [],
      });
      const { sessions } = await listSessions({}, { sessionsRoot: root, allowedProjects });
      expect(sessions.length === 1).toBe(isReached);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

function removeEmptyDirectories(directory: string, root: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyDirectories(path.join(directory, entry.name), root);
  }
  if (directory !== root && readdirSync(directory).length === 0) rmdirSync(directory);
}
