/** LoCoMo dialogs as a store of sessions. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isJsonObject, parseJson } from "../src/session/json.ts";

export interface Dialog {
  readonly speakers: readonly string[];
  readonly sessions: readonly {
    readonly id: string;
    readonly dateTime: string;
    readonly turns: readonly { readonly id: string; readonly speaker: string; readonly text: string }[];
  }[];
  readonly questions: readonly { readonly question: string; readonly evidenceSessions: readonly string[] }[];
}

/** @throws Error when the file holds no dialog */
export function requireDialog(filePath: string): Dialog {
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

/** A session per conversation of the dialog; the ids by path. */
export function writeDialog(root: string, dialog: Dialog): ReadonlyMap<string, string> {
  const directory = path.join(root, "--work-locomo--");
  mkdirSync(directory, { recursive: true });
  const idByPath = new Map<string, string>();
  for (const session of dialog.sessions) {
    const startMs = instantOf(session.dateTime);
    const timestamp = new Date(startMs).toISOString();
    const header = { type: "session", version: 3, id: session.id, timestamp, cwd: "/srv/locomo" };
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

export function dialogFiles(directory: string): readonly string[] {
  const files = readdirSync(directory).filter((name) => /^dialog-.*\.json$/.test(name));
  return files.sort().map((name) => path.resolve(directory, name));
}
