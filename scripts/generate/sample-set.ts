/**
 * Owns the collection of samples while they are declared: bytes, links and expectations by path. Refuses a
 * path that is declared twice, so that no expectation can be lost. Writes nothing; see generate-samples.ts.
 */
import type {
  ExpectedPath,
  ExpectedTranscript,
  HeaderFault,
  Ignored,
  ListedRow,
  ListedWarning,
  ListingQuery,
} from "./model.ts";
import type { Transcript } from "./transcript.ts";
import { headerOf, plainTranscript } from "./transcript.ts";

export const STORE = "store";
export const FLAT = "flat";
export const NOT_FLAT = "not-flat";
export const TIME_ZONE = "Europe/Berlin";

/** The name Pi gives a session file: `<ISO time with dashes>_<id>.jsonl`. */
export function shapedName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
}

/** The directory that holds what a session launched: its path without `.jsonl`. */
export function containerOf(path: string): string {
  return path.slice(0, -".jsonl".length);
}

export interface RowDeclaration {
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  readonly rule: string;
  readonly parent?: string;
  readonly orphan?: true;
  readonly onlyWithOrphans?: true;
  readonly note?: string;
}

export class SampleSet {
  readonly files = new Map<string, Buffer>();
  readonly links = new Map<string, string>();
  readonly rows: ListedRow[] = [];
  readonly warnings: ListedWarning[] = [];
  readonly ignored: Ignored[] = [];
  readonly queries: ListingQuery[] = [];
  readonly entries: ExpectedTranscript[] = [];
  readonly paths: ExpectedPath[] = [];

  file(path: string, bytes: Buffer | string): void {
    if (this.files.has(path) || this.links.has(path)) throw new Error(`declared twice: ${path}`);
    this.files.set(path, typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  }

  /** A relative symlink; `target` is relative to the directory of `path`. */
  link(path: string, target: string, rule: string, note?: string): void {
    if (this.files.has(path) || this.links.has(path)) throw new Error(`declared twice: ${path}`);
    this.links.set(path, target);
    this.ignored.push({ path, rule, ...(note === undefined ? {} : { note }) });
  }

  /** A plain, valid session file and its row. */
  session(row: RowDeclaration): string {
    this.file(row.path, plainTranscript(headerOf(row.id, row.timestamp, row.cwd)).bytes());
    this.rows.push(row);
    return row.path;
  }

  row(row: ListedRow): void {
    this.rows.push(row);
  }

  warning(
    path: string,
    kind: HeaderFault,
    rule: string,
    extra: { onlyWithOrphans?: true; note?: string } = {},
  ) {
    this.warnings.push({ path, kind, rule, ...extra });
  }

  /** A plain, valid session file at a place where the listing must not see it. */
  unlisted(path: string, id: string, rule: string, note?: string): void {
    this.file(path, plainTranscript(headerOf(id, "2026-05-09T08:00:00.000Z", "/srv/unlisted")).bytes());
    this.ignored.push({ path, rule, ...(note === undefined ? {} : { note }) });
  }

  /** The bytes of `transcript` and what `session_entries` makes of them. */
  transcript(path: string, rule: string, transcript: Transcript, note?: string): void {
    this.file(path, transcript.bytes());
    this.entries.push(transcript.expected(path, rule, note));
  }

  query(query: Omit<ListingQuery, "root"> & { root?: string }): void {
    this.queries.push({ root: STORE, ...query });
  }

  ignore(path: string, rule: string, note?: string): void {
    this.ignored.push({ path, rule, ...(note === undefined ? {} : { note }) });
  }

  path(path: string, expect: ExpectedPath["expect"], rule: string): void {
    this.paths.push({ path, expect, rule });
  }
}
