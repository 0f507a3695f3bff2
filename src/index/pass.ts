/**
 * One sync pass: surveys the store, plans, and works the plan off in steps. A step reads without holding any lock and
 * then writes what it read in one short transaction, so that searches and other processes get their turn in between.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pace } from "../session/pace.ts";
import { type Batch, BatchReader, type Outcome } from "./batch.ts";
import type { IndexDatabase } from "./database.ts";
import { deleteDirectory, deleteFile, markForRewrite, putReadError } from "./fileRows.ts";
import { knownDirectories, knownFiles } from "./known.ts";
import { deleteMessages, MAX_DELETES, RowWriter } from "./messageRows.ts";
import { OpenDirectories } from "./openDirectories.ts";
import { type FileTask, planSync } from "./plan.ts";
import { isBusy } from "./sqlite.ts";
import { type Survey, surveyStore } from "./survey.ts";
import { tidyingSteps } from "./tidy.ts";
import { type WriteOutcome, WriteTurn } from "./turn.ts";

/** A batch is written in one transaction, some 70 ms long. */
const BATCH_TEXT_CHARS = 2_400_000;
const BATCH_BYTES = 48 << 20;
const BATCH_FILES = 500;
/**
 * How long writing takes is measured, for a machine may be busy. Until then this much is assumed, several times what an
 * idle one needs, and a batch that must be done in time is small.
 */
const FIRST_WRITE_MS_PER_CHAR = 100 / 1_000_000;
const FIRST_TIMED_BATCH_CHARS = 250_000;
/** Less text tells nothing about its cost. */
const MIN_MEASURED_CHARS = 100_000;
const SURVEY_SLICE_MS = 40;
const RETRY_MS = 15;
/** A lock that is held so long was forgotten by its owner. A pass with a budget gives up sooner. */
const LOCK_PATIENCE_MS = 30_000;

export interface PassRequest {
  /** As `requireRoots` gives them. */
  readonly roots: readonly string[];
  readonly isProjectSkipped: (name: string) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Tests lower it, so that small files take several steps. Default `BATCH_TEXT_CHARS`. */
  readonly batchTextChars?: number | undefined;
}

export class SyncPass {
  readonly survey: Survey;
  readonly #index: IndexDatabase;
  readonly #request: PassRequest;
  readonly #turn: WriteTurn;
  readonly #writer: RowWriter;
  #directories: OpenDirectories;
  #reader: BatchReader;
  #goneFiles: number[] = [];
  #goneDirectories: readonly number[] = [];
  /** Read and not stored. */
  #inFlight: readonly FileTask[] = [];
  #failed: FileTask[] = [];
  #isPlanStale = false;
  #isFinished = false;
  #bytesDone = 0;
  #writeMsPerChar: number | undefined;

  static async start(index: IndexDatabase, request: PassRequest): Promise<SyncPass> {
    const pace = new Pace(request.signal, SURVEY_SLICE_MS);
    return new SyncPass(index, request, await surveyStore(request.roots, request.isProjectSkipped, pace));
  }

