/**
 * Owns the shape of samples/generated/manifest.json: what the contract makes of every generated file. The
 * expectations are written by hand beside each sample, so nothing here may import the package's own code.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** A transcript that `list_sessions` returns. `parent` is the row it is nested under. */
export interface ListedRow {
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  readonly parentSessionPath?: string;
  readonly parent?: string;
  /** The row is the outermost of its orphans: top level, `orphaned: true`. */
  readonly orphan?: true;
  /** The row is reached only with `includeOrphans` (set on the orphan and on everything nested in it). */
  readonly onlyWithOrphans?: true;
  readonly rule: string;
  readonly note?: string;
}

/** A transcript that costs exactly one warning and is no row. `kind` is this manifest's own slug. */
export interface ListedWarning {
  readonly path: string;
  readonly kind: HeaderFault;
  readonly onlyWithOrphans?: true;
  readonly rule: string;
  readonly note?: string;
}

export type HeaderFault =
  | "empty"
  | "blank"
  | "not-json"
  | "not-object"
  | "type"
  | "id"
  | "cwd"
  | "timestamp"
  | "parent"
  | "too-long";

/** A file, link or directory that is neither a row nor a warning, and whose contents are neither. */
export interface Ignored {
  readonly path: string;
  readonly rule: string;
  readonly note?: string;
}

/** One call of `list_sessions` and the top-level paths that it returns, in order. */
export interface ListingQuery {
  readonly rule: string;
  readonly root: string;
  readonly params: JsonObject;
  /** The file that the host reports as the running session. */
  readonly currentSession?: string;
  readonly expect: readonly string[];
  /** Nested rows that must be missing; every other nested row of `expect` stays. */
  readonly hidden?: readonly string[];
  readonly note?: string;
}

export type LineFate = "entry" | "invalid_json" | "invalid_entry" | "recovered_entry";

export interface ExpectedEntry {
  readonly id: string | null;
  readonly parentId: string | null;
  readonly type: string;
  readonly messageRole: string | null;
  readonly text: string | null;
}

export interface ExpectedLine {
  readonly lineNo: number;
  readonly rule: string;
  readonly expect: LineFate;
  readonly entries?: readonly ExpectedEntry[];
  readonly note?: string;
}

export type RejectKind = "empty" | "blank" | "not-json" | "not-object" | "type" | "version";

/** What `session_entries` makes of one file. Every physical line after line 1 stands in `lines`. */
export interface ExpectedTranscript {
  readonly path: string;
  readonly rule: string;
  /** Not null: the call throws `not a Pi session file: …`, and `version` is null and `lines` empty. */
  readonly reject: RejectKind | null;
  readonly version: number | null;
  readonly lines: readonly ExpectedLine[];
  /** The rows of `branch: "active"`, in file order; the two arrays run in parallel. */
  readonly activeBranchIds?: readonly string[];
  readonly activeBranchLineNos?: readonly number[];
  readonly note?: string;
}

/** How `session_entries` answers a path against the root `store` alone. */
export interface ExpectedPath {
  readonly path: string;
  readonly expect: "opened" | "outside" | "could-not-read";
  readonly rule: string;
}

export interface Manifest {
  readonly about: string;
  readonly timeZone: string;
  readonly root: string;
  readonly flatRoot: string;
  /** A readable root that is neither flat nor holds a project: both lists are empty. */
  readonly notFlatRoot: string;
  readonly listing: {
    /** In the order of the result: each top-level row is followed by its subtree. */
    readonly rows: readonly ListedRow[];
    readonly warnings: readonly ListedWarning[];
    readonly ignored: readonly Ignored[];
    readonly queries: readonly ListingQuery[];
  };
  readonly entries: readonly ExpectedTranscript[];
  readonly paths: readonly ExpectedPath[];
}
