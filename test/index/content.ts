/** What an index holds, in a form that does not depend on how it came about; and the lines that sessions are made of. */
import type { IndexDatabase, Row } from "../../src/index/database.ts";
import { openIndex } from "../../src/index/open.ts";
import { type SyncRequest, syncIndex } from "../../src/index/sync.ts";

/** Everything that a search can see, without ids. */
export interface Content {
  readonly sessions: readonly Row[];
  readonly messages: readonly Row[];
  readonly words: readonly Row[];
  readonly problems: readonly Row[];
  readonly missingFromDictionary: readonly Row[];
  readonly files: readonly Row[];
}

export function contentOf(index: IndexDatabase): Content {
  index.db.exec("INSERT INTO message_words (message_words) VALUES ('integrity-check')");
  index.db.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, message_words, instance)",
  );
  const at = "directory.path || file_name AS path";
  const files = "file JOIN directory ON directory.id = directory_id";
  const rows = (sql: string) => index.all(sql).map((row) => ({ ...row }));
  return {
    sessions: rows(
      `SELECT root, path, is_container, version, session_id, started_at, started_at_ms, cwd, parent_session, name,
        last_activity, last_activity_ms, message_count, preview FROM session ORDER BY path`,
    ),
    messages: rows(
      `SELECT ${at}, kind, line_no, line_offset, line_bytes, line_entry, time_ms, timestamp, entry_id, word_count, folded
        FROM message LEFT JOIN message_text USING (id) LEFT JOIN file ON file.id = file_id
        LEFT JOIN directory ON directory.id = directory_id ORDER BY path, message.id`,
    ),
    words: rows(
      `SELECT ${at}, line_no, line_entry, term FROM temp.terms LEFT JOIN message ON message.id = doc
        LEFT JOIN file ON file.id = file_id LEFT JOIN directory ON directory.id = directory_id
        ORDER BY path, line_no, line_entry, term`,
    ),
    problems: rows(
      `SELECT ${at}, line_no, code, problem.reason FROM problem LEFT JOIN file ON file.id = file_id
        LEFT JOIN directory ON directory.id = directory_id ORDER BY path, line_no`,
    ),
    missingFromDictionary: rows(
      "SELECT DISTINCT term FROM temp.terms WHERE term NOT IN (SELECT word FROM word)",
    ),
    files: rows(
      `SELECT ${at}, state, file.reason, read_error, size_bytes, reached_bytes, next_line_no, is_open_ended, problem_count
        FROM ${files} ORDER BY path`,
    ),
  };
}

/** What an index at a fresh path has that is built from nothing. */
export async function contentOfColdIndex(
  root: string,
  indexPath: string,
  more: Partial<SyncRequest> = {},
): Promise<Content> {
  const index = await openIndex(indexPath);
  try {
    await syncIndex(index, { roots: [root], ...more });
    return contentOf(index);
  } finally {
    index.close();
  }
}

export const headerLine = (more: object = {}) =>
  JSON.stringify({
    type: "session",
    version: 3,
    id: "session-1",
    timestamp: "2026-01-02T03:04:05.000Z",
    cwd: "/home/user/app",
    ...more,
  });

export const messageLine = (id: string, role: string, text: string, more: object = {}) =>
  JSON.stringify({
    type: "message",
    id,
    parentId: null,
    timestamp: "2026-01-02T03:04:06.000Z",
    message: { role, content: [{ type: "text", text }] },
    ...more,
  });

/** Lines as a file holds them. */
export const fileOf = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
