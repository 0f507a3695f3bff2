/** Completion scripts for bash, zsh and fish, written from the program's own commands and flags. */
import type { Command, Option } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const PROGRAM = "pi-retrospect";

export function completionScript(program: Command, shell: Shell): string {
  switch (shell) {
    case "bash":
      return bashScript(program);
    case "zsh":
      return zshScript(program);
    case "fish":
      return fishScript(program);
  }
}

/** Every spelling of an option that begins with `--`. */
function namesOf({ flags }: Option): readonly string[] {
  return flags.split(/[ ,]+/).filter((name) => name.startsWith("--"));
}

/** What the command's argument may be, when that is a list. */
function argumentsOf({ registeredArguments }: Command): readonly string[] {
  return registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function bashScript(program: Command): string {
  const cases = program.commands.map((command) => {
    const flags = command.options.flatMap(namesOf).join(" ");
    return `    ${command.name()}) words="${flags} --help"; values="${argumentsOf(command).join(" ")}" ;;`;
  });
  const choices = program.commands.flatMap(({ options }) =>
    options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map((option) => {
        return `    ${namesOf(option).join("|")}) COMPREPLY=($(compgen -W "${option.argChoices?.join(" ")}" -- "$current")); return ;;`;
      }),
  );
  return `# bash completion of ${PROGRAM}: source this file, or put it into your completions directory
_pi_retrospect() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" values=""
  case "$previous" in
${[...new Set(choices)].join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="${program.commands.map((command) => command.name()).join(" ")} --help --version" ;;
  esac
  if [[ "$current" == -* || $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ -n "$values" ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  else
    compopt -o default
    COMPREPLY=()
  fi
}
complete -F _pi_retrospect ${PROGRAM}
`;
}

function zshScript(program: Command): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = (text: string) => text.replace(/[[\]:\\]/g, "\\$&");
  const commands = program.commands.map((command) =>
    quoted(`${command.name()}:${escaped(command.description())}`),
  );
  const cases = program.commands.map((command) => {
    const specs = command.options.flatMap((option) =>
      namesOf(option).map((name) => {
        const values = option.argChoices ? `(${option.argChoices.join(" ")})` : "_files";
        const value = takesValue(option) ? `:value:${values}` : "";
        return quoted(`*${name}[${escaped(option.description)}]${value}`);
      }),
    );
    const values = argumentsOf(command);
    const argument = quoted(values.length > 0 ? `2:value:(${values.join(" ")})` : "*:file:_files");
    return `    ${command.name()}) _arguments ${[...specs, argument].join(" \\\n      ")} ;;`;
  });
  return `#compdef ${PROGRAM}
# zsh completion of ${PROGRAM}: put it into a directory of $fpath as _${PROGRAM}
_pi_retrospect() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.join(" \\\n      ")})
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.join("\n")}
  esac
}
compdef _pi_retrospect ${PROGRAM}
`;
}

function fishScript(program: Command): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const lines = program.commands.flatMap((command) => {
    const only = `-n ${quoted(`__fish_seen_subcommand_from ${command.name()}`)}`;
    return [
      `complete -c ${PROGRAM} -f -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
      ...(argumentsOf(command).length > 0
        ? [`complete -c ${PROGRAM} -f ${only} -a ${quoted(argumentsOf(command).join(" "))}`]
        : []),
      ...command.options.map((option) => {
        const names = namesOf(option).map((name) => `-l ${name.slice(2)}`);
        const values = option.argChoices ? ` -xa ${quoted(option.argChoices.join(" "))}` : " -r";
        const value = takesValue(option) ? values : "";
        return `complete -c ${PROGRAM} ${only} ${names.join(" ")}${value} -d ${quoted(option.description)}`;
      }),
    ];
  });
  return `# fish completion of ${PROGRAM}: put it into ~/.config/fish/completions/${PROGRAM}.fish\n${lines.join("\n")}\n`;
}
