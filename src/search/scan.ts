/**
 * The view of the files themselves, for searching without an index: read newest first until the time is up, by the
 * reader that fills the index. What was not reached is named, never passed over in silence.
 */
import { stringOf } from "../index/fold.ts";
import { type MessageRow, newReadingMemory, type ReadingMemory } from "../index/piece.ts";
import { FileReading } from "../index/reading.ts";
import type { FileRecord } from "../index/record.ts";
import { USER_MESSAGE } from "../index/schema.ts";
import { surveyStore } from "../index/survey.ts";
import { Pace, throwIfAborted } from "../session/pace.ts";
import { launcherOf } from "./launcher.ts";
import { type HeldMessage, type HeldSession, MemoryView } from "./memoryView.ts";
import { isStillThere, readRawText } from "./source.ts";
import type { SessionDetails, SessionFacts } from "./view.ts";

export interface ScanRequest {
  /** As `requireRoots` gives them. */
  readonly roots: readonly string[];
  /** Project directories whose names begin so are left out. */
  readonly excludePrefixes: readonly string[];
  /** When to stop, in milliseconds from now; a file that is being read then is left half read. */
  readonly budgetMs: number;
  /** Of a session that may not be seen, nothing but the header is read. */
  readonly isAllowed: (cwd: string | null) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Scan {
  readonly view: MemoryView;
  readonly detailsOf: (session: SessionFacts) => SessionDetails;
  /** Paths of the files that were not read to their end, newest first. */
  readonly unreachedPaths: readonly string[];
  /** False when a part of the store could not be read. */
  readonly isComplete: boolean;
}

interface FoundFile {
  readonly path: string;
  readonly root: string;
  readonly isSubagent: boolean;
  readonly mtimeMs: number;
}

interface ReadFile {
  readonly record: Readonly<FileRecord>;
  readonly messages: readonly HeldMessage[];
  readonly isWhole: boolean;
}

/** @throws the signal's reason when aborted */
export async function scanStore(request: ScanRequest): Promise<Scan> {
  const deadlineMs = performance.now() + request.budgetMs;
  const isTimeUp = () => performance.now() > deadlineMs;
  const pace = new Pace(request.signal);
  const { files, isComplete } = await findFiles(request, pace);
  const memory = newReadingMemory();
  const read: { readonly file: FoundFile; readonly content: ReadFile }[] = [];
  const unreachedPaths: string[] = [];
  for (const file of files) {
    const content = isTimeUp() ? "unreached" : await readFile(file.path, memory, request, isTimeUp, pace);
    if (content === "unreached" || (content !== undefined && !content.isWhole))
      unreachedPaths.push(file.path);
    if (content !== undefined && content !== "unreached") read.push({ file, content });
  }
  const paths = new Set(read.map(({ file }) => file.path));
  const detailsByPath = new Map(
    read.map(({ file, content: { record } }) => [
      file.path,
      { messageCount: record.messageCount, preview: record.preview ?? "" },
    ]),
  );
  return {
    view: new MemoryView(read.map(({ file, content }) => toSession(file, content, paths))),
    detailsOf: (session) => detailsByPath.get(session.path) ?? { messageCount: 0, preview: "" },
    unreachedPaths,
    isComplete,
  };
}

async function findFiles(
  { roots, excludePrefixes }: ScanRequest,
  pace: Pace,
): Promise<{ readonly files: readonly FoundFile[]; readonly isComplete: boolean }> {
  const isSkipped = (name: string) => excludePrefixes.some((prefix) => name.startsWith(prefix));
  const { directories, isComplete } = await surveyStore(roots, isSkipped, pace);
  const files = directories.flatMap(({ root, path: directory, isContainer, names, facts }) =>
    names.map((name, i) => {
      const { mtimeMs } = facts.at(i);
      return { path: directory + name, root, isSubagent: isContainer, mtimeMs };
    }),
  );
  files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return { files, isComplete };
}

/** Undefined for what is no session; `unreached` for a file that cannot be read now. */
async function readFile(
  filePath: string,
  memory: ReadingMemory,
  { isAllowed, signal }: ScanRequest,
  isTimeUp: () => boolean,
  pace: Pace,
): Promise<ReadFile | "unreached" | undefined> {
  let reading: FileReading | undefined;
  try {
    reading = await FileReading.open(filePath, memory, () => "from-start");
    const messages: HeldMessage[] = [];
    // The first piece is the header and a line: enough to know whose the session is.
    let maxBytes = 1;
    while (reading !== undefined) {
      const limits = { maxTextChars: Number.POSITIVE_INFINITY, maxBytes, isTimeUp };
      memory.texts.clear();
      const piece = await reading.next(limits, pace);
      const { record } = piece;
      if ("refusal" in record) return undefined;
      if (!isAllowed(record.cwd)) return { record, messages: [], isWhole: true };
      for (const { folded: stored, ...message } of piece.messages) {
        const folded = stringOf(stored);
        messages.push({
          isUser: message.kind === USER_MESSAGE,
          timestampMs: message.timeMs,
          folded,
          source: () => sourceOf(filePath, record.version, message, folded),
        });
      }
      if (piece.isLast || isTimeUp()) return { record, messages, isWhole: piece.isLast };
      maxBytes = Number.POSITIVE_INFINITY;
    }
    return undefined;
  } catch {
    throwIfAborted(signal);
    // Gone since the survey, or not to be read: it is counted among the files that were not reached.
    return "unreached";
  } finally {
    reading?.close();
  }
}

function sourceOf(
  path: string,
  version: number,
  { entryId, lineNo, timestamp, lineOffset, lineBytes }: Omit<MessageRow, "folded">,
  folded: string,
) {
  if (!isStillThere(path)) return undefined;
  const text = readRawText({ path, version, offset: lineOffset, bytes: lineBytes, folded }) ?? folded;
  return { id: entryId, lineNo, timestamp, text };
}

function toSession(
  { path, root, isSubagent }: FoundFile,
  { record, messages }: ReadFile,
  paths: ReadonlySet<string>,
): HeldSession {
  const launchedByPath = isSubagent ? launcherOf(path, root, (candidate) => paths.has(candidate)) : undefined;
  return {
    path,
    ...(record.name === null ? {} : { name: record.name }),
    cwd: record.cwd,
    startedAt: record.startedAt,
    lastActivityAt: record.lastActivity,
    lastActivityMs: record.lastActivityMs ?? record.startedAtMs ?? 0,
    ...(record.parentSession === null ? {} : { parentSessionPath: record.parentSession }),
    isSubagent,
    ...(launchedByPath === undefined ? {} : { launchedByPath }),
    messages,
  };
}
