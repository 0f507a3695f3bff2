/** Arguments to a command value. Pure but for commander's own output, which goes where the caller says. */
import { Command } from "commander";
import { visible } from "../visible.ts";
import {
  addCompletion,
  addDemo,
  addDoctor,
  addEntries,
  addIndex,
  addList,
  addPrepare,
  addSearch,
  addShow,
} from "./commands.ts";
import { type CliCommand, repeatable } from "./flags.ts";

/** In the order of the help: what is used most comes first. */
const ADD = [
  addSearch,
  addShow,
  addList,
  addEntries,
  addIndex,
  addDoctor,
  addPrepare,
  addDemo,
  addCompletion,
];

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
  for (const add of ADD) configure(program, add(program, accept), output);
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
    .option("--index <file>", "search index to use (default: the one in Pi's agent directory)")
    .option("--respect-allowlist", "see only what the setting allowedProjects lets the tools see")
    .option("--json", "print the value that the tool of the same name returns")
    .option("--fail-if-empty", "exit with 3 when nothing is found");
}
