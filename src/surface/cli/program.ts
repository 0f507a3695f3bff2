/** Arguments to a command value. Pure but for commander's own output, which goes where the caller says. */
import { Command, InvalidArgumentError, Option } from "commander";
import { RAW_CHOICES } from "../../entries/plan.ts";
import { SORT_DIRECTIONS, SORT_FIELDS } from "../../list/plan.ts";
import type { ListSessionsParams, SessionEntriesParams } from "../../model.ts";
import { CWD_MATCHES } from "../../query/cwds.ts";
import { visible } from "../visible.ts";
import type { StoreFlags } from "./store.ts";

interface CommonFlags {
  readonly store: StoreFlags;
  readonly json: boolean;
  readonly failIfEmpty: boolean;
}

export type CliCommand =
  | (CommonFlags & {
      readonly name: "list";
      readonly params: ListSessionsParams;
      readonly withPaths: boolean;
    })
  | (CommonFlags & { readonly name: "entries"; readonly params: SessionEntriesParams });

export interface ProgramOutput {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/**
 * @throws CommanderError for help, the version and a bad argument
 */
export function parseCommand(args: readonly string[], version: string, output: ProgramOutput): CliCommand {
  const accepted: CliCommand[] = [];
  const accept = (parsed: CliCommand) => accepted.push(parsed);
  const program = new Command("pi-retrospect")
    .description(
      "Look back over the sessions of the Pi coding agent. Reads session files and never changes one.",
    )
    .version(version);
  for (const add of [addList, addEntries]) configure(program, add(program, accept), output);
  configure(program, program, output);
  program.parse(args, { from: "user" });
  const [command] = accepted;
  return command ?? program.help({ error: true });
}

function configure(program: Command, command: Command, output: ProgramOutput): void {
  command.exitOverride().configureOutput({
    ...output,
    // One line, a suggestion included, and what was typed cannot drive the terminal.
    outputError: (text, write) => {
      const name = command === program ? "" : `${command.name()} `;
      write(`${visible(text.trim().replaceAll("\n", " "))} (see pi-retrospect ${name}--help)\n`);
    },
  });
  if (command === program) return;
  command
    .option("--agent-dir <dir>", "Pi's agent directory (default: PI_CODING_AGENT_DIR, else ~/.pi/agent)")
    .addOption(repeatable("--root <dir>", "session root to read instead; repeatable"))
    .option("--json", "print the value that the tool of the same name returns")
    .option("--fail-if-empty", "exit with 3 when nothing is found");
}

function addList(program: Command, accept: (command: CliCommand) => unknown): Command {
  return program
    .command("list")
    .description("List sessions, oldest first")
    .addOption(repeatable("--cwd, --cwds <dir>", "keep sessions of this working directory; repeatable"))
    .addOption(
      new Option("--cwd-match <rule>", "exact, or also <dir>-* as worktrees are named").choices(CWD_MATCHES),
    )
    .option("--since, --start-timestamp <time>", "inclusive; a date, or a date and time (ISO 8601)")
    .option("--until, --end-timestamp <time>", "inclusive; a bare date covers that day")
    .option("--include-current-session", "keep the session this command runs inside (PI_SESSION_FILE)")
    .addOption(new Option("--sort-by <field>", "default timestamp").choices(SORT_FIELDS))
    .addOption(
      new Option("--sort-direction <direction>", "default asc: newest last").choices(SORT_DIRECTIONS),
    )
    .option("--limit <count>", "at most so many, from the start of the order: see --sort-direction", integer)
    .option("--cursor <cursor>", "go on behind the last row of an earlier call")
    .option("--include-orphans", "also transcripts whose launching session cannot be listed")
    .option("--paths", "print each session's path, subagents indented below")
    .addHelpText(
      "after",
      "\nExample:\n  pi-retrospect list --cwd . --cwd-match sibling-prefix --since 2026-11-01 --paths",
    )
    .action((options) => {
      const { json, failIfEmpty, paths, agentDir, root, ...params } = options;
      accept({ name: "list", params, withPaths: paths === true, ...common(options) });
    });
}

function addEntries(program: Command, accept: (command: CliCommand) => unknown): Command {
  return program
    .command("entries")
    .description("Print the stored entries of one session file, with line numbers")
    .argument("<path>", "session file")
    .option("--start-line-no <line>", "first physical line", integer)
    .option("--end-line-no <line>", "last physical line, inclusive", integer)
    .addOption(repeatable("--id, --ids <id>", "entry id; repeatable"))
    .addOption(repeatable("--parent-id, --parent-ids <id>", "parent's id; repeatable"))
    .addOption(
      repeatable(
        "--type, --types <type>",
        "entry type: message, compaction, branch_summary, custom, label, …; repeatable",
      ),
    )
    .addOption(
      repeatable(
        "--role, --message-roles <role>",
        "message role: user, assistant, toolResult, system, bashExecution, …; repeatable",
      ),
    )
    .addOption(repeatable("--search <term>", "literal substring of an entry's text; repeatable, any matches"))
    .option("--case-sensitive", "case counts in --search")
    .option("--since, --start-timestamp <time>", "inclusive; a date, or a date and time (ISO 8601)")
    .option("--until, --end-timestamp <time>", "inclusive; a bare date covers that day")
    .option("--limit <count>", "at most so many entries", integer)
    .option("--branch <tip>", '"active", or the entry id at the end of the branch')
    .addOption(
      new Option("--raw <choice>", "whether --json holds whole lines; default full").choices(RAW_CHOICES),
    )
    .option(
      "--max-bytes <bytes>",
      "stop when the entries as JSON would pass this; --json: default 16777216",
      integer,
    )
    .addHelpText(
      "after",
      "\nExample:\n  pi-retrospect entries SESSION.jsonl --branch active --role user --search backoff",
    )
    .action((sessionPath: string, options) => {
      const { json, failIfEmpty, agentDir, root, search: terms, caseSensitive, ...params } = options;
      const search = terms === undefined ? {} : { search: { terms, caseSensitive } };
      accept({ name: "entries", params: { sessionPath, ...params, ...search }, ...common(options) });
    });
}

function common(options: Record<string, unknown> & StoreFlags): CommonFlags {
  const { agentDir, root } = options;
  const store = { ...(agentDir === undefined ? {} : { agentDir }), ...(root === undefined ? {} : { root }) };
  return { store, json: options["json"] === true, failIfEmpty: options["failIfEmpty"] === true };
}

function repeatable(flags: string, description: string): Option {
  const collect = (value: string, previous: unknown) => [...(Array.isArray(previous) ? previous : []), value];
  return new Option(flags, description).argParser(collect);
}

/** Bounds are the operation's business; here a value only has to be a number. */
function integer(value: string): number {
  const number = Number(value);
  if (value.trim() === "" || Number.isNaN(number)) throw new InvalidArgumentError("expected a number");
  return number;
}
