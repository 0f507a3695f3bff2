/**
 * The sync plan: what is on disk against what is known, as a value. Pure; opens nothing. A directory whose names and
 * facts are those of the last sync is done with one comparison; only the files of the others are looked at.
 */
import { areFactsEqual, type FileFacts } from "./facts.ts";
import { FILE_STATES, type FileState } from "./schema.ts";
import type { Survey, SurveyedDirectory } from "./survey.ts";

export interface KnownDirectory {
  readonly id: number;
  readonly root: string;
  readonly path: string;
  /** Null while something in it was not up to date. */
  readonly names: string | null;
  readonly facts: Uint8Array | null;
}

export interface KnownFile {
  readonly id: number;
  readonly name: string;
  readonly state: FileState;
  readonly facts: FileFacts;
  readonly reachedBytes: number;
  readonly isOpenEnded: boolean;
  /** True when it could not be read the last time. */
  readonly hasFailed: boolean;
}

/**
 * - `new`: nothing of it is known
 * - `grow`: read on behind the offset reached if the digest holds, else `rewrite`
 * - `rewrite`: read from the start
 */
export type TaskKind = "new" | "grow" | "rewrite";

/** A file to be read. Holds its place in the survey rather than what stands there: there may be very many. */
export class FileTask {
  readonly kind: TaskKind;
  readonly directory: SurveyedDirectory;
  readonly known: KnownFile | undefined;
  readonly #index: number;

  constructor(kind: TaskKind, directory: SurveyedDirectory, index: number, known: KnownFile | undefined) {
    this.kind = kind;
    this.directory = directory;
    this.known = known;
    this.#index = index;
  }

  get name(): string {
    return this.directory.names[this.#index] ?? "";
  }

  get facts(): FileFacts {
    return this.directory.facts.at(this.#index);
  }

  get mtimeMs(): number {
    return this.directory.facts.mtimeMsAt(this.#index);
  }
}

export interface ChangedDirectory {
  readonly directory: SurveyedDirectory;
  /** Undefined when it was never seen. */
  readonly id: number | undefined;
  /** True when files are known that are not there any more. */
  readonly hasGoneFiles: boolean;
}

export interface SyncPlan {
  /** In the order in which they are to be done. */
  readonly tasks: readonly FileTask[];
  /** Files that are gone; empty after an incomplete survey. */
  readonly goneFileIds: readonly number[];
  readonly goneDirectoryIds: readonly number[];
  /** Directories whose stored names and facts are not those on disk. */
  readonly changed: readonly ChangedDirectory[];
}

/** Separates names in `directory.names`; no name holds it. */
const NAME_SEPARATOR = "/";

export function joinNames(names: readonly string[]): string {
  return names.join(NAME_SEPARATOR);
}

/**
 * @param known directories under the roots of the survey
 * @param filesOf the known files of one of them; asked only where something changed
 */
export function planSync(
  survey: Survey,
  known: readonly KnownDirectory[],
  filesOf: (directoryId: number) => readonly KnownFile[],
): SyncPlan {
  const missing = new Map(known.map((directory) => [keyOf(directory), directory]));
  const changed: ChangedDirectory[] = [];
  const tasks: FileTask[] = [];
  const goneFileIds: number[] = [];

  for (const directory of survey.directories) {
    const before = missing.get(keyOf(directory));
    missing.delete(keyOf(directory));
    if (before !== undefined && isUnchanged(directory, before)) continue;
    const files = new Map(before === undefined ? [] : filesOf(before.id).map((file) => [file.name, file]));
    directory.names.forEach((name, i) => {
      const facts = directory.facts.at(i);
      const file = files.get(name);
      files.delete(name);
      const kind = kindOf(facts, file);
      if (kind !== "unchanged") tasks.push(new FileTask(kind, directory, i, file));
    });
    for (const file of files.values()) goneFileIds.push(file.id);
    changed.push({ directory, id: before?.id, hasGoneFiles: files.size > 0 });
  }
  const gone = survey.isComplete ? [...missing.values()] : [];
  for (const directory of gone) goneFileIds.push(...filesOf(directory.id).map((file) => file.id));
  return {
    tasks: tasks.sort(compareTasks),
    goneFileIds: survey.isComplete ? goneFileIds : [],
    goneDirectoryIds: gone.map((directory) => directory.id),
    changed,
  };
}

export function kindOf(facts: FileFacts, known: KnownFile | undefined): TaskKind | "unchanged" {
  if (known === undefined || known.state === FILE_STATES.unread) return "new";
  const isSame = areFactsEqual(facts, known.facts);
  if (isSame && known.state !== FILE_STATES.partial) return "unchanged";
  const hasGrown = facts.inode === known.facts.inode && facts.sizeBytes > known.facts.sizeBytes;
  const canReadOn = (isSame || hasGrown) && known.reachedBytes > 0 && !known.isOpenEnded;
  return canReadOn ? "grow" : "rewrite";
}

function isUnchanged(directory: SurveyedDirectory, before: KnownDirectory): boolean {
  return (
    before.facts !== null &&
    before.names === joinNames(directory.names) &&
    Buffer.compare(before.facts, directory.facts.bytes) === 0
  );
}

/** Newest first, so that what is probably asked for is there first; what failed before goes last. */
function compareTasks(a: FileTask, b: FileTask): number {
  const failed = Number(a.known?.hasFailed ?? false) - Number(b.known?.hasFailed ?? false);
  return failed || b.mtimeMs - a.mtimeMs || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0);
}

function keyOf({ root, path }: { readonly root: string; readonly path: string }): string {
  return `${root}\0${path}`;
}
