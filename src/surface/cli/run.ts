/** Runs one command and says with which status the process should end. */
import path from "node:path";
import { CommanderError } from "commander";
import { readSessionEntries } from "../../entries/readSessionEntries.ts";
import { listSessions } from "../../list/listSessions.ts";
import { requireSearchQuery } from "../../search/plan.ts";
import { messageOf } from "../../session/json.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { expandHome } from "../agentDir.ts";
import { DEFAULT_TOOL_MAX_BYTES } from "../execute.ts";
import { entryWarningText } from "../render.ts";
import { visible } from "../visible.ts";
import { absoluteCwds, type Cli, printJson, type Run, rootsOf, warnAll, withAdvice } from "./context.ts";
import { runDemo } from "./demo.ts";
import { printEntries } from "./entries.ts";
import { findSession } from "./findSession.ts";
import { type CliCommand, type EntriesCommand, inFlags, type ListCommand } from "./flags.ts";
import { printSessions } from "./list.ts";
import { parseCommand } from "./program.ts";
import { runDoctor, runIndex } from "./runIndex.ts";
import { runPrepare, runSearchCommand } from "./runSearch.ts";
import { missingRootsOf, storeOf } from "./store.ts";
import { styled } from "./terminal.ts";

export const EXIT = { ok: 0, failure: 1, callerMistake: 2, empty: 3 } as const;

/** Those that keep an index of the store. `list` tells by itself of roots that are not there. */
const STORE_COMMANDS: ReadonlySet<CliCommand["name"]> = new Set(["search", "index", "doctor"]);

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
    const message = error instanceof ParameterError ? inFlags(messageOf(error)) : messageOf(error);
    cli.err.write(`${styled(cli.err, "red", "error:")} ${visible(message)}\n`);
    return error instanceof ParameterError ? EXIT.callerMistake : EXIT.failure;
  }
}

/** Returns whether nothing was found. */
async function runCommand(command: CliCommand, cli: Cli): Promise<boolean> {
  const warn = (message: string) =>
    cli.err.write(`${styled(cli.err, "yellow", "warning:")} ${visible(message)}\n`);
  const note = (message: string) => cli.err.write(`${styled(cli.err, "dim", visible(message))}\n`);
  const found = storeOf(command.store, { ...cli, warn });
  const missing = missingRootsOf(found);
  // No index is made for a store that is not there.
  const { indexPath, ...named } = found;
  const store = {
    ...named,
    ...(indexPath === undefined || missing.length > 0 ? {} : { indexPath }),
    ...(cli.signal === undefined ? {} : { signal: cli.signal }),
  };
  const resolve = (given: string) => path.resolve(cli.workingDirectory, expandHome(given));
  const run = { cli, store, warn, note, resolve };
  if (missing.length > 0 && STORE_COMMANDS.has(command.name)) {
    if (command.name === "search") {
      const cwds = absoluteCwds(command.params.cwds, run);
      requireSearchQuery({ ...command.params, ...(cwds === undefined ? {} : { cwds }) });
      if (command.json) return runSearchCommand(command, run);
    } else if (command.json) {
      throw new Error(`there is no ${missing.join(" and no ")}, so there is no index`);
    }
    note(
      `no sessions yet: there is no ${missing.join(" and no ")}; --agent-dir or --root names another place`,
    );
    return true;
  }
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
    case "prepare":
      return runPrepare(command, run);
    case "demo":
      await runDemo(path.join(cli.packageRoot, "samples", "recorded", "sessions"), cli.out);
      return false;
    case "completion":
      cli.out.write(command.script);
      return false;
  }
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
  const sessionPath = await findSession(command.params.sessionPath, store, resolve);
  const params = { ...command.params, sessionPath };
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
