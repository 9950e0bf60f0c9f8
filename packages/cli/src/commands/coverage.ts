import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { isCallTest } from "@finality/client/call-tests";
import { branchesOf, coverageReport, lcovText, lineCounts, type SourceCoverage } from "@finality/client/traces";
import { startLocalChain } from "@finality/local-chain";
import { endCoverage, startCoverage } from "@finality/node/local-trace";
import type { CoverageRecord } from "@finality/tron/traces";
import { readCallFiles } from "../call-context.ts";
import { openTarget } from "../call-target.ts";
import { type CallTestReport, plainTests, testJson } from "../call-test-report.ts";
import { CliError, EXIT, type ExitCode } from "../cli-error.ts";
import type { Context, Invocation, RunCommand } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { readTraceSources, sourceFile } from "../trace-sources.ts";
import { exitCodeOf, runTests } from "./test.ts";

const DEFAULT_FILE = "coverage/lcov.info";

/** Counts of a run of tests. */
interface CountedRun {
  readonly record: CoverageRecord;
  readonly exitCode: ExitCode;
  /** Results of the tests; empty for a command, which prints its own. */
  readonly text: string;
}

/** Runs tests on a new embedded chain, and writes which lines and branches of the Solidity sources they executed. */
export const runCoverage: RunCommand = async (invocation, context) => {
  const { terminal } = context;
  const isCommand = invocation.command.length > 0;
  if (isCommand === invocation.positionals.length > 0)
    throw new CliError("USAGE", { cause: "Name call files, or a command after --." });
  const { record, exitCode, text } = isCommand
    ? await runCommand(invocation, context)
    : await runFiles(invocation, context);
  const sources = await readTraceSources(invocation, terminal, (contracts) => contracts.codes());
  const { files: all, unknown, isViaIr } = coverageReport(record, sources);
  if (isViaIr) context.warn("Some contracts were compiled with viaIR: lines that were executed can be missing.");
  const files = invocation.isOn("dependencies") ? all.map((it) => named(it, terminal)) : projectFiles(all, terminal);
  if (files.length === 0) {
    const next = "Compile the contracts first. Coverage needs artifacts with source maps; see docs/traces.md.";
    throw new CliError("INPUT_UNREADABLE", { cause: "There are no Solidity sources with source maps.", next });
  }
  const output = invocation.text("lcov") ?? DEFAULT_FILE;
  await mkdir(dirname(terminal.resolve(output)), { recursive: true });
  await writeFile(terminal.resolve(output), lcovText(files));
  const totals = files.map(totalsOf);
  return {
    result: { lcov: output, files: totals.map((it) => ({ ...it })), unknownCodes: unknown },
    text: `${text}${tableOf(totals)}\n${output}\n`,
    exitCode,
  };
};

/** Runs the tests of call files. */
async function runFiles(invocation: Invocation, { terminal, progress }: Context): Promise<CountedRun> {
  const contents = await readCallFiles(invocation.positionals, terminal);
  const count = contents.flatMap(({ calls }) => calls.filter(({ site }) => isCallTest(site))).length;
  const target = await openTarget(invocation.with({ embedded: true }, invocation.positionals), terminal, contents);
  const reports: CallTestReport[] = [];
  try {
    await startCoverage(target.profile.baseUrl);
    await runTests(target, { contents, invocation, terminal }, (report) => {
      reports.push(report);
      progress("test", testJson(report), `${reports.length} of ${count}: ${report.name}`);
    });
    const record = await endCoverage(target.profile.baseUrl);
    return { record, exitCode: exitCodeOf(reports), text: `${plainTests(reports)}\n` };
  } finally {
    await target.close();
  }
}

/** Runs a command while a chain counts what its transactions and calls execute. Its output goes to standard error. */
async function runCommand({ command }: Invocation, { terminal, show }: Context): Promise<CountedRun> {
  const chain = await startLocalChain({ tre: true, port: 0 });
  try {
    await startCoverage(chain.baseUrl);
    show("running the command");
    const code = await runToEnd(command, terminal, { CHAIN_URL: chain.baseUrl, FINALITY_URL: chain.baseUrl });
    return { record: await endCoverage(chain.baseUrl), exitCode: code === 0 ? EXIT.ok : EXIT.negative, text: "" };
  } finally {
    await chain.close();
  }
}

/** @throws {CliError} `INPUT_UNREADABLE` there is no such program */
async function runToEnd(
  [program = "", ...words]: readonly string[],
  terminal: Terminal,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(program, words, {
    cwd: terminal.resolve("."),
    env: { ...terminal.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => terminal.report(text));
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return code ?? 1;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError("INPUT_UNREADABLE", { cause: `${program} does not start: ${reason}.` });
  }
}

/** Returns a file with its path in the project, if it has one. */
function named(file: SourceCoverage, terminal: Terminal): SourceCoverage {
  const found = sourceFile(file.path, terminal);
  return found === undefined ? file : { ...file, path: relative(terminal.resolve("."), found).replaceAll("\\", "/") };
}

/** Returns the files of the project without those of installed packages. */
function projectFiles(files: readonly SourceCoverage[], terminal: Terminal): readonly SourceCoverage[] {
  return files
    .map((it) => named(it, terminal))
    .filter(({ path }) => !/^(?:node_modules|lib|@[^/]+|hardhat)\//.test(path));
}

interface FileTotals {
  readonly file: string;
  readonly lines: number;
  readonly coveredLines: number;
  readonly branches: number;
  readonly coveredBranches: number;
  /** Lines that were not executed, from 1. */
  readonly missing: readonly number[];
}

function totalsOf(file: SourceCoverage): FileTotals {
  const lines = [...lineCounts(file)];
  const outcomes = branchesOf(file).flatMap((it) => it.outcomes);
  const missing = lines.filter(([, count]) => count === 0).map(([line]) => line);
  return {
    file: file.path,
    lines: lines.length,
    coveredLines: lines.length - missing.length,
    branches: outcomes.length,
    coveredBranches: outcomes.filter(({ count }) => count > 0).length,
    missing: missing.sort((one, other) => one - other),
  };
}

function tableOf(totals: readonly FileTotals[]): string {
  const sum = (pick: (it: FileTotals) => number): number => totals.reduce((total, it) => total + pick(it), 0);
  const whole = {
    file: "all files",
    lines: sum((it) => it.lines),
    coveredLines: sum((it) => it.coveredLines),
    branches: sum((it) => it.branches),
    coveredBranches: sum((it) => it.coveredBranches),
    missing: [],
  };
  const rows = [...totals, whole].map((it) => [
    `${it.coveredLines} of ${it.lines}`,
    `${it.coveredBranches} of ${it.branches}`,
    it.missing.length === 0 ? it.file : `${it.file}  without ${rangesOf(it.missing)}`,
  ]);
  const table = [["lines", "branches", "file"], ...rows];
  const width = (column: number): number => Math.max(...table.map((row) => row[column]?.length ?? 0));
  const widths = [width(0), width(1)];
  return table
    .map(
      ([lines = "", branches = "", file = ""]) =>
        `${lines.padEnd(widths[0] ?? 0)}  ${branches.padEnd(widths[1] ?? 0)}  ${file}\n`,
    )
    .join("");
}

/** Returns `3, 5–7` for 3, 5, 6, 7. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const it of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === it - 1) last[1] = it;
    else ranges.push([it, it]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
