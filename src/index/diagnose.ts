/** Does the index hold what the files hold? Reads a sample of files anew and compares; changes nothing. */
import { messageOf } from "../session/json.ts";
import { Pace, throwIfAborted } from "../session/pace.ts";
import type { IndexDatabase } from "./database.ts";
import { SyncPass } from "./pass.ts";
import { FileReading, type MessageRow } from "./reading.ts";
import { numberOf, textOf } from "./rowValues.ts";
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
const BUFFER_BYTES = 1 << 20;
const ALL = {
  maxTextChars: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  isTimeUp: () => false,
};

export async function diagnose(index: IndexDatabase, request: SyncRequest): Promise<Diagnosis> {
  const status = await indexStatus(index, request);
  const integrity = checkIntegrity(index);
  const { backlog } = await SyncPass.start(index, passRequestOf(request));
  const changed = new Set(backlog.map(({ directory, name }) => directory.path + name));
  const pace = new Pace(request.signal);
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  const files = request.roots.flatMap((root) =>
    index.all("SELECT file_id, path FROM session WHERE root = ? ORDER BY path", [root]),
  );
  const step = Math.max(1, Math.floor(files.length / SAMPLE_FILES));
  const sample = files.filter((_, i) => i % step === 0);
  const differingFiles: string[] = [];
  for (const row of sample) {
    const path = textOf(row, "path") ?? "";
    const messages = await readMessages(path, buffer, pace, request.signal);
    if (messages === undefined) continue;
    const isSame = isEqual(index, numberOf(row, "file_id"), messages, changed.has(path));
    if (!isSame) differingFiles.push(path);
  }
  return { status, integrity, checkedFiles: sample.length, differingFiles };
}

/** Undefined for a file that is gone or unreadable: the status tells of those. */
async function readMessages(
  path: string,
  buffer: Buffer,
  pace: Pace,
  signal: AbortSignal | undefined,
): Promise<readonly MessageRow[] | undefined> {
  let reading: FileReading | undefined;
  try {
    reading = await FileReading.open(path, { buffer }, () => "from-start");
    const messages: MessageRow[] = [];
    for (let isLast = reading === undefined; !isLast; ) {
      const piece = await reading?.next(ALL, pace);
      for (const message of piece?.messages ?? []) messages.push(message);
      isLast = piece?.isLast ?? true;
    }
    return messages;
  } catch {
    throwIfAborted(signal);
    return undefined;
  } finally {
    reading?.close();
  }
}

function checkIntegrity(index: IndexDatabase): string {
  try {
    return textOf(index.get("PRAGMA quick_check(1)") ?? {}, "quick_check") ?? "unknown";
  } catch (error) {
    return messageOf(error); // damaged so far that the check itself breaks off
  }
}

/** Of a file that changed since the last sync only what was indexed is compared: the rest is backlog. */
function isEqual(
  index: IndexDatabase,
  fileId: number,
  messages: readonly MessageRow[],
  isChanged: boolean,
): boolean {
  const rows = index.all(
    `SELECT line_no, line_entry, timestamp, time_ms, folded FROM message LEFT JOIN message_text USING (id)
     WHERE file_id = ? ORDER BY message.id`,
    [fileId],
  );
  if (!isChanged && rows.length !== messages.length) return false;
  return rows.every((row, i) => {
    const message = messages[i];
    if (message === undefined) return false;
    const isSamePlace =
      numberOf(row, "line_no") === message.lineNo && numberOf(row, "line_entry") === message.lineEntry;
    return isSamePlace && (message.largeFolded !== undefined || textOf(row, "folded") === message.folded);
  });
}
