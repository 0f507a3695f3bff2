/** What the index holds and what it leaves out, for people who ask. */
import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import type { IndexDatabase } from "./database.ts";
import { sizeOnDiskOf } from "./files.ts";
import { SyncPass } from "./pass.ts";
import { numberOf, textOf } from "./rowValues.ts";
import { FILE_STATES } from "./schema.ts";
import { passRequestOf, type SyncRequest } from "./sync.ts";

/** A file that is not searched, and why. */
export interface LeftOutFile {
  readonly path: string;
  readonly reason: string;
}

export interface SkippedLine {
  readonly path: string;
  readonly lineNo: number;
  readonly code: string;
  readonly reason: string;
}

export interface IndexStatus {
  readonly indexPath: string;
  readonly indexBytes: number;
  /** Why the index cannot be written; absent when it can. */
  readonly failure?: string;
  readonly sessions: number;
  readonly messages: number;
  readonly words: number;
  /** Bytes of session files on disk, those that are left out included, excluded projects not. */
  readonly storeBytes: number;
  readonly storeFiles: number;
  /** Files that changed since they were indexed, or were never reached. */
  readonly backlogFiles: number;
  readonly walkComplete: boolean;
  /** No session files, by what `session_entries` says of them. */
  readonly refused: readonly LeftOutFile[];
  readonly unreadable: readonly LeftOutFile[];
  /** Lines that are no entries or had to be repaired: all of them, and the first ones of each file. */
  readonly skippedLineCount: number;
  readonly skippedLines: readonly SkippedLine[];
  readonly excluded: { readonly projects: number; readonly files: number; readonly bytes: number };
}

/** Surveys the store; reads and writes nothing else. */
export async function indexStatus(index: IndexDatabase, request: SyncRequest): Promise<IndexStatus> {
  const pass = await SyncPass.start(index, passRequestOf(request));
  const files = pass.survey.directories.flatMap(({ names, facts }) => names.map((_, i) => facts.at(i)));
  const places = request.roots.map(() => "?").join(", ");
  const count = (what: string) =>
    numberOf(
      index.get(`SELECT ${what} AS count ${FROM} AND state <= ? AND root.path IN (${places})`, [
        FILE_STATES.partial,
        ...request.roots,
      ]),
      "count",
    );
  const { failure } = index;
  return {
    indexPath: index.path,
    indexBytes: sizeOnDiskOf(index.path),
    ...(failure === undefined ? {} : { failure }),
    sessions: count("count(*)"),
    messages: count("coalesce(sum((SELECT count(*) FROM message WHERE file_id = file.id)), 0)"),
    words: numberOf(index.get("SELECT count(*) AS count FROM word"), "count"),
    storeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    storeFiles: files.length,
    backlogFiles: pass.backlog.length,
    walkComplete: pass.survey.isComplete,
    refused: leftOut(index, request.roots, `state = ${FILE_STATES.refused}`, "reason"),
    unreadable: leftOut(index, request.roots, "read_error IS NOT NULL", "read_error"),
    skippedLineCount: count("coalesce(sum(problem_count), 0)"),
    skippedLines: skippedLines(index, request.roots),
    excluded: countExcluded(pass.survey.excludedProjects),
  };
}

const FROM = `FROM file JOIN directory ON directory.id = directory_id JOIN root ON root.id = root_id WHERE 1`;

function leftOut(
  index: IndexDatabase,
  roots: readonly string[],
  condition: string,
  reason: string,
): readonly LeftOutFile[] {
  const sql = `SELECT directory.path || file_name AS path, ${reason} AS reason ${FROM} AND ${condition} AND root.path = ?
    ORDER BY path`;
  return roots
    .flatMap((root) => index.all(sql, [root]))
    .map((row) => ({ path: textOf(row, "path") ?? "", reason: textOf(row, "reason") ?? "" }));
}

function skippedLines(index: IndexDatabase, roots: readonly string[]): readonly SkippedLine[] {
  const sql = `SELECT directory.path || file_name AS path, line_no, code, problem.reason AS reason
    FROM problem JOIN file ON file.id = file_id JOIN directory ON directory.id = directory_id
    JOIN root ON root.id = root_id WHERE root.path = ? ORDER BY path, line_no`;
  return roots
    .flatMap((root) => index.all(sql, [root]))
    .map((row) => ({
      path: textOf(row, "path") ?? "",
      lineNo: numberOf(row, "line_no"),
      code: textOf(row, "code") ?? "",
      reason: textOf(row, "reason") ?? "",
    }));
}

/** Session files below project directories that are left out, at any depth. What cannot be read does not count. */
function countExcluded(projects: readonly string[]): IndexStatus["excluded"] {
  let files = 0;
  let bytes = 0;
  const visit = (directory: string): void => {
    for (const entry of readEntries(directory)) {
      const at = path.join(directory, entry.name);
      if (entry.isDirectory()) visit(at);
      if (!entry.isFile() || !entry.name.endsWith(".jsonl")) continue;
      files++;
      bytes += lstatSync(at, { throwIfNoEntry: false })?.size ?? 0;
    }
  };
  for (const project of projects) visit(project);
  return { projects: projects.length, files, bytes };
}

function readEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return []; // it may be gone or closed to us; it is left out anyway
  }
}
