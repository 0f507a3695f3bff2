/** Runs `search`, `show` and `prepare`: all of them ask `session_search`. */
import { DEFAULT_LIMIT, MAX_LIMIT } from "../../search/plan.ts";
import { rowsOf } from "../found.ts";
import { inlineEngine } from "../inlineEngine.ts";
import { leftOutNote } from "../leftOut.ts";
import { stateNotes } from "../notes.ts";
import { runSearch } from "../search.ts";
import { visible } from "../visible.ts";
import { absoluteCwds, printJson, type Run, rootsOf, withAdvice } from "./context.ts";
import { findSession } from "./findSession.ts";
import type { PrepareCommand, SearchCommand } from "./flags.ts";
import { ProgressBar } from "./progress.ts";
import { printFound, printMessages, shellWord } from "./search.ts";

/** A person waits until everything is searched, so the index is brought up to date without a budget. */
export async function runSearchCommand(command: SearchCommand, run: Run): Promise<boolean> {
  const { cli, store, note, resolve } = run;
  const { sessionId } = command.params;
  const cwds = absoluteCwds(command.params.cwds, run);
  const params = {
    ...command.params,
    ...(cwds === undefined ? {} : { cwds }),
    ...(sessionId === undefined ? {} : { sessionId: await findSession(sessionId, store, resolve) }),
  };
  const bar = new ProgressBar(cli.err);
  const engine = inlineEngine(store.indexPath, bar.show);
  const options = { ...store, syncBudgetMs: Number.POSITIVE_INFINITY, forPeople: !command.json };
  const output = await runSearch(params, options, engine)
    .catch(params.sessionId === undefined ? rethrow : withAdvice(params.sessionId))
    .finally(() => bar.clear());
  if (command.json) printJson(output, cli);
  switch (output.mode) {
    case "discovery":
    case "browse": {
      const count = output.mode === "discovery" ? output.results.length : output.sessions.length;
      if (!command.json) {
        printFound(output, storeFlagsOf(command), cli.out);
        if (rowsOf(output).length === 0)
          note(`nothing found in ${rootsOf(store).join(", ")}${filtersOf(command)}`);
        const leftOut = count === 0 ? leftOutNote(store, store.excludePrefixes) : undefined;
        if (leftOut !== undefined) note(leftOut);
        if (count >= (params.limit ?? DEFAULT_LIMIT) && count < MAX_LIMIT)
          note(`more with --limit ${MAX_LIMIT}`);
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
        if (cli.out.columns !== undefined) note(`resume it with: pi --session ${shellWord(output.path)}`);
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

/** The corpus is for an agent: it is printed as JSON, on several lines for people. */
export async function runPrepare(command: PrepareCommand, { cli, store, resolve }: Run): Promise<boolean> {
  const { projectPath } = command.params;
  const params = {
    ...command.params,
    ...(projectPath === undefined ? {} : { projectPath: resolve(projectPath) }),
  };
  const bar = new ProgressBar(cli.err);
  const options = { ...store, syncBudgetMs: Number.POSITIVE_INFINITY, cwd: cli.workingDirectory };
  const output = await runSearch(params, options, inlineEngine(store.indexPath, bar.show)).finally(() =>
    bar.clear(),
  );
  if (command.json) printJson(output, cli);
  else cli.out.write(`${JSON.stringify(output, undefined, 2).split("\n").map(visible).join("\n")}\n`);
  return output.mode === "prepare-pattern-miner" && output.sessions.length === 0;
}

function filtersOf({ params: { cwds, startTimestamp, endTimestamp } }: SearchCommand): string {
  const given = [
    ...(cwds ?? []).map((cwd) => `--cwd ${cwd}`),
    ...(startTimestamp === undefined ? [] : [`--since ${startTimestamp}`]),
    ...(endTimestamp === undefined ? [] : [`--until ${endTimestamp}`]),
  ];
  return given.length === 0 ? "" : ` with ${given.join(" ")}`;
}

function storeFlagsOf({ store: { root = [], agentDir, index } }: SearchCommand): string {
  const flags = [
    ...root.map((directory) => `--root ${shellWord(directory)}`),
    ...(agentDir === undefined ? [] : [`--agent-dir ${shellWord(agentDir)}`]),
    ...(index === undefined ? [] : [`--index ${shellWord(index)}`]),
  ];
  return flags.map((flag) => ` ${flag}`).join("");
}

function rethrow(error: unknown): never {
  throw error;
}
