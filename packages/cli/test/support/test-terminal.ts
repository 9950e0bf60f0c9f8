import { resolve } from "node:path";
import { CliError } from "../../src/cli-error.ts";
import { runProgram } from "../../src/program.ts";
import type { Terminal } from "../../src/terminal.ts";

/** Output of one run, and its exit code. */
export interface Run {
  readonly exitCode: number;
  readonly output: string;
  readonly report: string;
}

/** Input of a run. Files are by their paths; `-` is standard input. */
export interface RunInput {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly isInteractive?: boolean;
}

/** Runs the command line in this process, with files in memory. */
export async function run(args: readonly string[], input: RunInput = {}): Promise<Run> {
  const printed: string[] = [];
  const reported: string[] = [];
  const { files = {}, env = {}, isInteractive = false } = input;
  const terminal: Terminal = {
    env,
    isInteractive,
    resolve: (path) => resolve(path),
    read: async (path) => {
      const text = files[path];
      if (text === undefined) throw new CliError("INPUT_UNREADABLE", { cause: `${path}: no such file` });
      return text;
    },
    print: (text) => void printed.push(text),
    report: (text) => void reported.push(text),
  };
  const exitCode = await runProgram(args, terminal);
  return { exitCode, output: printed.join(""), report: reported.join("") };
}
