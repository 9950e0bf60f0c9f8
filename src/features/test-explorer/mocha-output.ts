import { defined } from "@finality/tron/primitives";
import type { RunnerFailure, RunnerTest } from "./runner-result.ts";

/** Colours and cursor movements. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, "g");
const TEST =
  /^(?<indent> {2,})(?:(?<passed>[✔✓√]) |(?<number>\d+)\) |(?<pending>-) )(?<title>.*?)(?: \((?<ms>\d+)ms\))?$/;
const SUITE = /^(?<indent>(?: {2})+)(?<title>\S.*)$/;
const SUMMARY = /^ {2}\d+ (?:passing|failing|pending)\b/;
const FAILURE = /^ {2}(\d+)\) /;
const STACK = /^\s*at .*[\\/(]([^\\/():]+):(\d+):(\d+)\)?$/;
const DIFFERENCE = "+ expected - actual";

/**
 * Reads what mocha's reporter `spec` prints, which Hardhat and TronBox use. Lines that the tests print themselves are
 * skipped where they do not look like a test. Total.
 *
 * @param file - name of the test file without its folder, to find the line of a failure
 */
export function readMochaOutput(output: string, file: string): readonly RunnerTest[] {
  const lines = output.replace(ESCAPES, "").split(/\r?\n/);
  const end = lines.findIndex((line) => SUMMARY.test(line));
  if (end < 0) return [];
  const failures = readFailures(lines.slice(end), file);
  const suites: string[] = [];
  return lines.slice(0, end).flatMap((line) => {
    const { indent = "", passed, number, pending, title = "", ms } = TEST.exec(line)?.groups ?? {};
    if (indent === "") {
      const suite = SUITE.exec(line)?.groups;
      if (suite !== undefined) suites.splice((suite.indent?.length ?? 2) / 2 - 1, suites.length, suite.title ?? "");
      return [];
    }
    // Compilers print lists in this form before the first suite.
    if (pending !== undefined && suites.length === 0) return [];
    const path = [...suites.slice(0, indent.length / 2 - 1), title];
    const state = passed !== undefined ? "passed" : pending !== undefined ? "skipped" : "failed";
    const failure = number === undefined ? undefined : failures.get(number);
    return [{ path, state, ...defined({ durationMs: ms === undefined ? undefined : Number(ms), failure }) }];
  });
}

/** Returns the failures by their numbers. */
function readFailures(lines: readonly string[], file: string): ReadonlyMap<string, RunnerFailure> {
  const starts = lines.flatMap((line, index) => (FAILURE.test(line) ? [index] : []));
  return new Map(
    starts.map((start, index) => [
      FAILURE.exec(lines[start] ?? "")?.[1] ?? "",
      readFailure(lines.slice(start, starts[index + 1]), file),
    ]),
  );
}

/** @param lines - titles up to one that ends with a colon, the message, the difference and the stack */
function readFailure(lines: readonly string[], file: string): RunnerFailure {
  const titleEnd = lines.findIndex((line) => line.endsWith(":"));
  const body = lines.slice(titleEnd + 1).map((line) => line.replace(/^ {1,6}/, ""));
  const stackStart = body.findIndex((line) => /^\s*at /.test(line));
  const [message, difference] = split(stackStart < 0 ? body : body.slice(0, stackStart));
  const frame = body.map((line) => STACK.exec(line)).find((it) => it?.[1] === file);
  const location = frame ? { line: Number(frame[2]), column: Number(frame[3]) } : undefined;
  return { message: message.join("\n").trim(), ...compared(difference), ...defined({ location }) };
}

function split(lines: readonly string[]): readonly [message: readonly string[], difference: readonly string[]] {
  const at = lines.findIndex((line) => line.trim() === DIFFERENCE);
  return at < 0 ? [lines, []] : [lines.slice(0, at), lines.slice(at + 1)];
}

/** Returns both values of a difference: lines that begin with +, with -, and those that both have. */
function compared(lines: readonly string[]): Pick<RunnerFailure, "expected" | "actual"> {
  const isEmpty = lines.every((line) => line.trim() === "");
  if (isEmpty) return {};
  const side = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(sign) || line.startsWith(" "))
      .map((line) => line.slice(1))
      .join("\n")
      .trimEnd();
  return { expected: side("+"), actual: side("-") };
}
