import { EXIT } from "./cli-error.ts";
import type { Command, Options } from "./command.ts";

const EXIT_HELP: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "success",
  negative: "the answer is negative: a call, a check or a transaction failed",
  usage: "wrong arguments, files or configuration",
  network: "no usable answer from the network",
  refused: "refused: nothing was signed, or nothing was sent",
  overBudget: "a call costs more than its budget",
  unknown: "not known whether the transaction was or will be executed: send nothing new",
  internal: "a defect of the program",
};

/** Returns the help of the program: the commands and the exit codes. */
export function programHelp(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  const codes = Object.entries(EXIT).map(
    ([name, code]) => [String(code), EXIT_HELP[name as keyof typeof EXIT]] as const,
  );
  return `Usage: finality COMMAND [arguments]

Commands:
${table(rows)}
finality COMMAND --help has the options and examples of a command. Every command has --json, for programs.
finality --version prints the version.

Exit codes:
${table(codes)}`;
}

/** Returns the help of a command. */
export function commandHelp({ name, summary, usage, options, details, passesOn }: Command, common: Options): string {
  const rows = Object.entries({ ...options, ...common }).map(
    ([option, { value, help }]) => [`--${option}${value === undefined ? "" : ` ${value}`}`, help] as const,
  );
  return `Usage: finality ${[name, usage, passesOn === true ? "" : "[options]"].filter((it) => it !== "").join(" ")}

${summary[0]?.toUpperCase()}${summary.slice(1)}.

Options:
${table(rows)}
${details.replace(/^\n|\n$/g, "")}
`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("");
}
