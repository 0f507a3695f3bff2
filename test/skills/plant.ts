/** Puts sessions into a copy of the recorded samples, in the form that Pi writes. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const RECORDED = path.resolve(import.meta.dirname, "../../samples/recorded/sessions");

export function copyRecorded(sessionsRoot: string): void {
  cpSync(RECORDED, sessionsRoot, { recursive: true });
}

export interface Planted {
  /** 1 to 28; a later day is a newer session. */
  readonly day: number;
  /** User and assistant messages in turn. Ids follow from the text, so that a fork repeats those of its origin. */
  readonly texts: readonly string[];
  readonly parentSession?: string;
  readonly cwd?: string;
}

/** Returns the path of the session's file. */
export function plant(
  sessionsRoot: string,
  { day, texts, parentSession, cwd = "/home/ada/projects/harbor" }: Planted,
): string {
  const date = `2026-12-${String(day).padStart(2, "0")}`;
  const directory = path.join(sessionsRoot, "--home-ada-projects-harbor--");
  const file = path.join(directory, `${date}T09-00-00-000Z_planted-${day}.jsonl`);
  const header = {
    type: "session",
    version: 3,
    id: `planted-${day}`,
    timestamp: `${date}T09:00:00.000Z`,
    cwd,
    parentSession,
  };
  const ids = texts.map(idOf);
  const entries = texts.map((text, i) => ({
    type: "message",
    id: ids[i],
    parentId: ids[i - 1] ?? null,
    timestamp:
      parentSession !== undefined && i === 0 ? "2026-12-01T09:00:00.000Z" : `${date}T09:00:0${i}.000Z`,
    message: { role: i % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text }] },
  }));
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

export function idOf(text: string): string {
  let hash = 0;
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
