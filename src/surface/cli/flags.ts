/** Flags that several commands share, and the value that a command line becomes. */
import { InvalidArgumentError, Option } from "commander";
import type { ListSessionsParams, SessionEntriesParams, SessionSearchParams } from "../../model.ts";
import { CWD_MATCHES } from "../../query/cwds.ts";
import type { StoreFlags } from "./store.ts";

export interface CommonFlags {
  readonly store: StoreFlags;
  readonly json: boolean;
  readonly failIfEmpty: boolean;
}

export type ListCommand = CommonFlags & {
  readonly name: "list";
  readonly params: ListSessionsParams;
  readonly withPaths: boolean;
};
export type EntriesCommand = CommonFlags & {
  readonly name: "entries";
  readonly params: SessionEntriesParams;
};
/** Search and show ask the same tool. */
export type SearchCommand = CommonFlags & {
  readonly name: "search" | "show";
  readonly params: SessionSearchParams;
};
export type IndexCommand = CommonFlags & {
  readonly name: "index";
  readonly rebuild: boolean;
  readonly status: boolean;
};
export type DoctorCommand = CommonFlags & { readonly name: "doctor" };
export type PrepareCommand = CommonFlags & { readonly name: "prepare"; readonly params: SessionSearchParams };
export type DemoCommand = CommonFlags & { readonly name: "demo" };
export type CompletionCommand = CommonFlags & { readonly name: "completion"; readonly script: string };

export type CliCommand =
  | ListCommand
  | EntriesCommand
  | SearchCommand
  | IndexCommand
  | DoctorCommand
  | PrepareCommand
  | DemoCommand
  | CompletionCommand;
export type Accept = (command: CliCommand) => unknown;

/** Options of commander, of which only the store's are known here. */
export type Options = Record<string, unknown> & StoreFlags;

export function commonFlagsOf(options: Options): CommonFlags {
  const { agentDir, root, index, respectAllowlist } = options;
  const store: StoreFlags = {
    ...(agentDir === undefined ? {} : { agentDir }),
    ...(root === undefined ? {} : { root }),
    ...(index === undefined ? {} : { index }),
    ...(respectAllowlist === undefined ? {} : { respectAllowlist }),
  };
  return { store, json: options["json"] === true, failIfEmpty: options["failIfEmpty"] === true };
}

/** The options that are parameters of an operation: all but those of the command line itself. */
export function paramsOf<T extends Options>(options: T): Omit<T, CliOption> {
  const { json, failIfEmpty, agentDir, root, index, respectAllowlist, ...params } = options;
  return params;
}
type CliOption = "json" | "failIfEmpty" | keyof StoreFlags;

export function repeatable(flags: string, description: string): Option {
  const collect = (value: string, previous: unknown) => [...(Array.isArray(previous) ? previous : []), value];
  return new Option(flags, description).argParser(collect);
}

/** Bounds are the operation's business; here a value only has to be a number. */
export function integer(value: string): number {
  const number = Number(value);
  if (value.trim() === "" || Number.isNaN(number)) throw new InvalidArgumentError("expected a number");
  return number;
}

export const cwdFlag = () =>
  repeatable("--cwd, --cwds <dir>", "keep sessions of this working directory; repeatable");
export const cwdMatchFlag = () =>
  new Option("--cwd-match <rule>", "exact, or also <dir>-* as worktrees are named").choices(CWD_MATCHES);
export const sinceFlag = () =>
  new Option("--since, --start-timestamp <time>", "inclusive; a date, or a date and time (ISO 8601)");
export const untilFlag = () =>
  new Option("--until, --end-timestamp <time>", "inclusive; a bare date covers that day");

/** What parameters are called on the command line. */
const FLAG_OF: Readonly<Record<string, string>> = {
  aroundMessageId: "--around",
  branchTip: "--branch-tip",
  caseSensitive: "--case-sensitive",
  cursor: "--cursor",
  cwdMatch: "--cwd-match",
  cwds: "--cwd",
  endLineNo: "--end-line-no",
  endTimestamp: "--until",
  ids: "--id",
  includeOrphans: "--include-orphans",
  limit: "--limit",
  maxBytes: "--max-bytes",
  messageRoles: "--role",
  parentIds: "--parent-id",
  projectPath: "--project-path",
  sessionId: "the session file",
  sessionPath: "the session file",
  sortBy: "--sort-by",
  sortDirection: "--sort-direction",
  startLineNo: "--start-line-no",
  startTimestamp: "--since",
  types: "--type",
  window: "--window",
};
const PARAMETER = new RegExp(`(?<![\\w"/\\\\-])(${Object.keys(FLAG_OF).join("|")})(?![\\w"/\\\\-])`, "g");

/** A message about parameters in the words of the command line; what stands in quotes is the caller's and stays. */
export function inFlags(message: string): string {
  return message
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(PARAMETER, (name) => FLAG_OF[name] ?? name)))
    .join("");
}
