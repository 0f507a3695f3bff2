/** Runs one command and says with which status the process should end. */
import { existsSync } from "node:fs";
import path from "node:path";
import { CommanderError } from "commander";
import { readSessionEntries } from "../../entries/readSessionEntries.ts";
import { diagnose } from "../../index/diagnose.ts";
import type { IndexService } from "../../index/service.ts";
import { indexStatus } from "../../index/status.ts";
import { listSessions } from "../../list/listSessions.ts";
import type { StoreOptions } from "../../model.ts";
import { messageOf } from "../../session/json.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { requireRoots } from "../../session/store.ts";
import { expandHome } from "../agentDir.ts";
import { DEFAULT_TOOL_MAX_BYTES } from "../execute.ts";
import { inlineEngine, withService } from "../inlineEngine.ts";
import { entryWarningText } from "../render.ts";
import { runSearch } from "../search.ts";
import { visible } from "../visible.ts";
import { runDemo } from "./demo.ts";
import { printEntries } from "./entries.ts";
import type {
  CliCommand,
  DoctorCommand,
  EntriesCommand,
  IndexCommand,
  ListCommand,
  SearchCommand,
} from "./flags.ts";
import { advice, statusLines } from "./indexStatus.ts";
import { printSessions } from "./list.ts";
import { parseCommand } from "./program.ts";
import { ProgressBar } from "./progress.ts";
import { printHits, printMessages, printRecent, shellWord, stateNotes } from "./search.ts";
import { type CliHost, type CliStore, storeOf } from "./store.ts";
import { styled, type Terminal } from "./terminal.ts";

export const EXIT = { ok: 0, failure: 1, callerMistake: 2, empty: 3 } as const;

const MAX_TERMINAL_WARNINGS = 10;

export interface Cli extends Pick<CliHost, "environment" | "workingDirectory"> {
  readonly version: string;
  /** Where the package's own files lie. */
  readonly packageRoot: string;
  readonly out: Terminal;
  readonly err: Terminal;
  readonly signal?: AbortSignal;
}

/** Errors become one line on `err`. */
export async function runCli(args: readonly string[], cli: Cli): Promise<number> {
  try {
    const writeErr = (text: string) =>
      cli.err.write(text.replace(/^error:/, styled(cli.err, "red", "error:")));
    const output = { writeOut: cli.out.write, writeErr };
    const command = parseCommand(args, cli.version, output);
    const isEmpty = await runCommand(command, cli);
    return isEmpty && command.failIfEmpty ? EXIT.empty : EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.callerMistake;
    cli.err.write(`${styled(cli.err, "red", "error:")} ${visible(messageOf(error))}\n`);
    return error instanceof ParameterError ? EXIT.callerMistake : EXIT.failure;
  }
}

/** What every command works with. */
interface Run {
  readonly cli: Cli;
  readonly store: CliStore;
  readonly warn: (message: string) => void;
  readonly note: (message: string) => void;
  readonly resolve: (given: string) => string;
}

/** Returns whether nothing was found. */
async function runCommand(command: CliCommand, cli: Cli): Promise<boolean> {
  const warn = (message: string) =>
    cli.err.write(`${styled(cli.err, "yellow", "warning:")} ${visible(message)}\n`);
  const note = (message: string) => cli.err.write(`${styled(cli.err, "dim", visible(message))}\n`);
  const found = storeOf(command.store, { ...cli, warn });
  const store = cli.signal === undefined ? found : { ...found, signal: cli.signal };
  const resolve = (given: string) => path.resolve(cli.workingDirectory, expandHome(given));
  const run = { cli, store, warn, note, resolve };
  switch (command.name) {
    case "list":
      return runList(command, run);
    case "entries":
      return runEntries(command, run);
    case "search":
    case "show":
      return runSearchCommand(command, run);
    case "index":
      return runIndex(command, run);
    case "doctor":
      return runDoctor(command, run);
    case "demo":
      await runDemo(path.join(cli.packageRoot, "samples", "recorded", "sessions"), cli.out);
      return false;
    case "completion":
      cli.out.write(command.script);
      return false;
  }
}

