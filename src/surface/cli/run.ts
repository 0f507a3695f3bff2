/** Runs one command and says with which status the process should end. */
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

export interface Cli extends Pick<CliHost, "environment" | "workingDirectory"> {
  readonly version: string;
  readonly out: Terminal;
  readonly err: Terminal;
  readonly signal?: AbortSignal;
}

/** Errors become one line on `err`. */
export async function runCli(args: readonly string[], cli: Cli): Promise<number> {
  try {
    const output = { writeOut: cli.out.write, writeErr: cli.err.write };
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
  const store = storeOf(command.store, { ...cli, warn });
  const options: StoreOptions = cli.signal === undefined ? store : { ...store, signal: cli.signal };
  const resolve = (given: string) => path.resolve(cli.workingDirectory, expandHome(given));
  switch (command.name) {
    case "list": {
      const cwds = command.params.cwds?.map((cwd) => (path.win32.isAbsolute(cwd) ? cwd : resolve(cwd)));
      const output = await listSessions({ ...command.params, cwds }, options);
      if (command.json) printJson(output, cli);
      else {
        await printSessions(output, command, cli.out, cli.signal);
        for (const { path: at, reason } of output.warnings) warn(`${at}: ${reason}`);
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
      const output = await readSessionEntries({ ...params, raw: "none" }, options);
      printEntries(output, cli.out);
      for (const warning of output.warnings) warn(entryWarningText(warning));
      return output.entries.length === 0;
    }
  }
}

function printJson(output: unknown, cli: Cli): void {
  cli.out.write(`${JSON.stringify(output)}\n`);
}
