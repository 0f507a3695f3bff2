/**
 * The published schemas: what Pi validates arguments against and shows to scripts. Descriptions are part of the
 * prompt, so they say only what a name and a type cannot. No schema of an output declares a format, because stored
 * strings are returned as they stand.
 */
import { Type } from "typebox";
import { RAW_CHOICES } from "../entries/plan.ts";
import { SORT_DIRECTIONS, SORT_FIELDS } from "../list/plan.ts";
import type { EntryWarningCode, JsonObject, ListSessionsOutput, SessionMetadata } from "../model.ts";
import { CWD_MATCHES } from "../query/cwds.ts";

const closed = { additionalProperties: false } as const;

function oneOf<const T extends readonly string[]>(values: T, description?: string) {
  return Type.Unsafe<T[number]>({ type: "string", enum: values, ...(description ? { description } : {}) });
}

function strings(description?: string) {
  const options = { minItems: 1, ...(description ? { description } : {}) };
  return Type.Optional(Type.Array(Type.String({ minLength: 1 }), options));
}

function count(description?: string) {
  return Type.Optional(Type.Integer({ minimum: 1, ...(description ? { description } : {}) }));
}

export const CwdMatchSchema = oneOf(CWD_MATCHES);
export const SessionSortFieldSchema = oneOf(SORT_FIELDS);
export const SortDirectionSchema = oneOf(SORT_DIRECTIONS);

export const ListSessionsParamsSchema = Type.Object(
  {
    cwds: strings("absolute working directories to keep"),
    cwdMatch: Type.Optional(
      oneOf(
        CWD_MATCHES,
        "default exact; sibling-prefix also keeps <cwd>-*, as worktrees are named (a path rule)",
      ),
    ),
    startTimestamp: Type.Optional(Type.String({ description: "inclusive, ISO 8601" })),
    endTimestamp: Type.Optional(
      Type.String({ description: "inclusive; a bare date covers that day, host timezone" }),
    ),
    includeCurrentSession: Type.Optional(Type.Boolean({ description: "default false" })),
    sortBy: Type.Optional(oneOf(SORT_FIELDS, "default timestamp")),
    sortDirection: Type.Optional(oneOf(SORT_DIRECTIONS, "default asc: newest last")),
    limit: count(),
    cursor: Type.Optional(
      Type.String({ description: "nextCursor of a call with the same filters and order" }),
    ),
    includeOrphans: Type.Optional(
      Type.Boolean({ description: "also transcripts whose launching session cannot be listed" }),
    ),
  },
  closed,
);

/** `$defs` entry; the recursion is a standard JSON Schema reference that Pi and validators resolve alike. */
const METADATA_REF = "#/$defs/SessionMetadata";
const metadataDefinition = Type.Object(
  {
    id: Type.String(),
    path: Type.String(),
    timestamp: Type.String(),
    cwd: Type.String(),
    parentSessionPath: Type.Optional(Type.String()),
    orphaned: Type.Optional(Type.Literal(true)),
    subagentSessions: Type.Array(Type.Unsafe<SessionMetadata>({ $ref: METADATA_REF })),
  },
  closed,
);

export const SessionMetadataSchema = Type.Unsafe<SessionMetadata>({
  $ref: METADATA_REF,
  $defs: { SessionMetadata: metadataDefinition },
});

export const ListSessionsWarningSchema = Type.Object({ path: Type.String(), reason: Type.String() }, closed);

export const ListSessionsOutputSchema = Type.Unsafe<ListSessionsOutput>({
  ...Type.Object(
    {
      sessions: Type.Array(Type.Unsafe<SessionMetadata>({ $ref: METADATA_REF })),
      warnings: Type.Array(ListSessionsWarningSchema),
      nextCursor: Type.Optional(Type.String()),
    },
    closed,
  ),
  $defs: { SessionMetadata: metadataDefinition },
});

export const SessionEntriesParamsSchema = Type.Object(
  {
    sessionPath: Type.String({ minLength: 1, description: "absolute; a path from list_sessions" }),
    startLineNo: count(),
    endLineNo: count("inclusive"),
    ids: strings(),
    parentIds: strings(),
    types: strings(),
    messageRoles: strings(),
    search: Type.Optional(
      Type.Object(
        {
          terms: Type.Array(Type.String({ minLength: 1 }), {
            minItems: 1,
            description: "literal substrings of text, any of them",
          }),
          caseSensitive: Type.Optional(Type.Boolean({ description: "default false" })),
        },
        closed,
      ),
    ),
    startTimestamp: Type.Optional(Type.String({ description: "inclusive, ISO 8601" })),
    endTimestamp: Type.Optional(Type.String({ description: "inclusive" })),
    limit: count(),
    branch: Type.Optional(
      Type.String({ minLength: 1, description: '"active" (what Pi would open) or a tip entry id' }),
    ),
    raw: Type.Optional(oneOf(RAW_CHOICES, "default full; none gives raw: null")),
    maxBytes: count("of entries as JSON, default 16 MiB"),
  },
  closed,
);

const nullableString = Type.Unsafe<string | null>({ type: ["string", "null"] });
const WARNING_CODES = [
  "invalid_json",
  "invalid_entry",
  "legacy_version",
  "recovered_entry",
] as const satisfies readonly EntryWarningCode[];

export const SessionEntriesOutputSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          lineNo: Type.Integer(),
          id: nullableString,
          parentId: nullableString,
          timestamp: Type.String(),
          type: Type.String(),
          messageRole: nullableString,
          text: nullableString,
          raw: Type.Unsafe<JsonObject | null>({ type: ["object", "null"] }),
        },
        closed,
      ),
    ),
    warnings: Type.Array(
      Type.Object(
        {
          lineNo: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
          code: oneOf(WARNING_CODES),
          reason: Type.String(),
        },
        closed,
      ),
    ),
    nextLineNo: Type.Optional(Type.Integer()),
  },
  closed,
);
