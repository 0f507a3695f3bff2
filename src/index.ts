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
  SearchHit,
  SessionEntriesOutput,
  SessionEntriesParams,
  SessionEntriesWarning,
  SessionEntry,
  SessionMetadata,
  SessionSearchOutput,
  SessionSearchParams,
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
export { SessionSearchOutputSchema, SessionSearchParamsSchema } from "./surface/searchSchemas.ts";
export { type SearchOptions, searchSessions } from "./surface/searchSessions.ts";
export { SettingsSchema } from "./surface/settingsSchema.ts";
export {
  createListSessionsTool,
  createSessionEntriesTool,
  createSessionSearchTool,
} from "./surface/tools.ts";
