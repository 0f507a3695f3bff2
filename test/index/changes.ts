/** What can happen to a store, as arbitrary steps; and what reading it afterwards shows, to compare an index with. */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { readSessionEntries } from "../../src/entries/readSessionEntries.ts";
import type { Row } from "../../src/index/database.ts";
import { fold } from "../../src/index/fold.ts";
import { KINDS } from "../../src/index/schema.ts";
import { headerLine, messageLine } from "./content.ts";

const word = fc.constantFrom(
  "deploy",
  "Größe",
  "ECONNREFUSED",
  "session_search",
  "配置",
  "go",
  "naïve",
  "🚀",
  "a.b(c)",
);
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
const id = fc.integer({ min: 0, max: 40 }).map((n) => `id${n}`);

const entryLine = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(id, fc.constantFrom("user", "assistant"), text)
      .map(([i, r, t]) => messageLine(i, r, t)),
  },
  { weight: 2, arbitrary: fc.tuple(id, text).map(([i, t]) => messageLine(i, "toolResult", t)) },
  fc.tuple(id, text).map(([i, name]) =>
    JSON.stringify({
      type: "session_info",
      id: i,
      parentId: null,
      timestamp: "2026-02-30T00:00:00Z",
      name,
    }),
  ),
  fc.tuple(id, id, text).map(([a, b, t]) => messageLine(a, "toolResult", t) + messageLine(b, "user", t)),
  fc.constantFrom("", "{", "[]", '{"type":"message"}', "null", "\u2028", headerLine()),
);
const lineBreak = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");
const lines = fc
  .array(fc.tuple(entryLine, lineBreak), { minLength: 1, maxLength: 6 })
  .map((all) => all.flat().join(""));
const header = fc.constantFrom(
  headerLine(),
  headerLine(),
  headerLine({ version: 1, cwd: "" }),
  "no session",
  `\ufeff${headerLine()}`,
);
/** Some continue a line that was left without its break, or end a CRLF. */
const appended = fc.tuple(fc.constantFrom("", "", "\n", "\r\n"), lines).map((both) => both.join(""));
const bare = fc.tuple(appended, entryLine).map((both) => both.join(""));
const content = fc.tuple(header, lines).map(([first, rest]) => `${first}\n${rest}`);
const at = fc.nat({ max: 5 });

export type Step = { readonly op: string; readonly at: number; readonly text: string; readonly part: number };
export const step: fc.Arbitrary<Step> = fc.record({
  op: fc.constantFrom(
    "append",
    "append",
    "append",
    "tear",
    "complete",
    "rewriteSameSize",
    "date",
    "restoreTime",
    "truncate",
    "regrow",
    "replace",
    "delete",
    "create",
    "create",
    "createSubagent",
    "renameProject",
    "sync",
    "sync",
    "sync",
    "peek",
  ),
  at,
  text: fc.oneof(appended, bare, content),
  part: fc.nat({ max: 100 }),
});

/** Regular files; neither links nor what lies behind one. */
export function filesUnder(root: string): readonly string[] {
  const real = realpathSync(root);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .filter((name) => lstatSync(path.join(root, name)).isFile())
    .filter((name) => realpathSync(path.join(root, name)) === path.join(real, name))
    .map((name) => path.join(root, name));
}

/** A whole one, which can be restored exactly. */
const SECOND = 1_767_000_000;
const torn = new Map<string, string>();
let created = 0;

/** Before a sequence that is to replay: names count what was created. */
export function resetChanges(): void {
  torn.clear();
  created = 0;
}

/** Changes the store as one step says. */
export function apply(root: string, { op, at, text, part }: Step): void {
  const files = filesUnder(root);
  const file = files[at % Math.max(1, files.length)];
  const fraction = (size: number) => Math.floor((size * part) / 101);
  const stamp = `2026-01-01T00-00-00-${String(created % 1000).padStart(3, "0")}Z_${created}.jsonl`;
  switch (op) {
    case "create": {
      created++;
      const project = path.join(root, `--project-${at % 3}--`);
      mkdirSync(project, { recursive: true });
      writeFileSync(path.join(project, stamp), text);
      return;
    }
    case "createSubagent": {
      if (file === undefined) return;
      created++;
      const run = path.join(file.slice(0, -".jsonl".length), "run-0");
      mkdirSync(run, { recursive: true });
      writeFileSync(path.join(run, "session.jsonl"), text);
      return;
    }
    case "renameProject": {
      const projects = readdirSync(root);
      const project = projects[at % Math.max(1, projects.length)];
      if (project !== undefined)
        renameSync(path.join(root, project), path.join(root, `--renamed-${created++}--`));
      return;
    }
  }
  if (file === undefined) return;
  switch (op) {
    case "append":
      appendFileSync(file, text);
      break;
    case "tear":
      torn.set(file, text.slice(fraction(text.length)));
      appendFileSync(file, text.slice(0, fraction(text.length)));
      break;
    case "complete":
      appendFileSync(file, torn.get(file) ?? "");
      torn.delete(file);
      break;
    case "rewriteSameSize":
      writeFileSync(file, readFileSync(file, "latin1").replaceAll("e", "o"), "latin1");
      break;
    case "date":
      utimesSync(file, SECOND, SECOND);
      break;
    case "restoreTime":
      writeFileSync(file, readFileSync(file, "latin1").replaceAll("o", "u"), "latin1");
      utimesSync(file, SECOND, SECOND);
      break;
    case "truncate":
      truncateSync(file, fraction(statSync(file).size));
      break;
    case "regrow":
      truncateSync(file, fraction(statSync(file).size));
      appendFileSync(file, text.repeat(3));
      break;
    case "replace":
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
      break;
    case "delete":
      rmSync(file);
      break;
  }
}

/** What `session_entries` shows of user and assistant messages. */
export async function scan(root: string): Promise<readonly object[]> {
  const messages: object[] = [];
  for (const sessionPath of filesUnder(root)) {
    const read = readSessionEntries({ sessionPath }, { sessionsRoot: root });
    const { entries } = await read.catch((error: Error) => {
      if (error.message.startsWith("not a Pi session file")) return { entries: [] };
      throw error;
    });
    for (const { lineNo, id, timestamp, messageRole, text } of entries) {
      if (text === null || (messageRole !== "user" && messageRole !== "assistant")) continue;
      messages.push({ path: sessionPath, lineNo, id, timestamp, role: messageRole, folded: fold(text) });
    }
  }
  return messages;
}

export function whereAndWhat(row: Row): object {
  const timestamp = row["timestamp"] ?? new Date(Number(row["time_ms"])).toISOString();
  const { path, line_no: lineNo, entry_id: id, kind, folded } = row;
  return { path, lineNo, id, timestamp, role: KINDS[Number(kind)]?.role, folded };
}
