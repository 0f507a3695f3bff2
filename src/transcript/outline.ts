/**
 * The structure of one file, from one pass: which entries there are, how they are linked and where their lines lie.
 * Keeps no content: memory grows with the number of entries by their ids and a few numbers each.
 */
import type { TranscriptWarning } from "../model.ts";
import { type EntryLink, FIRST_ADDRESSED_VERSION, judgeLine, type StoredEntry } from "../session/entry.ts";
import { type Line, readLines } from "../session/lines.ts";
import type { Pace } from "../session/pace.ts";
import { roleOf } from "./content.ts";
import type { Transcript } from "./open.ts";

/** An answer names as many skipped lines, and counts the rest in one more warning. */
export const MAX_LINE_WARNINGS = 20;

/** Where a line lies in the file. */
export interface LinePlace {
  readonly number: number;
  readonly offset: number;
  readonly nextOffset: number;
}

export interface Path {
  /** Ordinals, tip first. */
  readonly ordinals: readonly number[];
  /** Why the path ends below a root; undefined when it does not. */
  readonly fault?: "missing_parent" | "parent_cycle";
}

const ROOT = -1;
const MISSING = -2;

/**
 * Entries are known by their ordinal: 0 is the first one below the header, in file order. Links are ordinals too, because
 * a path through a long session by ids costs ten times as much; their meaning is that of `EntryTree`: of duplicate ids
 * the last wins, and an entry without an id stands on no path.
 */
export class Outline {
  readonly #ids: (string | null)[] = [];
  readonly #parentIds: (string | null)[] = [];
  readonly #ordinalOf = new Map<string, number>();
  readonly #skippedParents = new Map<string, string | null>();
  #parents = new Int32Array(0);
  readonly #isMessage: boolean[] = [];
  readonly #lineNumbers: number[] = [];
  readonly #offsets: number[] = [];
  readonly #nextOffsets: number[] = [];
  readonly #warnings: TranscriptWarning[] = [];
  #lineWarningCount = 0;
  #tip: number | undefined;

  get entryCount(): number {
    return this.#ids.length;
  }

  /** The last addressed entry, whose branch Pi would open. */
  get activeTip(): number | undefined {
    return this.#tip;
  }

  add(line: Line, entry: StoredEntry): void {
    const ordinal = this.#ids.length;
    // A linear stretch names each id twice: one copy of it is enough.
    const previousId = this.#ids[ordinal - 1] ?? null;
    this.#ids.push(entry.id);
    this.#parentIds.push(entry.parentId === previousId ? previousId : entry.parentId);
    this.#isMessage.push(roleOf(entry) !== undefined);
    this.#lineNumbers.push(line.number);
    this.#offsets.push(line.offset);
    this.#nextOffsets.push(line.nextOffset);
    if (entry.id === null) return;
    this.#ordinalOf.set(entry.id, ordinal);
    this.#tip = ordinal;
  }

  /** Links the entries, once all are known: a parent may stand below its child, or be replaced there. */
  async link(pace: Pace): Promise<void> {
    this.#parents = new Int32Array(this.entryCount);
    for (let ordinal = 0; ordinal < this.entryCount; ordinal++) {
      const parentId = this.#throughSkipped(this.parentIdOf(ordinal));
      this.#parents[ordinal] = parentId === null ? ROOT : (this.#ordinalOf.get(parentId) ?? MISSING);
      if (ordinal % 1000 === 0 && pace.isDue()) await pace.rest();
    }
  }

  /** A line that is no entry and still links: branches lead through it, as in Pi. */
  addSkipped({ id, parentId }: EntryLink): void {
    if (id !== null) this.#skippedParents.set(id, parentId);
  }

  /** The nearest id above that an entry has, or the id where the links end. */
  #throughSkipped(parentId: string | null): string | null {
    let id = parentId;
    for (let hops = 0; id !== null && hops <= this.#skippedParents.size; hops++) {
      if (this.#ordinalOf.has(id) || !this.#skippedParents.has(id)) return id;
      id = this.#skippedParents.get(id) ?? null;
    }
    return id;
  }

  idOf(ordinal: number): string | null {
    return this.#ids[ordinal] ?? null;
  }

  parentIdOf(ordinal: number): string | null {
    return this.#parentIds[ordinal] ?? null;
  }

  /** The entry that an id stands for. */
  ordinalOf(id: string): number | undefined {
    return this.#ordinalOf.get(id);
  }

  parentOf(ordinal: number): number | undefined {
    const parent = this.#parents[ordinal] ?? ROOT;
    return parent < 0 ? undefined : parent;
  }

  pathFrom(tip: number): Path {
    const ordinals: number[] = [];
    const isSeen = new Uint8Array(this.entryCount);
    let at: number = tip;
    while (at >= 0 && isSeen[at] === 0) {
      isSeen[at] = 1;
      ordinals.push(at);
      at = this.#parents[at] ?? ROOT;
    }
    if (at === ROOT) return { ordinals };
    return { ordinals, fault: at === MISSING ? "missing_parent" : "parent_cycle" };
  }

  isMessage(ordinal: number): boolean {
    return this.#isMessage[ordinal] ?? false;
  }

  lineOf(ordinal: number): LinePlace {
    const number = this.#lineNumbers[ordinal];
    const offset = this.#offsets[ordinal];
    const nextOffset = this.#nextOffsets[ordinal];
    if (number === undefined || offset === undefined || nextOffset === undefined) {
      throw new RangeError(`no entry has the ordinal ${ordinal}`);
    }
    return { number, offset, nextOffset };
  }

  /** How many entries of the same line stand before this one. */
  placeInLine(ordinal: number): number {
    let place = 0;
    while (place < ordinal && this.#offsets[ordinal - place - 1] === this.#offsets[ordinal]) place++;
    return place;
  }

  /** A warning about one line. Only the first ones are kept, the others counted. */
  warnOfLine(warning: TranscriptWarning): void {
    this.#lineWarningCount++;
    if (this.#warnings.length < MAX_LINE_WARNINGS) this.#warnings.push(warning);
  }

  /** In line order, closed by a count of those left out. */
  get warnings(): readonly TranscriptWarning[] {
    const left = this.#lineWarningCount - this.#warnings.length;
    if (left === 0) return this.#warnings;
    const reason = `${left} more lines cost a warning; session_entries names them all`;
    return [...this.#warnings, { lineNo: null, code: "more_warnings", reason }];
  }
}

/** Reads and judges every line below the header. */
export async function readOutline({ file, version, pace }: Transcript): Promise<Outline> {
  const outline = new Outline();
  const isAddressed = version >= FIRST_ADDRESSED_VERSION;
  for (const line of readLines(file.fd, { toOffset: file.size })) {
    if (pace.isDue()) await pace.rest();
    if (line.number === 1) continue;
    const { entries, problem, skippedLink } = judgeLine(line, version);
    if (skippedLink !== undefined) outline.addSkipped(skippedLink);
    if (problem !== undefined) outline.warnOfLine({ lineNo: line.number, ...problem });
    for (const entry of entries) {
      outline.add(line, entry);
      if (isAddressed && entry.id === null) {
        const reason = "entry has no id, so it stands on no branch";
        outline.warnOfLine({ lineNo: line.number, code: "missing_id", reason });
      }
    }
  }
  await outline.link(pace);
  return outline;
}
