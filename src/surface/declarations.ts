/**
 * What Pi is told about each tool. The build writes these values into the extension as plain JSON, so that loading it
 * costs no schema library.
 */
import {
  ListSessionsOutputSchema,
  ListSessionsParamsSchema,
  SessionEntriesOutputSchema,
  SessionEntriesParamsSchema,
} from "./schemas.ts";

const readOnly = { readOnlyHint: true } as const;

export const LIST_SESSIONS = {
  name: "list_sessions",
  label: "List Sessions",
  description: `List Pi session transcripts on disk with their subagent transcripts; headers only.
- Oldest first by default: the newest is last. Filters act on top-level sessions; children come whole.
- \`path\` is the unique handle (ids may repeat). Nesting is subagentSessions; parentSessionPath is fork or clone lineage.
- The current session is left out unless includeCurrentSession.
- warnings name skipped files; an empty list with warnings means unreadable, not absent.`,
  exposure: "codemode",
  annotations: readOnly,
  parameters: ListSessionsParamsSchema,
  outputSchema: ListSessionsOutputSchema,
} as const;

export const SESSION_ENTRIES = {
  name: "session_entries",
  label: "Session Entries",
  description: `Read the stored entries of one session file in file order, every branch. sessionPath must lie inside the session roots.
- Line 1 is the header and never returned; lineNo is the physical line. A cut result has nextLineNo: pass it as startLineNo.
- Filters are ANDed; values in an array are alternatives, exact; null never matches.
- text is a projection without thinking, tool calls, images and shell output; search sees only text, folding case alone. A system row's text is a rendered prompt: narrow by messageRoles.
- raw is the whole line and can be megabytes: project rows in the script, or pass raw: "none".
- warnings cover the whole file whatever the filters. Version 1 files have null ids.`,
  exposure: "codemode",
  annotations: readOnly,
  parameters: SessionEntriesParamsSchema,
  outputSchema: SessionEntriesOutputSchema,
} as const;

export { SESSION_SEARCH } from "./searchDeclaration.ts";
