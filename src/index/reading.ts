/**
 * Reads one session file, or what was appended to it, into pieces that are stored one by one. Every line is judged
 * as `session_entries` judges it. Stops at the last complete line: what follows is read when more has been written.
 */
import { closeSync, fstatSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type JudgedLine, judgeLine } from "../session/entry.ts";
import { CR, decodeLine, type Line, readLines } from "../session/lines.ts";
import type { Pace } from "../session/pace.ts";
import { openRegularFile } from "../session/store.ts";
import { textOf } from "../session/text.ts";
import { digestOf, MAX_DIGESTED_HEADER_BYTES } from "./digest.ts";
import { type FileFacts, factsOf } from "./facts.ts";
import type { FilePiece, MessageRow, PieceLimits, ReadingMemory, StoredReading } from "./piece.ts";
import {
  boundedReason,
  type FileRecord,
  kindOfEntry,
  MAX_KEPT_PROBLEMS,
  noteActivity,
  noteEntry,
  type Problem,
  recordOfHeader,
} from "./record.ts";
import { CLOSING_BRACE, skimToolResult } from "./toolResult.ts";

/**
 * A file system clock ticks every few milliseconds: two changes within a tick leave the same time. A file is read
 * only when its last change is older, so that every later change shows.
 */
const CLOCK_TICK_MS = 10;
/** What a message costs besides its text, in characters: short ones would otherwise come by the hundred thousand. */
const MESSAGE_CHARS = 200;

export class FileReading {
  readonly facts: FileFacts;
  readonly #fd: number;
  readonly #memory: ReadingMemory;
  #record: FileRecord | undefined;
  #isFromStart: boolean;
  #textChars = 0;

  /**
   * Undefined when `decide` finds that the file, as it is now, needs no reading.
   *
   * @param decide gives what was read before when the file may have been appended to
   * @throws what opening or reading throws; ENOENT when the file is gone
   */
  static async open(
    filePath: string,
    memory: ReadingMemory,
    decide: (facts: FileFacts) => StoredReading | "from-start" | "unchanged",
  ): Promise<FileReading | undefined> {
    const { fd } = openRegularFile(filePath);
    try {
      let facts = factsOf(fstatSync(fd));
      const ageMs = Date.now() - facts.ctimeMs;
      if (ageMs >= 0 && ageMs < CLOCK_TICK_MS) {
        await sleep(CLOCK_TICK_MS - ageMs);
        facts = factsOf(fstatSync(fd));
      }
      const decision = decide(facts);
      if (decision !== "unchanged") {
        return new FileReading(fd, memory, facts, decision === "from-start" ? undefined : decision);
      }
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
    return undefined;
  }

  private constructor(
    fd: number,
    memory: ReadingMemory,
    facts: FileFacts,
    stored: StoredReading | undefined,
  ) {
    this.#fd = fd;
    this.facts = facts;
    const isAppend = stored !== undefined && isPrefixOf(fd, stored, facts.sizeBytes);
    this.#isFromStart = !isAppend;
    this.#record = isAppend ? { ...stored.record } : undefined;
    this.#memory = memory;
  }

  /** True until the first piece: what is stored of the file goes with it. */
  get isFromStart(): boolean {
    return this.#isFromStart;
  }

  close(): void {
    closeSync(this.#fd);
  }

  async next(limits: PieceLimits, pace: Pace): Promise<FilePiece> {
    const messages: MessageRow[] = [];
    const problems: Problem[] = [];
    const isFromStart = this.#isFromStart;
    const startBytes = this.#record?.reachedBytes ?? 0;
    this.#textChars = 0;
    const lines = readLines(this.#fd, {
      fromOffset: startBytes,
      firstNumber: this.#record?.nextLineNo ?? 1,
      toOffset: this.facts.sizeBytes,
      memory: this.#memory.lines,
    });
    for (const line of lines) {
      if (this.#record === undefined) {
        const header = line.isTooLong ? "" : decodeLine(line);
        const record = recordOfHeader(header);
        if (!record.ok) return this.#refusal(boundedReason(record.reason));
        this.#record = record.value;
        this.#record.headerBytes = Math.min(line.nextOffset, MAX_DIGESTED_HEADER_BYTES);
        if (!line.isTerminated) this.#record.isOpenEnded = true;
        this.#reach(line);
        continue;
      }
      const isTaken = this.#take(this.#record, line, messages, problems);
      if (!isTaken) return this.#piece(isFromStart, messages, problems, startBytes, true);
      const bytes = line.nextOffset - startBytes;
      if (this.#textChars >= limits.maxTextChars || bytes >= limits.maxBytes) {
        const isLast = line.nextOffset === this.facts.sizeBytes;
        return this.#piece(isFromStart, messages, problems, startBytes, isLast);
      }
      if (pace.isDue()) {
        await pace.rest();
        if (limits.isTimeUp()) return this.#piece(isFromStart, messages, problems, startBytes, false);
      }
    }
    return this.#piece(isFromStart, messages, problems, startBytes, true);
  }

  /** False for a last line that is not complete yet. */
  #take(record: FileRecord, line: Line, messages: MessageRow[], problems: Problem[]): boolean {
    if (!line.isTerminated && !mayBeComplete(line)) return false;
    const toolResult = line.isTerminated ? skimToolResult(line) : undefined;
    if (toolResult !== undefined) {
      noteActivity(record, toolResult.timestamp, toolResult.timestampMs);
      record.messageCount++;
    } else {
      const judged = judgeLine(line, record.version);
      if (!line.isTerminated) {
        // Complete but for its line break, so it can be found; a torn one holds no entry yet.
        if (judged.entries.length === 0) return false;
        record.isOpenEnded = true;
      }
      this.#note(record, line, judged, messages, problems);
    }
    this.#reach(line);
    return true;
  }

