import type { Json, JsonObject } from "@finality/tron/primitives";
import type { Terminal } from "./terminal.ts";

/** Option of a command. Options without a value are switches. */
interface Option {
  /** Name of the value in the help, such as `FILE`. Undefined for a switch. */
  readonly value?: string;
  /** True if the option may be repeated. */
  readonly multiple?: boolean;
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

/** Arguments of one run, checked against the options of the command. */
export class Invocation {
  readonly positionals: readonly string[];
  /** Words after `--` of a command that runs another one. */
  readonly command: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(
    positionals: readonly string[],
    values: Readonly<Record<string, unknown>>,
    command: readonly string[] = [],
  ) {
    this.positionals = positionals;
    this.command = command;
    this.#values = values;
  }

  /** Returns the invocation with other values of some options, and other positional arguments. */
  with(values: Readonly<Record<string, unknown>>, positionals: readonly string[]): Invocation {
    return new Invocation(positionals, { ...this.#values, ...values }, this.command);
  }

  /** Returns the value of an option; undefined if it was not given. */
  text(option: string): string | undefined {
    const value = this.#values[option];
    return typeof value === "string" ? value : undefined;
  }

  /** Returns the values of an option that may be repeated. */
  texts(option: string): readonly string[] {
    const values = this.#values[option];
    return Array.isArray(values) ? values.map(String) : [];
  }

  isOn(option: string): boolean {
    return this.#values[option] === true;
  }
}

/** Result of a command: data for programs and text for users. */
export interface CommandResult {
  readonly result: Json;
  readonly text: string;
  /** Exit code other than 0, for an answer that scripts have to notice. */
  readonly exitCode?: number;
}

/** Means of a running command. */
export interface Context {
  readonly terminal: Terminal;
  /** Version of the program. */
  readonly version: string;
  /** All commands, for the completion of shells. */
  readonly commands: readonly Command[];
  /** Reports progress: a JSON line with `--json`, the progress line of a terminal, nothing in CI. */
  progress(event: string, data: JsonObject, text: string): void;
  /** Shows on a terminal what the command does now. Nothing with `--json` and in CI. */
  show(text: string): void;
  /** Reports a problem that does not stop the command: a JSON line with `--json`, else a line on standard error. */
  warn(message: string): void;
  /** Prints a line of output before the result: a JSON line with `--json`, else the text. */
  output(event: string, data: JsonObject, text: string): void;
}

export type RunCommand = (invocation: Invocation, context: Context) => Promise<CommandResult>;

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Arguments after the name, such as `[FILE]`. */
  readonly usage: string;
  /** Least and most positional arguments. */
  readonly arguments: readonly [number, number];
  readonly options: Options;
  /** True if another program reads the arguments. */
  readonly passesOn?: true;
  /** True if the words after `--` are a command to run. */
  readonly runsCommand?: true;
  /** Paragraphs below the options. */
  readonly details: string;
  readonly load: () => Promise<RunCommand>;
}
