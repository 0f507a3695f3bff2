/** The commands: their flags, their help with an example each, and the value they become. */
import { Argument, type Command, Option } from "commander";
import { RAW_CHOICES } from "../../entries/plan.ts";
import { SORT_DIRECTIONS, SORT_FIELDS } from "../../list/plan.ts";
import { OPERATIONS, SCOPES } from "../../search/plan.ts";
import { ParameterError } from "../../session/parameterError.ts";
import { completionScript, SHELLS, type Shell } from "./completion.ts";
import {
  type Accept,
  commonFlagsOf,
  cwdFlag,
  cwdMatchFlag,
  integer,
  paramsOf,
  repeatable,
  sinceFlag,
  untilFlag,
} from "./flags.ts";

export function addList(program: Command, accept: Accept): Command {
  return program
    .command("list")
    .description("List sessions, oldest first")
    .addOption(cwdFlag())
    .addOption(cwdMatchFlag())
    .addOption(sinceFlag())
    .addOption(untilFlag())
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
      const { paths, ...params } = paramsOf(options);
      accept({ name: "list", params, withPaths: paths === true, ...commonFlagsOf(options) });
    });
}

export function addEntries(program: Command, accept: Accept): Command {
  return program
    .command("entries")
    .description("Print the stored entries of one session file, with line numbers")
    .argument("<path>", "session file; or the name or id of one in the store")
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
    .addOption(sinceFlag())
    .addOption(untilFlag())
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
      const { search: terms, caseSensitive, ...params } = paramsOf(options);
      const search = terms === undefined ? {} : { search: { terms, caseSensitive } };
      accept({ name: "entries", params: { sessionPath, ...params, ...search }, ...commonFlagsOf(options) });
    });
}

export function addSearch(program: Command, accept: Accept): Command {
  return program
    .command("search")
    .description(
      "Find the sessions in which something was said, best first; without words, the most recent ones",
    )
    .argument(
      "[query...]",
      'words; sessions with all of them in one message first; AND OR NOT, "a phrase", ( ), NEAR(a b, 10), stem*',
    )
    .addOption(cwdFlag())
    .addOption(cwdMatchFlag())
    .addOption(sinceFlag())
    .addOption(untilFlag())
    .option(
      "--limit <count>",
      "at most so many sessions, 1 to 10; default 3; up to 3 found by name come before",
      integer,
    )
    .addHelpText(
      "after",
      "\nExample:\n  pi-retrospect search retry queue backoff --cwd . --cwd-match sibling-prefix",
    )
    .action((words: readonly string[], options) => {
      const query = words.length === 0 ? {} : { query: words.join(" ") };
      accept({ name: "search", params: { ...query, ...paramsOf(options) }, ...commonFlagsOf(options) });
    });
}

export function addShow(program: Command, accept: Accept): Command {
  return program
    .command("show")
    .description("Read a session's active branch, or the messages around one")
    .argument("<path>", "session file; or the name or id of one in the store")
    .option("--around, --around-message-id <id>", "entry id at the centre")
    .option("--branch-tip <id>", "entry id at the end of the branch to stay on; with --around")
    .option("--window <count>", "messages on either side, 1 to 20; default 5; with --around", integer)
    .addHelpText("after", "\nExample:\n  pi-retrospect show SESSION.jsonl --around 389bd2c1 --window 3")
    .action((sessionId: string, options) => {
      for (const [name, flag] of [
        ["window", "--window"],
        ["branchTip", "--branch-tip"],
      ] as const) {
        if (options[name] !== undefined && options.aroundMessageId === undefined)
          throw new ParameterError(`${flag} needs --around ID, the message to look around`);
      }
      accept({ name: "show", params: { sessionId, ...paramsOf(options) }, ...commonFlagsOf(options) });
    });
}

export function addIndex(program: Command, accept: Accept): Command {
  return program
    .command("index")
    .description("Bring the search index up to date")
    .option("--rebuild", "throw the index away first")
    .option("--status", "only say what the index holds and leaves out")
    .addHelpText("after", "\nExample:\n  pi-retrospect index --status")
    .action((options) => {
      const { rebuild, status } = paramsOf(options);
      accept({
        name: "index",
        rebuild: rebuild === true,
        status: status === true,
        ...commonFlagsOf(options),
      });
    });
}

export function addDoctor(program: Command, accept: Accept): Command {
  return program
    .command("doctor")
    .description("Say what is wrong with the store or the index, and how to mend it")
    .addHelpText("after", "\nExample:\n  pi-retrospect doctor")
    .action((options) => {
      accept({ name: "doctor", ...commonFlagsOf(options) });
    });
}

export function addDemo(program: Command, accept: Accept): Command {
  return program
    .command("demo")
    .description("Answer three questions on a throwaway copy of recorded sample sessions")
    .addHelpText("after", "\nExample:\n  pi-retrospect demo")
    .action((options) => {
      accept({ name: "demo", ...commonFlagsOf(options) });
    });
}

export function addCompletion(program: Command, accept: Accept): Command {
  return program
    .command("completion")
    .description("Print a completion script")
    .addArgument(new Argument("<shell>", "bash, zsh or fish").choices(SHELLS))
    .addHelpText("after", "\nExample:\n  source <(pi-retrospect completion bash)")
    .action((shell: Shell, options) => {
      accept({ name: "completion", script: completionScript(program, shell), ...commonFlagsOf(options) });
    });
}

export function addPrepare(program: Command, accept: Accept): Command {
  return program
    .command("prepare")
    .description(
      "Print the corpus for mining patterns: recent sessions and what the repository automates, as JSON",
    )
    .addOption(new Option("--scope <scope>", "default repository").choices(SCOPES))
    .option("--project-path <dir>", "the repository or worktree; default: the working directory")
    .option("--limit <count>", "at most so many sessions, 1 to 10; default 10", integer)
    .addHelpText("after", "\nExample:\n  pi-retrospect prepare --scope repository")
    .action((options) => {
      const params = { operation: OPERATIONS[0], scope: SCOPES[0], ...paramsOf(options) };
      accept({ name: "prepare", params, ...commonFlagsOf(options) });
    });
}
