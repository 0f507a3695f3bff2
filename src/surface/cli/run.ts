/** Runs one command and says with which status the process should end. */
import { existsSync } from "node:fs";
import path from "node:path";
import { CommanderError } from "commander";
import { readSessionEntries } from "../../entries/readSessionEntries.ts";
import { listSessions } from "../../list/listSessions.ts";
import type { StoreOptions } from "../../model.ts";
import { messageOf } from "../../session/json.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { expandHome } from "../agentDir.ts";
import { DEFAULT_TOOL_MAX_BYTES } from "../execute.ts";
import { entryWarningText } from "../render.ts";
import { visible } from "../visible.ts";
import { printEntries } from "./entries.ts";
import { printSessions } from "./list.ts";
import { type CliCommand, parseCommand } from "./program.ts";
import { type CliHost, storeOf } from "./store.ts";
import { styled, type Terminal } from "./terminal.ts";

export const EXIT = { ok: 0, failure: 1, callerMistake: 2, empty: 3 } as const;

const MAX_TERMINAL_WARNINGS = 10;

export interface Cli extends Pick<CliHost, "environment" | "workingDirectory"> {
  readonly version: string;
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

/** Returns whether nothing was found. */
async function runCommand(command: CliCommand, cli: Cli): Promise<boolean> {
  const warn = (message: string) =>
    cli.err.write(`${styled(cli.err, "yellow", "warning:")} ${visible(message)}\n`);
  const note = (message: string) => cli.err.write(`${styled(cli.err, "dim", visible(message))}\n`);
  const store = storeOf(command.store, { ...cli, warn });
  const options: StoreOptions = cli.signal === undefined ? store : { ...store, signal: cli.signal };
  const resolve = (given: string) => path.resolve(cli.workingDirectory, expandHome(given));
  switch (command.name) {
    case "list": {
      const cwds = command.params.cwds?.map((cwd) =>
        cwd === "" || path.win32.isAbsolute(cwd) ? cwd : resolve(cwd),
      );
      const output = await listSessions({ ...command.params, cwds }, options);
      if (command.json) printJson(output, cli);
      else {
        await printSessions(output, command, cli.out, cli.signal);
        if (output.sessions.length === 0) note(`no sessions match in ${rootsOf(store).join(", ")}`);
        if (output.nextCursor !== undefined) note(`more with --cursor ${output.nextCursor}`);
        if (output.sessions.length > 0 && !command.withPaths && cli.err.columns !== undefined)
          note("--paths shows each session's file");
        warnAll(
          output.warnings.map(({ path: at, reason }) => `${at}: ${reason}`),
          warn,
          cli.err,
        );
      }
      return output.sessions.length === 0;
    }
    case "entries": {
      const params = { ...command.params, sessionPath: resolve(command.params.sessionPath) };
      if (command.json) {
        const output = await readSessionEntries({ maxBytes: DEFAULT_TOOL_MAX_BYTES, ...params }, options);
        printJson(output, cli);
        return output.entries.length === 0;
      }
      const output = await readSessionEntries({ ...params, raw: "none" }, options).catch(
        withAdvice(params.sessionPath),
      );
      printEntries(output, cli.out);
      if (output.entries.length === 0) note("no entries match");
      if (output.nextLineNo !== undefined) note(`more with --start-line-no ${output.nextLineNo}`);
      warnAll(output.warnings.map(entryWarningText), warn, cli.err);
      return output.entries.length === 0;
    }
  }
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