function absoluteCwds(cwds: readonly string[] | undefined, { resolve }: Run): readonly string[] | undefined {
  return cwds?.map((cwd) => (cwd === "" || path.win32.isAbsolute(cwd) ? cwd : resolve(cwd)));
}

async function runList(command: ListCommand, run: Run): Promise<boolean> {
  const { cli, store, note, warn } = run;
  const cwds = absoluteCwds(command.params.cwds, run);
  const output = await listSessions({ ...command.params, cwds }, store);
  if (command.json) printJson(output, cli);
  else {
    await printSessions(output, command, cli.out, cli.signal);
    if (output.sessions.length === 0) note(`no sessions match in ${rootsOf(store).join(", ")}`);
    if (output.nextCursor !== undefined) note(`more with --cursor ${output.nextCursor}`);
    if (output.sessions.length > 0 && !command.withPaths && cli.err.columns !== undefined) {
      note("--paths shows each session's file");
    }
    warnAll(
      output.warnings.map(({ path: at, reason }) => `${at}: ${reason}`),
      warn,
      cli.err,
    );
  }
  return output.sessions.length === 0;
}

async function runEntries(
  command: EntriesCommand,
  { cli, store, note, warn, resolve }: Run,
): Promise<boolean> {
  const params = { ...command.params, sessionPath: resolve(command.params.sessionPath) };
  if (command.json) {
    const output = await readSessionEntries({ maxBytes: DEFAULT_TOOL_MAX_BYTES, ...params }, store);
    printJson(output, cli);
    return output.entries.length === 0;
  }
  const output = await readSessionEntries({ ...params, raw: "none" }, store).catch(
    withAdvice(params.sessionPath),
  );
  printEntries(output, cli.out);
  if (output.entries.length === 0) note("no entries match");
  if (output.nextLineNo !== undefined) note(`more with --start-line-no ${output.nextLineNo}`);
  warnAll(output.warnings.map(entryWarningText), warn, cli.err);
  return output.entries.length === 0;
}

/** A person waits until everything is searched, so the index is brought up to date without a budget. */
async function runSearchCommand(command: SearchCommand, run: Run): Promise<boolean> {
  const { cli, store, note, resolve } = run;
  const { sessionId } = command.params;
  const cwds = absoluteCwds(command.params.cwds, run);
  const params = {
    ...command.params,
    ...(cwds === undefined ? {} : { cwds }),
    ...(sessionId === undefined ? {} : { sessionId: resolve(sessionId) }),
  };
  const bar = new ProgressBar(cli.err);
  const engine = inlineEngine(store.indexPath, bar.show);
  const options = { ...store, syncBudgetMs: Number.POSITIVE_INFINITY };
  const output = await runSearch(params, options, engine)
    .catch(params.sessionId === undefined ? rethrow : withAdvice(params.sessionId))
    .finally(() => bar.clear());
  if (command.json) printJson(output, cli);
  switch (output.mode) {
    case "discovery":
    case "browse": {
      const count = output.mode === "discovery" ? output.results.length : output.sessions.length;
      if (!command.json) {
        if (output.mode === "discovery") printHits(output, storeFlagsOf(command), cli.out);
        else printRecent(output, storeFlagsOf(command), cli.out);
        if (count === 0) note(`nothing found in ${rootsOf(store).join(", ")}`);
        for (const sentence of stateNotes(output)) note(sentence);
      }
      return count === 0;
    }
    case "read":
    case "scroll": {
      if (!command.json) {
        printMessages(output, cli.out);
        if (output.mode === "read" && output.truncated) {
          note(`${output.messages.length} of ${output.totalMessages} messages; --around ID shows others`);
        }
        if (output.contentTruncated) note("texts were shortened; pi-retrospect entries shows them whole");
        for (const { lineNo, code, reason } of output.warnings ?? []) {
          note(`${lineNo === null ? "file" : `line ${lineNo}`} ${code}: ${reason}`);
        }
      }
      return output.messages.length === 0;
    }
    case "prepare-pattern-miner":
      return output.sessions.length === 0;
  }
}

function storeFlagsOf({ store: { root = [], agentDir, index } }: SearchCommand): string {
  const flags = [
    ...root.map((directory) => `--root ${shellWord(directory)}`),
    ...(agentDir === undefined ? [] : [`--agent-dir ${shellWord(agentDir)}`]),
    ...(index === undefined ? [] : [`--index ${shellWord(index)}`]),
  ];
  return flags.map((flag) => ` ${flag}`).join("");
}

