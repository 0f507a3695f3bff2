/** What every command works with, and what several of them print. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { StoreOptions } from "../../model.ts";
import { messageOf } from "../../session/json.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { visible } from "../visible.ts";
import type { CliHost, CliStore } from "./store.ts";
import type { Terminal } from "./terminal.ts";

const MAX_TERMINAL_WARNINGS = 10;

export interface Cli extends Pick<CliHost, "environment" | "workingDirectory"> {
  readonly version: string;
  /** Where the package's own files lie. */
  readonly packageRoot: string;
  readonly out: Terminal;
  readonly err: Terminal;
  readonly signal?: AbortSignal;
}

/** What every command works with. */
export interface Run {
  readonly cli: Cli;
  readonly store: CliStore;
  readonly warn: (message: string) => void;
  readonly note: (message: string) => void;
  readonly resolve: (given: string) => string;
}

export function absoluteCwds(
  cwds: readonly string[] | undefined,
  { resolve }: Run,
): readonly string[] | undefined {
  return cwds?.map((cwd) => (cwd === "" || path.win32.isAbsolute(cwd) ? cwd : resolve(cwd)));
}

/** A person at a terminal sees the first warnings and how many there are; a log gets them all. */
export function warnAll(warnings: readonly string[], warn: (message: string) => void, err: Terminal): void {
  const shown = err.columns === undefined ? warnings.length : MAX_TERMINAL_WARNINGS;
  warnings.slice(0, shown).forEach(warn);
  if (warnings.length > shown) warn(`… and ${warnings.length - shown} more; --json lists them all`);
}

export function rootsOf({ sessionsRoot, additionalRoots = [] }: StoreOptions): readonly string[] {
  return [sessionsRoot, ...additionalRoots];
}

/** A mistyped name is told apart from a file of another store. */
export function withAdvice(sessionPath: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ParameterError) || !error.message.includes("outside the sessions root"))
      throw error;
    if (!existsSync(sessionPath))
      throw new Error(`no such file: ${sessionPath}; pi-retrospect list --paths names the sessions`);
    throw new ParameterError(`${error.message}; --root DIR reads another store`);
  };
}

export function printJson(output: unknown, cli: Cli): void {
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