  private constructor(index: IndexDatabase, request: PassRequest, survey: Survey) {
    this.#index = index;
    this.#request = request;
    this.survey = survey;
    this.#turn = new WriteTurn(index);
    this.#writer = new RowWriter(index);
    [this.#directories, this.#reader] = this.#plan();
  }

  get isDone(): boolean {
    return !this.#isPlanStale && this.#isFinished;
  }

  /** Files that are not up to date; those that cannot be read come last. */
  get backlog(): readonly FileTask[] {
    return [...new Set([...this.#inFlight, ...this.#reader.unfinished, ...this.#failed])];
  }

  get unreadableCount(): number {
    return this.#failed.length;
  }

  get bytesDone(): number {
    return this.#bytesDone;
  }

  /**
   * Reads one batch and writes it. Throws an abort, and what SQLite reports; then nothing of this step is stored, and
   * the next one makes a new plan.
   *
   * @param untilMs as `performance.now()`; waiting for another writer ends then
   */
  async step(untilMs: number): Promise<void> {
    if (this.#isPlanStale) [this.#directories, this.#reader] = this.#plan();
    try {
      const pace = new Pace(this.#request.signal);
      const isFirstTimed = this.#writeMsPerChar === undefined && Number.isFinite(untilMs);
      const writeMsPerChar = this.#writeMsPerChar ?? FIRST_WRITE_MS_PER_CHAR;
      const isTimeUp = (chars: number) => performance.now() + chars * writeMsPerChar >= untilMs;
      const batchTextChars = isFirstTimed ? FIRST_TIMED_BATCH_CHARS : BATCH_TEXT_CHARS;
      const limits = {
        maxTextChars: this.#request.batchTextChars ?? batchTextChars,
        maxBytes: BATCH_BYTES,
        maxFiles: BATCH_FILES,
        isTimeUp,
      };
      const batch = await this.#reader.next(limits, pace);
      this.#inFlight = batch.outcomes.map((outcome) => outcome.task);
      const startMs = performance.now();
      const isWritten = await this.#write(batch, untilMs, pace);
      this.#writeMsPerChar = (performance.now() - startMs) / Math.max(MIN_MEASURED_CHARS, textCharsOf(batch));
      if (isWritten) this.#inFlight = [];
      else this.#startOver();
    } catch (error) {
      this.#startOver();
      throw error;
    }
  }

  /** Gives back what deleted sessions leave behind. For passes that nobody waits for. */
  async tidyUp(): Promise<void> {
    for (const work of tidyingSteps(this.#index)) {
      const outcome = this.#turn.write(work, () => false);
      if (outcome !== "written") return; // another process writes: it, or the next pass, tidies up
      await sleep(RETRY_MS);
    }
  }

  /** Lets others write, and closes the file that is being read: the next step opens it again where it was left. */
  pause(): void {
    this.#turn.release();
    this.#reader.close();
  }

  #plan(): [OpenDirectories, BatchReader] {
    this.#isPlanStale = false;
    this.#turn.plan();
    this.#writer.forget();
    const known = knownDirectories(this.#index, this.#request.roots);
    const plan = planSync(this.survey, known, (id) => knownFiles(this.#index, id));
    const directories = new OpenDirectories(this.#index, plan, this.survey.isComplete);
    this.#goneFiles = [...plan.goneFileIds];
    this.#goneDirectories = plan.goneDirectoryIds;
    this.#failed = [];
    this.#inFlight = [];
    this.#isFinished = plan.changed.length + plan.goneFileIds.length + plan.goneDirectoryIds.length === 0;
    return [directories, new BatchReader(this.#index, plan.tasks, (task) => directories.idOf(task))];
  }

  #startOver(): void {
    this.#reader.close();
    this.#isPlanStale = true;
  }

  /** False when another process was faster and the plan is stale, or when it did not let us write in time. */
  async #write(batch: Batch, untilMs: number, pace: Pace): Promise<boolean> {
    const patienceEndMs = performance.now() + LOCK_PATIENCE_MS;
    for (;;) {
      let outcome: WriteOutcome | "locked";
      let lockError: unknown;
      try {
        outcome = this.#turn.write(
          () => this.#store(batch),
          () => !this.isDone,
        );
      } catch (error) {
        if (!isBusy(error)) throw error;
        outcome = "locked";
        lockError = error;
      }
      if (outcome === "written") return true;
      if (outcome === "stale") return false;
      const nowMs = performance.now();
      const isLockedOut = lockError !== undefined && nowMs >= Math.min(untilMs, patienceEndMs);
      if (isLockedOut && !this.#turn.isSomebodyAtWork()) throw lockError;
      if (nowMs >= untilMs) return false;
      await sleep(RETRY_MS);
      pace.throwIfAborted();
    }
  }

  /** Runs inside a transaction. Whatever it changes here is made anew by `#plan` should the transaction fail. */
  #store({ outcomes, clearedFileId }: Batch): void {
    this.#writer.begin();
    for (const outcome of outcomes) this.#storeOutcome(outcome);
    this.#writer.end();
    if (clearedFileId !== undefined) {
      markForRewrite(this.#index, clearedFileId);
      deleteMessages(this.#index, clearedFileId, MAX_DELETES);
    } else if (this.#reader.isDone && this.#areGoneFilesDeleted()) {
      for (const id of this.#goneDirectories) deleteDirectory(this.#index, id);
      this.#directories.settleAll();
      this.#isFinished = true;
    }
  }

  #storeOutcome(outcome: Outcome): void {
    const { task } = outcome;
    const directoryId = this.#directories.enter(task);
    if (directoryId === undefined) return;
    switch (outcome.kind) {
      case "piece":
        this.#writer.putPiece(directoryId, task.name, outcome.piece, outcome.fileId);
        this.#bytesDone += outcome.piece.bytesRead;
        if (outcome.piece.isLast) this.#directories.leave(task, outcome.piece.facts);
        break;
      case "unchanged":
        this.#directories.leave(task, outcome.facts);
        break;
      case "failed":
        putReadError(this.#index, directoryId, task.name, outcome.error, task.facts);
        this.#failed.push(task);
        this.#directories.leave(task, "failed");
        break;
      case "gone":
        this.#directories.leave(task, "gone");
        break;
    }
  }

  /** Deletes as much as fits into one transaction. */
  #areGoneFilesDeleted(): boolean {
    for (let left = MAX_DELETES; left > 0; ) {
      const id = this.#goneFiles.at(-1);
      if (id === undefined) return true;
      const deleted = deleteMessages(this.#index, id, left);
      if (deleted === left) return false; // more may be left
      deleteFile(this.#index, id);
      this.#goneFiles.pop();
      left -= deleted + 1;
    }
    return this.#goneFiles.length === 0;
  }
}

function textCharsOf({ outcomes }: Batch): number {
  return outcomes.reduce((sum, one) => sum + (one.kind === "piece" ? one.piece.textChars : 0), 0);
}
