import { parseArgs } from "node:util";
import { type Json, type JsonObject, printJson, visibleText } from "@finality/tron/primitives";
import { CliError, type ErrorReport, EXIT, reportOf } from "./cli-error.ts";
import { type Command, type Context, Invocation, type Options } from "./command.ts";
import { commands } from "./command-table.ts";
import { commandHelp, programHelp } from "./help.ts";
import type { Terminal } from "./terminal.ts";

/** Version of the envelope. Fields may be added to it; a renamed or removed field changes it. */
const ENVELOPE = "finality/1";

/** Options of every command. */
const commonOptions: Options = {
  json: { help: "print JSON lines for programs; the last line is the result" },
  help: { help: "print this help" },
};

/** Runs the command line. Returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "--help", ...rest] = args;
  const isJson = beforeSeparator(args).includes("--json");
  try {
    if (name === "--help" || name === "-h" || name === "help") return printHelp(rest[0], terminal);
    if (name === "--version") return print(`${version()}\n`, terminal);
    const command = commandNamed(name);
    if (beforeSeparator(rest).includes("--help")) return print(commandHelp(command, commonOptions), terminal);
    const invocation = readArguments(command, rest);
    const run = await command.load();
    const result = await run(invocation, contextOf(command.name, terminal, isJson));
    terminal.print(isJson ? envelope(command.name, { ok: true, result: result.result }) : result.text);
    return result.exitCode ?? EXIT.ok;
  } catch (error) {
    const { report: unnamed, exitCode } = reportOf(error);
    const report = { ...unnamed, next: unnamed.next.replace("COMMAND", name) };
    if (isJson) terminal.print(envelope(name, { ok: false, error: { ...report } }));
    else terminal.report(errorText(report));
    return exitCode;
  }
}

/** Replaced by the version of the package when the program is bundled. */
declare const FINALITY_VERSION: string | undefined;

function version(): string {
  return typeof FINALITY_VERSION === "string" ? FINALITY_VERSION : "development";
}

/** Returns the arguments before `--`. The rest is for another program. */
function beforeSeparator(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end < 0 ? args : args.slice(0, end);
}

function printHelp(topic: string | undefined, terminal: Terminal): number {
  const text = topic === undefined ? programHelp(commands) : commandHelp(commandNamed(topic), commonOptions);
  return print(text, terminal);
}

function print(text: string, terminal: Terminal): number {
  terminal.print(text);
  return EXIT.ok;
}

function commandNamed(name: string): Command {
  const command = commands.find((it) => it.name === name);
  if (command !== undefined) return command;
  const names = commands.map((it) => it.name).join(", ");
  const cause = `There is no command "${visibleText(name, 60)}". Commands: ${names}.`;
  throw new CliError("USAGE", { cause, next: "Run finality --help." });
}

/** @throws {CliError} `USAGE` */
function readArguments(command: Command, args: readonly string[]): Invocation {
  if (command.passesOn === true)
    return new Invocation(
      args.filter((it) => it !== "--json"),
      {},
    );
  const options = { ...command.options, ...commonOptions };
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple },
    ]),
  );
  const next = `Run finality ${command.name} --help.`;
  const [least, most] = command.arguments;
  const own = command.runsCommand === true ? beforeSeparator(args) : args;
  const passed = args.slice(own.length + 1);
  try {
    const { values, positionals } = parseArgs({ args: [...own], options: config, allowPositionals: true });
    if (positionals.length >= least && positionals.length <= most) return new Invocation(positionals, values, passed);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node explains how to pass an argument that begins with a dash, which no command has.
    throw new CliError("USAGE", {
      cause: visibleText(message.replace(/ To specify a positional argument.*$/s, "")),
      next,
    });
  }
  const usage = `finality ${command.name} ${command.usage}`.trim();
  throw new CliError("USAGE", { cause: `The number of arguments does not fit. Usage: ${usage}`, next });
}

function contextOf(command: string, terminal: Terminal, isJson: boolean): Context {
  const line = (event: string, data: JsonObject): string =>
    `${printJson({ schema: ENVELOPE, command, event, ...data })}\n`;
  return {
    terminal,
    version: version(),
    commands,
    progress: (event, data, text) => {
      if (isJson) terminal.print(line(event, data));
      else terminal.show(text);
    },
    show: (text) => {
      if (!isJson) terminal.show(text);
    },
    warn: (message) => {
      if (isJson) terminal.print(line("warning", { message }));
      else terminal.report(`${visibleText(message)}\n`);
    },
    output: (event, data, text) => terminal.print(isJson ? line(event, data) : text),
  };
}

function envelope(command: string, outcome: { readonly [key: string]: Json } & { readonly ok: boolean }): string {
  return `${printJson({ schema: ENVELOPE, command, ...outcome })}\n`;
}

function errorText({ code, title, cause, next }: ErrorReport): string {
  return `${title} (${code}).\n  Cause: ${visibleText(cause)}\n  Next:  ${next}\n`;
}
