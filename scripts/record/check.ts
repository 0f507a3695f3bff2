/** Reads the published samples as a stranger would: nothing of the machine remains, no feature is missing. */
import { readdirSync, readFileSync } from "node:fs";
import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../test/support/pi-process.ts";
import { isObject, pinnedNode } from "../../test/support/pi-run.ts";

const MAX_BYTES = 600_000;

interface Row {
  readonly file: string;
  readonly type: string;
  readonly role: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly line: string;
}

type Test = (row: Row) => boolean;
const has =
  (text: string): Test =>
  ({ line }) =>
    line.includes(text);
const typed =
  (type: string): Test =>
  (row) =>
    row.type === type;
const role =
  (name: string, text = ""): Test =>
  (row) =>
    row.role === name && row.line.includes(text);
const both =
  (a: Test, b: Test): Test =>
  (row) =>
    a(row) && b(row);
const headerIn =
  (pattern: RegExp): Test =>
  (row) =>
    row.type === "session" && pattern.test(row.file);

const FEATURES: Readonly<Record<string, Test>> = {
  "branch summary": typed("branch_summary"),
  "fork or clone": both(typed("session"), has('"parentSession":"/home/ada/')),
  compaction: typed("compaction"),
  "context edit that replaces": both(typed("context_edit"), has('"replacement":{')),
  "context edit that removes": both(typed("context_edit"), has('"replacement":null')),
  label: typed("label"),
  name: typed("session_info"),
  image: role("user", '"type":"image"'),
  "shell command": role("bashExecution"),
  "custom entry": typed("custom"),
  "custom message": typed("custom_message"),
  usage: typed("usage"),
  "aborted run": role("assistant", '"stopReason":"aborted"'),
  "provider error": role("assistant", '"stopReason":"error"'),
  "correction in mid-run": role("user", "No, not 10 minutes"),
  "tool error": role("toolResult", '"isError":true'),
  thinking: role("assistant", '"type":"thinking"'),
  "nested calls of codemode": role("toolResult", '"nestedCalls"'),
  "system message": role("system", '"preamble"'),
  "system message patch": both(role("system", '"toolsAdded"'), (row) => !row.line.includes('"preamble"')),
  "error code ECONNREFUSED": has("ECONNREFUSED"),
  "worktree sibling": both(typed("session"), has('"cwd":"/home/ada/projects/harbor-retry-queue"')),
  "third project": both(typed("session"), has('"cwd":"/home/ada/projects/lighthouse"')),
  "subagent run-0": headerIn(/^[^/]+\/[^/]+\/\w{8}\/run-0\/session\.jsonl$/),
  "subagent run-1": headerIn(/^[^/]+\/[^/]+\/\w{8}\/run-1\/session\.jsonl$/),
  "background subagent": headerIn(/^[^/]+\/[^/]+\/\w{8}\/async-\w+\/[^/]+Z_[^/]+\.jsonl$/),
  grandchild: headerIn(/\/run-\d\/session\/\w{8}\/run-0\/session\.jsonl$/),
};

/** Prints what is there; returns what is wrong. */
export function checkSamples(target: string, workspaceRoot: string): string[] {
  const rows = readRows(join(target, "sessions"));
  const problems: string[] = [];
  for (const [feature, test] of Object.entries(FEATURES)) {
    const count = rows.filter(test).length;
    console.log(`${String(count).padStart(4)}  ${feature}`);
    if (count === 0) problems.push(`missing: ${feature}`);
  }
  for (const name of ["fork", "clone"]) {
    const readme = readFileSync(join(target, "README.md"), "utf8");
    if (!readme.includes(`\`${name}\`:`)) problems.push(`missing: session ${name}`);
  }
  let bytes = 0;
  for (const file of filesBelow(target)) {
    const text = readFileSync(join(target, file), "utf8");
    bytes += Buffer.byteLength(text);
    for (const pattern of forbidden(workspaceRoot)) {
      if (pattern.test(text) || pattern.test(file)) problems.push(`forbidden ${pattern} in ${file}`);
    }
  }
  console.log(`${bytes} bytes`);
  if (bytes > MAX_BYTES) problems.push(`${bytes} bytes are more than ${MAX_BYTES}`);
  return problems;
}

function readRows(sessions: string): Row[] {
  return filesBelow(sessions).flatMap((file) =>
    readFileSync(join(sessions, file), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => {
        const entry: unknown = JSON.parse(line);
        if (!isObject(entry)) throw new Error(`not an entry in ${file}`);
        const message = isObject(entry.message) ? entry.message : {};
        return { file, type: String(entry.type), role: String(message.role ?? ""), entry, line };
      }),
  );
}

function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

function forbidden(workspaceRoot: string): RegExp[] {
  const machine = [
    workspaceRoot,
    tmpdir(),
    homedir(),
    REPOSITORY,
    pinnedNode(),
    "node_modules",
    "pi-record-",
  ];
  const roots = ["/tmp/", "/work/", "/root/", "/Users/", "/private/", "/var/folders/", "/home/(?!ada/)"];
  const { username } = userInfo();
  // "root" is an ordinary word of the story; the account of that name shows only in paths, which are listed.
  const names = [hostname(), ...(username === "root" ? [] : [username])].filter((name) => name !== "");
  return [
    ...machine.filter((path) => path.length > 1).map((path) => literal(path)),
    ...roots.map((path) => new RegExp(path)),
    ...names.map((name) => new RegExp(`(?<![\\w-])${literal(name).source}(?![\\w-])`)),
  ];
}

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
