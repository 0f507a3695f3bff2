/** Reads the files of a plan, newest first, into batches of pieces. Holds no lock; changes nothing. */
import { messageOf } from "../session/json.ts";
import type { Pace } from "../session/pace.ts";
import type { IndexDatabase } from "./database.ts";
import type { FileFacts } from "./facts.ts";
import { knownFile, storedReading } from "./known.ts";
import { countMessages, MAX_DELETES } from "./messageRows.ts";
import { type FilePiece, newReadingMemory, type ReadingMemory, type StoredReading } from "./piece.ts";
import { type FileTask, type KnownFile, kindOf } from "./plan.ts";
import { FileReading } from "./reading.ts";

/** What was read of one file. */
export type Outcome =
  | {
      readonly kind: "piece";
      readonly task: FileTask;
      readonly piece: FilePiece;
      /** Undefined for a file that had no row when it was opened. */
      readonly fileId: number | undefined;
    }
  | { readonly kind: "unchanged"; readonly task: FileTask; readonly facts: FileFacts }
  | { readonly kind: "failed"; readonly task: FileTask; readonly error: string }
  | { readonly kind: "gone"; readonly task: FileTask };

export interface Batch {
  readonly outcomes: readonly Outcome[];
  /** A file with so many messages that they must go in several transactions before its first piece is stored. */
  readonly clearedFileId: number | undefined;
}

export interface BatchLimits {
  readonly maxTextChars: number;
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** True when there is just time enough left to write this many characters. */
  readonly isTimeUp: (textChars: number) => boolean;
}

interface Current {
  readonly task: FileTask;
  readonly reading: FileReading;
  readonly known: KnownFile | undefined;
}

export class BatchReader {
  readonly #index: IndexDatabase;
  /** The next one last. */
  readonly #todo: FileTask[];
  /** Files of which a part may be stored since the plan was made. */
  readonly #begun = new Set<FileTask>();
  readonly #directoryIdOf: (task: FileTask) => number | undefined;
  #memory: ReadingMemory | undefined;
  #current: Current | undefined;

  constructor(
    index: IndexDatabase,
    tasks: readonly FileTask[],
    directoryIdOf: (task: FileTask) => number | undefined,
  ) {
    this.#index = index;
    this.#todo = tasks.toReversed();
    this.#directoryIdOf = directoryIdOf;
  }

  /** Files that are not read to their end, the next one first. */
  get unfinished(): readonly FileTask[] {
    return [...(this.#current === undefined ? [] : [this.#current.task]), ...this.#todo.toReversed()];
  }

  get isDone(): boolean {
    return this.#current === undefined && this.#todo.length === 0;
  }

  /** Closes the file that is being read. It is opened again where its last stored piece ended. */
  close(): void {
    if (this.#current === undefined) return;
    this.#current.reading.close();
    this.#todo.push(this.#current.task);
    this.#begun.add(this.#current.task);
    this.#current = undefined;
  }

  /** The texts of the batch before are gone then. */
  async next(limits: BatchLimits, pace: Pace): Promise<Batch> {
    this.#memory?.texts.clear();
    const outcomes: Outcome[] = [];
    let textChars = 0;
    let bytes = 0;
    const isFull = () =>
      textChars >= limits.maxTextChars ||
      bytes >= limits.maxBytes ||
      outcomes.length >= limits.maxFiles ||
      (outcomes.length > 0 && limits.isTimeUp(textChars));
    while (!this.isDone && !isFull()) {
      if (this.#current === undefined) {
        const outcome = await this.#open();
        if (outcome !== undefined) outcomes.push(outcome);
      }
      const current = this.#current;
      if (current !== undefined) {
        const clearedFileId = this.#fileToClear(current);
        if (clearedFileId !== undefined) return { outcomes, clearedFileId };
        const outcome = await this.#read(
          current,
          {
            maxTextChars: limits.maxTextChars - textChars,
            maxBytes: limits.maxBytes - bytes,
            isTimeUp: () => limits.isTimeUp(textChars),
          },
          pace,
        );
        outcomes.push(outcome);
        if (outcome.kind === "piece") {
          textChars += outcome.piece.textChars;
          bytes += outcome.piece.bytesRead;
        }
      }
      if (pace.isDue()) await pace.rest();
    }
    return { outcomes, clearedFileId: undefined };
  }

  /** Opens the next file, or tells why there is nothing to read in it. */
  async #open(): Promise<Outcome | undefined> {
    const task = this.#todo.pop();
    if (task === undefined) return undefined;
    const known = this.#begun.has(task) ? this.#askAgain(task) : task.known;
    let facts = task.facts;
    this.#memory ??= newReadingMemory();
    try {
      const reading = await FileReading.open(task.directory.path + task.name, this.#memory, (found) => {
        facts = found;
        return this.#decide(found, known);
      });
      if (reading === undefined) return { kind: "unchanged", task, facts };
      this.#current = { task, reading, known };
      return undefined;
    } catch (error) {
      return failureOf(task, error);
    }
  }

  #askAgain(task: FileTask): KnownFile | undefined {
    const directoryId = this.#directoryIdOf(task);
    return directoryId === undefined ? undefined : knownFile(this.#index, directoryId, task.name);
  }

  #decide(facts: FileFacts, known: KnownFile | undefined): StoredReading | "from-start" | "unchanged" {
    const kind = kindOf(facts, known);
    if (kind === "unchanged") return kind;
    const stored = kind === "grow" && known !== undefined ? storedReading(this.#index, known.id) : undefined;
    return stored ?? "from-start";
  }

  #fileToClear({ reading, known }: Current): number | undefined {
    if (known === undefined || !reading.isFromStart) return undefined;
    return countMessages(this.#index, known.id) > MAX_DELETES ? known.id : undefined;
  }

  async #read(
    { task, reading, known }: Current,
    limits: Parameters<FileReading["next"]>[0],
    pace: Pace,
  ): Promise<Outcome> {
    let isLast = true;
    try {
      const piece = await reading.next(limits, pace);
      isLast = piece.isLast;
      return { kind: "piece", task, piece, fileId: known?.id };
    } catch (error) {
      pace.throwIfAborted();
      return failureOf(task, error);
    } finally {
      if (isLast) {
        this.#current = undefined;
        reading.close();
      }
    }
  }
}

function failureOf(task: FileTask, error: unknown): Outcome {
  const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
  return isGone ? { kind: "gone", task } : { kind: "failed", task, error: messageOf(error) };
}
