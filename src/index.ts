/** The library: the package's main export. */
export { readSessionEntries } from "./entries/readSessionEntries.ts";
export { listSessions } from "./list/listSessions.ts";
export type {
  AllowedProjects,
  CwdMatch,
  EntrySearch,
  EntryWarningCode,
  JsonObject,
  JsonValue,
  ListSessionsOutput,
  ListSessionsParams,
  ListSessionsWarning,
  SessionEntriesOutput,
  SessionEntriesParams,
  SessionEntriesWarning,
  SessionEntry,
  SessionMetadata,
  SessionSortField,
  SortDirection,
  StoreOptions,
} from "./model.ts";
export { ParameterError } from "./session/parameterError.ts";
export type { Execute, ToolResult, ToolStore } from "./surface/execute.ts";
export {
  CwdMatchSchema,
  ListSessionsOutputSchema,
  ListSessionsParamsSchema,
  ListSessionsWarningSchema,
  SessionEntriesOutputSchema,
  SessionEntriesParamsSchema,
  SessionMetadataSchema,
  SessionSortFieldSchema,
  SortDirectionSchema,
} from "./surface/schemas.ts";
export { SettingsSchema } from "./surface/settingsSchema.ts";
export { createListSessionsTool, createSessionEntriesTool } from "./surface/tools.ts";