  #note(
    record: FileRecord,
    line: Line,
    judged: JudgedLine,
    messages: MessageRow[],
    problems: Problem[],
  ): void {
    if (judged.problem !== undefined) {
      const { code, reason } = judged.problem;
      if (record.problemCount < MAX_KEPT_PROBLEMS) {
        problems.push({ lineNo: line.number, code, reason: boundedReason(reason) });
      }
      record.problemCount++;
    }
    judged.entries.forEach((entry, lineEntry) => {
      const kind = kindOfEntry(entry);
      const text = kind === undefined ? null : textOf(entry.raw);
      noteEntry(record, entry, text);
      if (kind === undefined || text === null) return;
      this.#textChars += text.length + MESSAGE_CHARS;
      messages.push({
        kind,
        lineNo: line.number,
        lineOffset: line.offset,
        lineBytes: line.end - line.start,
        lineEntry,
        timeMs: entry.timestampMs,
        timestamp: entry.timestamp,
        entryId: entry.id,
        folded: this.#memory.texts.fold(text),
      });
    });
  }

  #reach(line: Line): void {
    const record = this.#record;
    if (record === undefined) return;
    record.reachedBytes = line.nextOffset;
    record.nextLineNo = line.number + 1;
    // A lone CR at the end may become the first half of a CRLF.
    if (line.nextOffset === this.facts.sizeBytes && line.buffer[line.end] === CR) {
      const breakBytes = line.nextOffset - line.offset - (line.end - line.start);
      if (line.isTerminated && (breakBytes === 1 || line.number === 1)) record.isOpenEnded = true;
    }
  }

  #piece(
    isFromStart: boolean,
    messages: readonly MessageRow[],
    problems: readonly Problem[],
    startBytes: number,
    isLast: boolean,
  ): FilePiece {
    const record = this.#record;
    if (record === undefined) return this.#refusal("file is empty");
    this.#isFromStart = false;
    return {
      facts: this.facts,
      isFromStart,
      record: { ...record },
      digest: digestOf(this.#fd, record.headerBytes, record.reachedBytes),
      messages,
      problems,
      isLast,
      bytesRead: record.reachedBytes - startBytes,
      textChars: this.#textChars,
    };
  }

  #refusal(refusal: string): FilePiece {
    const none = { digest: null, messages: [], problems: [], isLast: true, bytesRead: 0, textChars: 0 };
    return { facts: this.facts, isFromStart: true, record: { refusal }, ...none };
  }
}

/** False for a line that was surely torn off: an entry ends in `}`, and to parse megabytes for that would be a waste. */
function mayBeComplete({ buffer, start, end }: Line): boolean {
  let last = end - 1;
  while (last >= start && (buffer[last] === 0x20 || buffer[last] === 0x09)) last--;
  return last >= start && buffer[last] === CLOSING_BRACE;
}

function isPrefixOf(fd: number, { record, digest }: StoredReading, sizeBytes: number): boolean {
  if (record.isOpenEnded || record.reachedBytes > sizeBytes) return false;
  return Buffer.compare(digestOf(fd, record.headerBytes, record.reachedBytes), digest) === 0;
}
