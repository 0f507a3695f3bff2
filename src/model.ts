/**
 * The values that cross room borders. Imports nothing, so everything may import it; types alone, in one file whatever its
 * length, so that they are found in one place.
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

// --- session_search: one tool, its answer discriminated by `mode` ---

export type SessionSearchOperation = "prepare-pattern-miner";
export type MiningScope = "repository" | "all";

export interface SessionSearchParams {
  /** Discovery. Trimmed; blank means absent; only the first 512 characters count. */
  readonly query?: string | undefined;
  /** Read and scroll: absolute path of a session file, as a result's `path` names it. */
  readonly sessionId?: string | undefined;
  readonly aroundMessageId?: string | undefined;
  readonly branchTip?: string | undefined;
  /** Messages on either side of the anchor, clamped to 1…20. Default 5. */
  readonly window?: number | undefined;
  /** Sessions, clamped to 1…10. Default 3; 10 when preparing. */
  readonly limit?: number | undefined;
  readonly cwds?: readonly string[] | undefined;
  readonly cwdMatch?: CwdMatch | undefined;
  readonly startTimestamp?: string | undefined;
  readonly endTimestamp?: string | undefined;
  readonly operation?: SessionSearchOperation | undefined;
  readonly scope?: MiningScope | undefined;
  readonly projectPath?: string | undefined;
}

/** Why an answer may be older than the files. */
export type SyncWarning =
  | { readonly kind: "incomplete-walk" }
  | { readonly kind: "sync-failed"; readonly error: string };

/** What the answer of a search says about the index. */
export type SyncState = {
  /** Files still to be indexed; absent when none are. */
  readonly backlogRemaining?: number;
  readonly syncWarning?: SyncWarning;
};

export type SearchHit = {
  readonly path: string;
  readonly name?: string;
  /** Null when the header has none. */
  readonly cwd: string | null;
  readonly startedAt: string | null;
  /** 0 is the best. */
  readonly rank: number;
  /** Null where ids do not last, as in version 1 files. */
  readonly matchMessageId: string | null;
  readonly lineNo: number;
  readonly role: "user" | "assistant";
  readonly timestamp: string;
  readonly snippet: string;
  /** `some` marks a hit of the relaxed query. */
  readonly match: "all" | "some";
  readonly parentPath?: string;
  readonly branchTip?: string;
};

/** Told to people besides an answer; no tool returns it. */
export type ForPeople = {
  /** Sessions whose name matches the query, the latest first, at most three. */
  readonly named: readonly {
    readonly path: string;
    readonly name: string;
    readonly cwd: string | null;
    readonly lastActivityAt: string | null;
  }[];
  /** By path: how the sessions without a name begin, of those that were found. */
  readonly firstWords: Readonly<Record<string, string>>;
};

export type DiscoveryOutput = SyncState & {
  readonly mode: "discovery";
  readonly query: string;
  readonly results: readonly SearchHit[];
  readonly relaxed?: true;
  readonly contentTruncated?: true;
};

export type BrowsedSession = {
  readonly path: string;
  readonly name?: string;
  readonly cwd: string | null;
  readonly startedAt: string | null;
  readonly lastActivityAt: string | null;
  readonly messageCount: number;
  readonly preview: string;
  /** How many subagent sessions were launched from it; absent when none were. */
  readonly subagents?: number;
};

export type BrowseOutput = SyncState & {
  readonly mode: "browse";
  readonly sessions: readonly BrowsedSession[];
  readonly contentTruncated?: true;
};

export type MessageRole = "user" | "assistant" | "toolResult" | "bashExecution" | "custom";

export type TranscriptMessage = {
  /** Null in a version 1 file. */
  readonly id: string | null;
  readonly lineNo: number;
  readonly role: MessageRole;
  readonly timestamp: string;
  readonly content: string;
  readonly toolName?: string;
  readonly isError?: true;
  readonly anchor?: true;
};

export type TranscriptWarningCode =
  | EntryWarningCode
  | "missing_id"
  | "missing_parent"
  | "parent_cycle"
  | "more_warnings";

export type TranscriptWarning = {
  /** Physical line, 1-based; null for the file as a whole. */
  readonly lineNo: number | null;
  readonly code: TranscriptWarningCode;
  readonly reason: string;
};

export type ReadOutput = {
  readonly mode: "read";
  readonly path: string;
  /** Messages on the branch, returned or not. */
  readonly totalMessages: number;
  /** The middle of the branch was left out. */
  readonly truncated?: true;
  readonly messages: readonly TranscriptMessage[];
  /** Null in a version 1 file and in one without entries. */
  readonly branchTip: string | null;
  readonly warnings?: readonly TranscriptWarning[];
  readonly contentTruncated?: true;
};

export type ScrollOutput = {
  readonly mode: "scroll";
  readonly path: string;
  readonly branchTip: string;
  readonly messages: readonly TranscriptMessage[];
  /** Messages of the branch before the first one returned, and after the last one: 0 means that it ends there. */
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly warnings?: readonly TranscriptWarning[];
  readonly contentTruncated?: true;
};

export type PreparedMessage = {
  readonly id: string | null;
  readonly role: "user" | "assistant";
  readonly timestamp: string;
  readonly text: string;
};

export type PreparedSession = {
  readonly path: string;
  readonly cwd: string | null;
  readonly startedAt: string | null;
  readonly name?: string;
  readonly parentSessionPath?: string;
  readonly messages: readonly PreparedMessage[];
  readonly truncated?: true;
  readonly contentTruncated?: true;
  /** Why the session could not be read; its metadata stands. */
  readonly error?: string;
};

export type InventoryCollection = "packageScripts" | "executableScripts" | "agentInstructions" | "skills";

export type RepositoryInventory =
  | {
      readonly available: true;
      readonly worktreeVerified: false;
      readonly sources: Readonly<Record<InventoryCollection, "git-index" | "pi-effective-registry">>;
      readonly packageScripts: readonly {
        readonly path: string;
        readonly name: string;
        readonly command: string;
      }[];
      readonly executableScripts: readonly string[];
      readonly agentInstructions: readonly string[];
      readonly skills: readonly {
        readonly name: string;
        readonly description: string;
        readonly path: string;
      }[];
      readonly omittedCounts: Readonly<Record<InventoryCollection, number>>;
      readonly truncated?: true;
    }
  | { readonly available: false; readonly reason: "not-a-git-repository" | "inventory-failed" };

export type PrepareOutput = {
  readonly mode: "prepare-pattern-miner";
  readonly scope: MiningScope;
  readonly projectRoot?: string;
  readonly sync: {
    readonly walkComplete: boolean;
    readonly backlogRemaining: number;
    readonly complete: boolean;
  };
  readonly sessions: readonly PreparedSession[];
  readonly inventory: RepositoryInventory;
  readonly contentTruncated?: true;
};

export type SessionSearchOutput = DiscoveryOutput | BrowseOutput | ReadOutput | ScrollOutput | PrepareOutput;
