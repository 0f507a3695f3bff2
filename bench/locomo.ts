/**
 * Retrieval quality on LoCoMo dialogs (see the data's README): every question is asked verbatim of an index of its
 * dialog; printed is how often the first session that holds evidence stands first, among the first five, and the mean
 * of its reciprocal rank. Exits 1 below a bar.
 *
 *   node bench/locomo.ts <directory of dialog-*.json>     or LOCOMO_DATA=<directory>
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openIndex } from "../src/index/open.ts";
import { syncIndex } from "../src/index/sync.ts";
import { discover } from "../src/search/discovery.ts";
import { readerOf } from "../src/search/reader.ts";
import { isJsonObject, parseJson } from "../src/session/json.ts";

const BARS = { hit1: 0.72, hit5: 0.92, mrr: 0.81 } as const;
/** As many rows as a call may ask for. */
const LIMIT = 10;

interface Dialog {
  readonly speakers: readonly string[];
  readonly sessions: readonly {
    readonly id: string;
    readonly dateTime: string;
    readonly turns: readonly { readonly id: string; readonly speaker: string; readonly text: string }[];
  }[];
  readonly questions: readonly { readonly question: string; readonly evidenceSessions: readonly string[] }[];
}

function requireDialog(filePath: string): Dialog {
  const parsed = parseJson(readFileSync(filePath, "utf8"));
  if (!parsed.ok || !isDialog(parsed.value)) throw new Error(`${filePath} is no dialog`);
  return parsed.value;
}

function isDialog(value: unknown): value is Dialog {
  return (
    isJsonObject(value) && ["speakers", "sessions", "questions"].every((name) => Array.isArray(value[name]))
  );
}

/** `11:01 am on 17 December, 2022` as an instant, in UTC so that the answer is the same everywhere. */
function instantOf(dateTime: string): number {
  const [, hour = "0", minute = "0", half = "am", date = ""] =
    /^(\d+):(\d+) (am|pm) on (.+)$/.exec(dateTime) ?? [];
  const dayMs = Date.parse(`${date} UTC`);
  if (!Number.isFinite(dayMs)) throw new Error(`cannot read the time ${dateTime}`);
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  return dayMs + (hours * 60 + Number(minute)) * 60_000;
}

function writeStore(root: string, dialog: Dialog): ReadonlyMap<string, string> {
  const directory = path.join(root, "--work-locomo--");
  mkdirSync(directory, { recursive: true });
  const idByPath = new Map<string, string>();
  for (const session of dialog.sessions) {
    const startMs = instantOf(session.dateTime);
    const timestamp = new Date(startMs).toISOString();
    const header = { type: "session", version: 3, id: session.id, timestamp, cwd: "/work/locomo" };
    const messages = session.turns.map(({ id, speaker, text }, n) => ({
      type: "message",
      id,
      parentId: session.turns[n - 1]?.id ?? null,
      timestamp: new Date(startMs + n * 1000).toISOString(),
      message: {
        role: speaker === dialog.speakers[0] ? "user" : "assistant",
        content: [{ type: "text", text: `${speaker}: ${text}` }],
      },
    }));
    const filePath = path.join(directory, `${timestamp.replace(/[:.]/g, "-")}_${session.id}.jsonl`);
    writeFileSync(filePath, [header, ...messages].map((line) => `${JSON.stringify(line)}\n`).join(""));
    idByPath.set(filePath, session.id);
  }
  return idByPath;
}

/** Ranks of the first evidence session, one for each question that has evidence; undefined when it is not found. */
async function ranksOf(dialog: Dialog, directory: string): Promise<readonly (number | undefined)[]> {
  const root = path.join(directory, "sessions");
  const idByPath = writeStore(root, dialog);
  const index = await openIndex(path.join(directory, "index", "index.db"));
  try {
    await syncIndex(index, { roots: [root] });
    const filters = {
      cwdFilter: { directories: undefined, match: "exact" },
      timeRange: { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY },
    } as const;
    return dialog.questions
      .filter(({ evidenceSessions }) => evidenceSessions.length > 0)
      .map(({ question, evidenceSessions }) => {
        const request = { ...filters, query: question, limit: LIMIT };
        const { results } = readerOf(index).read([root], (view) =>
          discover(view, request, { isAllowed: () => true }),
        );
        const hit = results.find((row) => evidenceSessions.includes(idByPath.get(row.path) ?? ""));
        return hit?.rank;
      });
  } finally {
    index.close();
  }
}

async function main(): Promise<void> {
  const data = process.argv[2] ?? process.env["LOCOMO_DATA"];
  if (data === undefined) throw new Error("name the directory that holds dialog-*.json");
  const ranks: (number | undefined)[] = [];
  const files = readdirSync(data).filter((name) => /^dialog-.*\.json$/.test(name));
  for (const name of files.sort()) {
    const directory = mkdtempSync(path.join(tmpdir(), "retrospect-locomo-"));
    try {
      ranks.push(...(await ranksOf(requireDialog(path.join(data, name)), directory)));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  const mean = (worthOf: (rank: number) => number) =>
    ranks.reduce<number>((sum, rank) => sum + (rank === undefined ? 0 : worthOf(rank)), 0) /
    Math.max(1, ranks.length);
  const measured = {
    hit1: mean((rank) => (rank === 0 ? 1 : 0)),
    hit5: mean((rank) => (rank < 5 ? 1 : 0)),
    mrr: mean((rank) => 1 / (rank + 1)),
  };
  console.log(`LoCoMo: ${files.length} dialogs, ${ranks.length} questions`);
  for (const name of ["hit1", "hit5", "mrr"] as const) {
    const isPassed = measured[name] >= BARS[name];
    console.log(`${name}\t${measured[name].toFixed(4)}\tbar ${BARS[name]}\t${isPassed ? "pass" : "FAIL"}`);
    if (!isPassed) process.exitCode = 1;
  }
}

await main();
