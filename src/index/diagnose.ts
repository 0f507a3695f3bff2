/** Does the index hold what the files hold? Reads a sample of files anew and compares; changes nothing. */
import { messageOf } from "../session/json.ts";
import { Pace } from "../session/pace.ts";
import type { IndexDatabase, Row } from "./database.ts";
import { SyncPass } from "./pass.ts";
import { type MessageRow, newReadingMemory, type ReadingMemory } from "./piece.ts";
import { FileReading } from "./reading.ts";
import { numberOf, textOf } from "./rowValues.ts";
import { isSqliteError } from "./sqlite.ts";
import { type IndexStatus, indexStatus } from "./status.ts";
import { passRequestOf, type SyncRequest } from "./sync.ts";

export interface Diagnosis {
  readonly status: IndexStatus;
  /** `ok`, or what SQLite says is wrong. */
  readonly integrity: string;
  readonly checkedFiles: number;
  /** Paths of checked files whose messages differ from the index though no sync would read them again. */
  readonly differingFiles: readonly string[];
}

/** Spread evenly over the store, in the order of paths. */
const SAMPLE_FILES = 50;
/** A piece of a file is compared before the next is read. */
const PIECE = { maxTextChars: 1 << 20, maxBytes: 16 << 20, isTimeUp: () => false };

export async function diagnose(index: IndexDatabase, request: SyncRequest): Promise<Diagnosis> {
  const status = await indexStatus(index, request);
  const integrity = checkIntegrity(index);
  const { backlog } = await SyncPass.start(index, passRequestOf(request));
  const changed = new Set(backlog.map(({ directory, name }) => directory.path + name));
  const pace = new Pace(request.signal);
  const memory = newReadingMemory();
  const files = request.roots.flatMap((root) =>
    index.all("SELECT file_id, path FROM session WHERE root = ? ORDER BY path", [root]),
  );
  const step = Math.max(1, Math.floor(files.length / SAMPLE_FILES));
  const sample = files.filter((_, i) => i % step === 0);
  const differingFiles: string[] = [];
  for (const row of sample) {
    const path = textOf(row, "path") ?? "";
    const indexed = new IndexedMessages(index, numberOf(row, "file_id"));
    const isSame = await isSameAsRead(path, indexed, changed.has(path), memory, pace);
    if (isSame === false) differingFiles.push(path);
  }
  return { status, integrity, checkedFiles: sample.length, differingFiles };
}

/**
 * Undefined for a file that is gone or unreadable: the status tells of those. Of a file that changed since the last sync only
 * what was indexed is compared: the rest is backlog.
 */
async function isSameAsRead(
  path: string,
  indexed: IndexedMessages,
  isChanged: boolean,
  memory: ReadingMemory,
  pace: Pace,
): Promise<boolean | undefined> {
  let reading: FileReading | undefined;
  try {
    reading = await FileReading.open(path, memory, () => "from-start");
    for (let isLast = reading === undefined; !isLast; ) {
      memory.texts.clear();
      const piece = await reading?.next(PIECE, pace);
      const messages = piece?.messages ?? [];
      const rows = indexed.next(messages.length);
      if (rows.some((row, i) => !isSameMessage(row, messages[i]))) return false;
      if (rows.length < messages.length) return isChanged;
      isLast = piece?.isLast ?? true;
    }
    return indexed.next(1).length === 0;
  } catch (error) {
    pace.throwIfAborted();
    if (isSqliteError(error)) throw error; // of the index, not of the file
    return undefined;
  } finally {
    reading?.close();
  }
}

/** The messages of a file in its order, some at a time. */
class IndexedMessages {
  readonly #index: IndexDatabase;
  readonly #fileId: number;
  #lastId = 0;

  constructor(index: IndexDatabase, fileId: number) {
    this.#index = index;
    this.#fileId = fileId;
  }

  next(count: number): readonly Row[] {
    const rows = this.#index.all(
      `SELECT message.id, line_no, line_entry, CAST(folded AS BLOB) AS folded FROM message LEFT JOIN message_text USING (id)
       WHERE file_id = ? AND message.id > ? ORDER BY message.id LIMIT ?`,
      [this.#fileId, this.#lastId, count],
    );
    const last = rows.at(-1);
    if (last !== undefined) this.#lastId = numberOf(last, "id");
    return rows;
  }
}

function checkIntegrity(index: IndexDatabase): string {
  try {
    return textOf(index.get("PRAGMA quick_check(1)") ?? {}, "quick_check") ?? "unknown";
  } catch (error) {
    return messageOf(error); // damaged so far that the check itself breaks off
  }
}

function isSameMessage(row: Row, message: MessageRow | undefined): boolean {
  if (message === undefined) return false;
  const { folded } = row;
  return (
    numberOf(row, "line_no") === message.lineNo &&
    numberOf(row, "line_entry") === message.lineEntry &&
    folded instanceof Uint8Array &&
    message.folded.bytes.equals(folded)
  );
}
