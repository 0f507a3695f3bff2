/**
 * The directories of a sync pass with files that are not up to date. Their stored facts are taken back before the first
 * change and stored again when all their files are done: a pass that ends in between leaves them to be looked at.
 */
import type { IndexDatabase } from "./database.ts";
import { areFactsEqual, FactList, type FileFacts } from "./facts.ts";
import { clearDirectoryFacts, ensureDirectory, putDirectoryFacts } from "./fileRows.ts";
import { type FileTask, joinNames, type SyncPlan } from "./plan.ts";
import type { SurveyedDirectory } from "./survey.ts";

interface OpenDirectory {
  readonly directory: SurveyedDirectory;
  id: number | undefined;
  openTasks: number;
  /** True when the stored facts of its files are taken back. */
  isCleared: boolean;
  /** True when something in it stays undone. */
  isIncomplete: boolean;
  /** True until the rows of files that are gone have been deleted. */
  readonly hasGoneFiles: boolean;
  /** Of files that have changed since the survey. */
  facts: Map<string, FileFacts> | undefined;
}

/** What became of a file: its facts when it is up to date, or why it is not. */
export type Done = FileFacts | "failed" | "gone";

export class OpenDirectories {
  readonly #index: IndexDatabase;
  readonly #open = new Map<SurveyedDirectory, OpenDirectory>();

  constructor(index: IndexDatabase, plan: SyncPlan, isSurveyComplete: boolean) {
    this.#index = index;
    for (const { directory, id, hasGoneFiles } of plan.changed) {
      this.#open.set(directory, {
        directory,
        id,
        openTasks: 0,
        isCleared: false,
        isIncomplete: hasGoneFiles && !isSurveyComplete,
        hasGoneFiles,
        facts: undefined,
      });
    }
    for (const task of plan.tasks) {
      const open = this.#open.get(task.directory);
      if (open !== undefined) open.openTasks++;
    }
  }

  /** Undefined as long as nothing of it is stored. */
  idOf({ directory }: FileTask): number | undefined {
    return this.#open.get(directory)?.id;
  }

  /** The id under which something of it is about to be stored; undefined for a directory that is settled. */
  enter({ directory }: FileTask): number | undefined {
    const open = this.#open.get(directory);
    if (open === undefined) return undefined;
    open.id ??= ensureDirectory(this.#index, directory);
    if (!open.isCleared) clearDirectoryFacts(this.#index, open.id);
    open.isCleared = true;
    return open.id;
  }

  leave(task: FileTask, done: Done): void {
    const open = this.#open.get(task.directory);
    if (open === undefined) return;
    if (typeof done === "string") open.isIncomplete = true;
    else if (!areFactsEqual(done, task.facts)) {
      open.facts ??= new Map();
      open.facts.set(task.name, done);
    }
    open.openTasks--;
    if (open.openTasks === 0 && !open.hasGoneFiles) this.#settle(open);
  }

  /** After the rows of files that are gone have been deleted. */
  settleAll(): void {
    for (const open of this.#open.values()) this.#settle(open);
  }

  /** All of its files are up to date: the next sync compares them at once. */
  #settle(open: OpenDirectory): void {
    this.#open.delete(open.directory);
    if (open.isIncomplete || open.openTasks > 0) return;
    const { names, facts } = open.directory;
    const settled = names.map((name, i) => open.facts?.get(name) ?? facts.at(i));
    open.id ??= ensureDirectory(this.#index, open.directory);
    putDirectoryFacts(this.#index, open.id, joinNames(names), FactList.from(settled).bytes);
  }
}
