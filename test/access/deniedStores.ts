/** Random stores of which an allowlist denies a part, and every question that can be asked of one. */
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { listSessions, readSessionEntries, searchSessions } from "../../src/index.ts";
import { inlineEngine } from "../../src/surface/inlineEngine.ts";
import { runSearch } from "../../src/surface/search.ts";

export const ALLOWED = [["app", "tool"]];
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

export interface Node {
  readonly cwd: string | number;
  readonly header: "good" | "torn" | "empty" | "no-id" | "other-type";
  readonly children: readonly Node[];
}

export const node: fc.Memo<Node> = fc.memo((depth) =>
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

export interface Written {
  readonly all: string[];
  readonly denied: string[];
}

export function write(node: Node, file: string, isHidden: boolean, written: Written): void {
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

export async function askEverything(
  root: string,
  paths: readonly string[],
  indexPath: string,
): Promise<unknown> {
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
      const forPeople = { ...place, syncBudgetMs: 60_000, forPeople: true };
      const engine = inlineEngine("indexPath" in place ? place.indexPath : undefined);
      answers.push(await outcome(() => runSearch(params, forPeople, engine)));
    }
  }
  return answers;
}

export function removeEmptyDirectories(directory: string, root: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyDirectories(path.join(directory, entry.name), root);
  }
  if (directory !== root && readdirSync(directory).length === 0) rmdirSync(directory);
}
