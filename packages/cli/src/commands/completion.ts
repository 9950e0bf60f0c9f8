import { CliError } from "../cli-error.ts";
import type { Command, RunCommand } from "../command.ts";

const scripts: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const runCompletion: RunCommand = async ({ positionals: [shell = ""] }, { commands }) => {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell]?.(commands) : undefined;
  if (script !== undefined) return { result: { script }, text: script };
  throw new CliError("USAGE", { cause: `There is no completion for "${shell}". Shells: bash, zsh, fish.` });
};

function optionsOf({ options }: Command): readonly string[] {
  return [...Object.keys(options), "json", "help"].map((it) => `--${it}`);
}

/** Options complete after --, files everywhere else. */
function bashScript(commands: readonly Command[]): string {
  const cases = commands.map((it) => `      ${it.name}) words="${optionsOf(it).join(" ")}" ;;\n`);
  return `_finality() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(" ")}"
  elif [[ "$current" == --* ]]; then
    case "\${COMP_WORDS[1]}" in
${cases.join("")}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _finality finality
`;
}

function zshScript(commands: readonly Command[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
}

function fishScript(commands: readonly Command[]): string {
  const names = commands.map(
    ({ name, summary }) => `complete -c finality -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}\n`,
  );
  const options = commands.flatMap(({ name, options }) =>
    Object.entries(options).map(([option, { value, help }]) => {
      const argument = value === undefined ? "" : " -r";
      return `complete -c finality -n "__fish_seen_subcommand_from ${name}" -l ${option}${argument} -d ${quoted(help)}\n`;
    }),
  );
  return [...names, ...options].join("");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
