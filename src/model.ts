/**
 * The values that cross room borders. Imports nothing, so everything may import it.
 * The published schemas describe the same shapes; a type test holds the two together.
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Lists of project basenames, all of which must allow a project. A list that holds "*" allows every one. */
export type AllowedProjects = readonly (readonly string[])[];

/** Where session files are looked for, and what the host knows about the call. */
export interface StoreOptions {
  /** Directory of session files, read as Pi lays it out. A relative path is resolved against the process's directory. */
  readonly sessionsRoot: string;
  /** Further roots, each of the default or the flat layout. */
  readonly additionalRoots?: readonly string[] | undefined;
  /** Stops the operation between files and between lines. */
  readonly signal?: AbortSignal | undefined;
  /** The session file this call runs inside; absent or empty when there is none. */
  readonly currentSessionPath?: string | undefined;
  /** Bounds what can be reached; a session outside looks as if it did not exist. Default: everything. */
  readonly allowedProjects?: AllowedProjects | undefined;
}

export type CwdMatch = "exact" | "sibling-prefix";
export type SessionSortField = "timestamp" | "cwd" | "path" | "id";
export type SortDirection = "asc" | "desc";

export interface ListSessionsParams {
  readonly cwds?: readonly string[] | undefined;
  readonly cwdMatch?: CwdMatch | undefined;
  readonly startTimestamp?: string | undefined;
  readonly endTimestamp?: string | undefined;
  readonly includeCurrentSession?: boolean | undefined;
  readonly sortBy?: SessionSortField | undefined;
  readonly sortDirection?: SortDirection | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly includeOrphans?: boolean | undefined;
}

export type SessionMetadata = {
  readonly id: string;
  /** Absolute and unique among rows: the handle of the session. */
  readonly path: string;
  readonly timestamp: string;
  readonly cwd: string;
  readonly parentSessionPath?: string;
  readonly orphaned?: true;
  readonly subagentSessions: readonly SessionMetadata[];
};

export type ListSessionsWarning = {
  readonly path: string;
  readonly reason: string;
};

export type ListSessionsOutput = {
  readonly sessions: readonly SessionMetadata[];
  readonly warnings: readonly ListSessionsWarning[];
  readonly nextCursor?: string;
};

export interface EntrySearch {
  readonly terms: readonly string[];
  readonly caseSensitive?: boolean | undefined;
}

export interface SessionEntriesParams {
  readonly sessionPath: string;
  readonly startLineNo?: number | undefined;
  readonly endLineNo?: number | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly parentIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly messageRoles?: readonly string[] | undefined;
  readonly search?: EntrySearch | undefined;
  readonly startTimestamp?: string | undefined;
  readonly endTimestamp?: string | undefined;
  readonly limit?: number | undefined;
  readonly branch?: string | undefined;
  readonly raw?: "full" | "none" | undefined;
  readonly maxBytes?: number | undefined;
}

export type SessionEntry = {
  readonly lineNo: number;
  readonly id: string | null;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly type: string;
  readonly messageRole: string | null;
  readonly text: string | null;
  /** The whole parsed line; null only with `raw: "none"`. */
  readonly raw: JsonObject | null;
};

export type EntryWarningCode = "invalid_json" | "invalid_entry" | "legacy_version" | "recovered_entry";

export type SessionEntriesWarning = {
  /** Physical line, 1-based; null for the file as a whole. */
  readonly lineNo: number | null;
  readonly code: EntryWarningCode;
  readonly reason: string;
};

export type SessionEntriesOutput = {
  readonly entries: readonly SessionEntry[];
  readonly warnings: readonly SessionEntriesWarning[];
  readonly nextLineNo?: number;
};
