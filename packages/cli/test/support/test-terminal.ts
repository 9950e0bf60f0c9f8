import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isJsonObject, type JsonObject, parseJson } from "../../../tron/src/primitives/json.ts";
import { CliError } from "../../src/cli-error.ts";
import { runProgram } from "../../src/program.ts";
import type { Terminal } from "../../src/terminal.ts";
import { schemaFaults } from "./schema-faults.ts";

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
  /** Answers to prompts, in order. */
  readonly answers?: readonly string[];
  /** Current folder: files that are not in `files` are read from the disk. */
  readonly folder?: string;
}

/** Returns a terminal with files in memory, and what is written to it. */
export function testTerminal(input: RunInput) {
  const printed: string[] = [];
  const reported: string[] = [];
  const { files = {}, env = {}, isInteractive = false, folder = "." } = input;
  const answers = [...(input.answers ?? [])];
  const onDisk = (path: string): string | undefined =>
    existsSync(resolve(folder, path)) ? readFileSync(resolve(folder, path), "utf8") : undefined;
  const terminal: Terminal = {
    env,
    resolve: (path) => resolve(folder, path),
    read: async (path) => {
      const text = files[path] ?? onDisk(path);
      if (text === undefined) throw new CliError("INPUT_UNREADABLE", { cause: `${path}: no such file` });
      return text;
    },
    readBytes: async (path) => Buffer.from(await terminal.read(path)),
    readIfPresent: async (path) => files[path] ?? onDisk(path),
    confirm: async (question) => {
      reported.push(question);
      return answers.shift() === "yes";
    },
    askSecret: async (question) => {
      reported.push(question);
      return answers.shift() ?? "";
    },
    print: (text) => void printed.push(text),
    report: (text) => void reported.push(text),
    show: (text) => {
      if (isInteractive) reported.push(`${text}\n`);
    },
  };
  return { terminal, printed, reported };
}

/** Runs the command line in this process, with files in memory. */
export async function run(args: readonly string[], input: RunInput = {}): Promise<Run> {
  const { terminal, printed, reported } = testTerminal(input);
  const exitCode = await runProgram(args, terminal);
  return { exitCode, output: printed.join(""), report: reported.join("") };
}

/** Result of a run with `--json`: the last line, and the progress lines before it. */
export interface JsonRun {
  readonly exitCode: number;
  readonly line: JsonObject;
  readonly events: readonly JsonObject[];
}

/** Runs a command with `--json`. The published schema accepts each line, and standard error stays empty. */
export async function runJson(args: readonly string[], input: RunInput = {}): Promise<JsonRun> {
  const { exitCode, output, report } = await run([...args, "--json"], input);
  const lines = output.trimEnd().split("\n").map(parseJson).filter(isJsonObject);
  for (const line of lines) assert.deepEqual(schemaFaults(line), []);
  assert.equal(report, "");
  const line = lines.at(-1);
  assert.ok(line !== undefined);
  return { exitCode, line, events: lines.slice(0, -1) };
}

export function partOf(line: JsonObject, name: "result" | "error"): JsonObject {
  const part = line[name];
  assert.ok(isJsonObject(part), JSON.stringify(line));
  return part;
}