async function runIndex(command: IndexCommand, { cli, store, note }: Run): Promise<boolean> {
  const { request, use } = requireIndex(store);
  const bar = new ProgressBar(cli.err);
  const status = await use(async (service) => {
    if (command.rebuild) await service.rebuild();
    if (!command.status) {
      const result = await service.sync({ ...request, onProgress: bar.show }).finally(() => bar.clear());
      if (result.warning?.kind === "sync-failed")
        throw new Error(`the index cannot be written: ${result.warning.error}`);
    }
    return indexStatus(await service.index(), request);
  });
  if (command.json) printJson(status, cli);
  else for (const line of statusLines(status)) cli.out.write(`${visible(line)}\n`);
  if (!command.json && status.backlogFiles > 0) note("pi-retrospect index brings the index up to date");
  return status.sessions === 0;
}

async function runDoctor(command: DoctorCommand, { cli, store }: Run): Promise<boolean> {
  const { request, use } = requireIndex(store);
  const diagnosis = await use(async (service) => diagnose(await service.index(), request));
  if (command.json) {
    printJson(diagnosis, cli);
    return false;
  }
  for (const line of statusLines(diagnosis.status)) cli.out.write(`${visible(line)}\n`);
  const { checkedFiles, differingFiles, integrity } = diagnosis;
  cli.out.write(
    `checked   ${checkedFiles} files against the index, ${differingFiles.length} differ; database ${integrity}\n`,
  );
  const problems = [
    ...advice(diagnosis.status),
    ...(integrity === "ok" ? [] : ["the database is damaged. Run: pi-retrospect index --rebuild"]),
    ...differingFiles.map(
      (file) =>
        `${file} was changed far back and then appended to, which no sync can see. Run: pi-retrospect index --rebuild`,
    ),
  ];
  if (problems.length === 0) cli.out.write("all is well\n");
  for (const problem of problems)
    cli.out.write(`${styled(cli.out, "yellow", "problem:")} ${visible(problem)}\n`);
  return false;
}

function requireIndex({ indexPath, excludePrefixes, signal, ...store }: CliStore) {
  if (indexPath === undefined) {
    throw new ParameterError("--root names a store without an index of its own; name one with --index FILE");
  }
  const request = { roots: requireRoots(store), excludePrefixes, signal };
  return { request, use: <T>(work: (service: IndexService) => Promise<T>) => withService(indexPath, work) };
}

function rethrow(error: unknown): never {
  throw error;
}

/** A person at a terminal sees the first warnings and how many there are; a log gets them all. */
function warnAll(warnings: readonly string[], warn: (message: string) => void, err: Terminal): void {
  const shown = err.columns === undefined ? warnings.length : MAX_TERMINAL_WARNINGS;
  warnings.slice(0, shown).forEach(warn);
  if (warnings.length > shown) warn(`… and ${warnings.length - shown} more; --json lists them all`);
}

function rootsOf({ sessionsRoot, additionalRoots = [] }: StoreOptions): readonly string[] {
  return [sessionsRoot, ...additionalRoots];
}

/** A mistyped name is told apart from a file of another store. */
function withAdvice(sessionPath: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ParameterError) || !error.message.includes("outside the sessions root"))
      throw error;
    if (!existsSync(sessionPath)) throw new Error(`no such file: ${sessionPath}`);
    throw new ParameterError(`${error.message}; --root DIR reads another store`);
  };
}

function printJson(output: unknown, cli: Cli): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16)}`;
  const json = stringify(output).replace(/[\u{10000}-\u{10ffff}]/gu, (char) =>
    visible(char) === char ? char : char.split("").map(escaped).join(""),
  );
  cli.out.write(`${visible(json)}\n`);
}

function stringify(output: unknown): string {
  try {
    return JSON.stringify(output);
  } catch (error) {
    const advice = "--raw none leaves whole lines out";
    throw new Error(`an entry cannot be written as JSON (${messageOf(error)}); ${advice}`, { cause: error });
  }
}
