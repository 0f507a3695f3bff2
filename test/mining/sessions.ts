/** A store of session files made of plain values, and preparation on it without an index. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FreshSessions, type PrepareDeps, prepare } from "../../src/mining/prepare.ts";
import type { PrepareOutput, SessionSearchParams, StoreOptions } from "../../src/model.ts";
import { requireSearchQuery } from "../../src/search/plan.ts";
import { scanStore } from "../../src/search/scan.ts";
import { requireRoots } from "../../src/session/store.ts";
import { makeDirectory } from "./repositories.ts";

export interface SessionSpec {
  readonly cwd?: string | undefined;
  /** Texts of user and assistant messages in turn, or entries as they stand. */
  readonly lines?: readonly (string | object)[];
  readonly parentSession?: string;
  readonly version?: number;
  /** Path below the project directory; default a name as Pi gives it. */
  readonly name?: string;
}

export class SessionStore {
  readonly root = makeDirectory("sessions-");
  readonly #project = path.join(this.root, "--project--");
  #count = 0;

  get options(): StoreOptions {
    return { sessionsRoot: this.root };
  }

  /** Each session is a day younger than the one before. Returns its path. */
  add({
    cwd = "/gone/project",
    lines = ["hello", "hi"],
    parentSession,
    version = 3,
    name,
  }: SessionSpec = {}): string {
    const day = String(++this.#count).padStart(2, "0");
    const timestamp = `2026-01-${day}T00:00:00.000Z`;
    const file = path.join(this.#project, name ?? `2026-01-${day}T00-00-00-000Z_id${day}.jsonl`);
    const header = { type: "session", version, id: `id${day}`, timestamp, cwd, parentSession };
    const entries = lines.map((line, i) =>
      typeof line === "object"
        ? line
        : {
            type: "message",
            id: `m${i}`,
            parentId: i === 0 ? null : `m${i - 1}`,
            timestamp,
            message: { role: i % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text: line }] },
          },
    );
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(""));
    utimesSync(file, new Date(timestamp), new Date(timestamp));
    return file;
  }

  prepare(params: SessionSearchParams, deps: Partial<PrepareDeps> = {}): Promise<PrepareOutput> {
    const query = requireSearchQuery({ operation: "prepare-pattern-miner", ...params });
    if (query.mode !== "prepare-pattern-miner") throw new Error("another mode");
    const store = deps.store ?? this.options;
    return prepare(query, {
      store,
      cwd: "/",
      skills: [],
      freshSessions: () => freshSessions(store),
      ...deps,
    });
  }
}

export async function freshSessions(store: StoreOptions): Promise<FreshSessions> {
  const { view, unreachedPaths, isComplete } = await scanStore({
    roots: requireRoots(store),
    excludePrefixes: [],
    budgetMs: Number.POSITIVE_INFINITY,
    isAllowed: () => true,
  });
  return { sessions: view.sessions, walkComplete: isComplete, backlogRemaining: unreachedPaths.length };
}
