/**
 * The published schemas of `session_search`. The parameters declare no bounds for `limit` and `window`, so that a value
 * out of range reaches the plan and is clamped. The output is a union over `mode`, in standard JSON Schema only.
 */
import { Type } from "typebox";
import type { MessageRole, TranscriptWarningCode } from "../model.ts";
import { CWD_MATCHES } from "../query/cwds.ts";
import { OPERATIONS, SCOPES } from "../search/plan.ts";
import { PrepareSchema } from "./prepareSchema.ts";
import { closed, flag, nullableText, oneOf, SPEAKERS, text } from "./schemaParts.ts";

export const SessionSearchParamsSchema = Type.Object(
  {
    query: text(),
    sessionId: text("absolute path of a result"),
    aroundMessageId: text("entry id"),
    branchTip: text("entry id at the branch's end"),
    window: Type.Optional(Type.Integer({ description: "messages per side, 1-20, default 5" })),
    limit: Type.Optional(Type.Integer({ description: "sessions, 1-10, default 3, preparing 10" })),
    cwds: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: "absolute directories" }),
    ),
    cwdMatch: Type.Optional(oneOf(CWD_MATCHES, "default exact; sibling-prefix also keeps <cwd>-*")),
    startTimestamp: text("ISO 8601, inclusive; a bare date is a whole day"),
    endTimestamp: text(),
    operation: Type.Optional(oneOf(OPERATIONS)),
    scope: Type.Optional(oneOf(SCOPES)),
    projectPath: text("scope repository; default cwd"),
  },
  closed,
);

const syncState = {
  backlogRemaining: Type.Optional(Type.Integer()),
  syncWarning: Type.Optional(
    Type.Union([
      Type.Object({ kind: Type.Literal("incomplete-walk") }, closed),
      Type.Object({ kind: Type.Literal("sync-failed"), error: Type.String() }, closed),
    ]),
  ),
};

const DiscoverySchema = Type.Object(
  {
    mode: Type.Literal("discovery"),
    query: Type.String(),
    results: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          name: text(),
          cwd: nullableText,
          startedAt: nullableText,
          rank: Type.Integer(),
          matchMessageId: nullableText,
          lineNo: Type.Integer(),
          role: oneOf(SPEAKERS),
          timestamp: Type.String(),
          snippet: Type.String(),
          match: oneOf(["all", "some"]),
          parentPath: text(),
          branchTip: text(),
        },
        closed,
      ),
    ),
    relaxed: flag,
    ...syncState,
    contentTruncated: flag,
  },
  closed,
);

const BrowseSchema = Type.Object(
  {
    mode: Type.Literal("browse"),
    sessions: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          name: text(),
          cwd: nullableText,
          startedAt: nullableText,
          lastActivityAt: nullableText,
          messageCount: Type.Integer(),
          preview: Type.String(),
          subagents: Type.Optional(Type.Integer()),
        },
        closed,
      ),
    ),
    ...syncState,
    contentTruncated: flag,
  },
  closed,
);

const ROLES = [
  ...SPEAKERS,
  "toolResult",
  "bashExecution",
  "custom",
] as const satisfies readonly MessageRole[];
const WARNING_CODES = [
  "invalid_json",
  "invalid_entry",
  "legacy_version",
  "recovered_entry",
  "missing_id",
  "missing_parent",
  "parent_cycle",
  "more_warnings",
] as const satisfies readonly TranscriptWarningCode[];

const messages = Type.Array(
  Type.Object(
    {
      id: nullableText,
      lineNo: Type.Integer(),
      role: oneOf(ROLES),
      timestamp: Type.String(),
      content: Type.String(),
      toolName: text(),
      isError: flag,
      anchor: flag,
    },
    closed,
  ),
);
const warnings = Type.Optional(
  Type.Array(
    Type.Object(
      {
        lineNo: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
        code: oneOf(WARNING_CODES),
        reason: Type.String(),
      },
      closed,
    ),
  ),
);

const ReadSchema = Type.Object(
  {
    mode: Type.Literal("read"),
    path: Type.String(),
    totalMessages: Type.Integer(),
    truncated: flag,
    messages,
    branchTip: nullableText,
    warnings,
    contentTruncated: flag,
  },
  closed,
);

const ScrollSchema = Type.Object(
  {
    mode: Type.Literal("scroll"),
    path: Type.String(),
    branchTip: Type.String(),
    messages,
    messagesBefore: Type.Integer(),
    messagesAfter: Type.Integer(),
    warnings,
    contentTruncated: flag,
  },
  closed,
);

export const SessionSearchOutputSchema = Type.Union([
  DiscoverySchema,
  BrowseSchema,
  ReadSchema,
  ScrollSchema,
  PrepareSchema,
]);
