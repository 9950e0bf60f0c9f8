import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { parseCostSnapshot, parseFunctionTotals, printCostSnapshot, SNAPSHOT_FILE } from "@finality/client/call-sites";
import { counted } from "@finality/tron/format";
import { defined } from "@finality/tron/primitives";
import { readCallFiles } from "../call-context.ts";
import { type CallTarget, openTarget } from "../call-target.ts";
import { CliError, EXIT, isCliError } from "../cli-error.ts";
import type { Invocation, RunCommand } from "../command.ts";
import { type CallReport, estimateFolder } from "../estimate-calls.ts";
import {
  callJson,
  compareEstimates,
  energyOf,
  functionTotals,
  markdownReport,
  plainReport,
  type RevisionEstimates,
  reportJson,
  type StoredSnapshot,
} from "../estimate-report.ts";
import type { Terminal } from "../terminal.ts";
import { withWorktree } from "../worktree.ts";

/** Estimates the calls of call files and Solidity sources, and compares them with a snapshot or a git revision. */
export const runEstimate: RunCommand = async (invocation, { terminal, progress, show }) => {
  const tolerance = percentOf(invocation);
  const revision = revisionOf(invocation);
  const contents = await readCallFiles(invocation.positionals, terminal);
  const snapshot = revision === undefined ? await readSnapshot(terminal) : undefined;
  const target = await openTarget(invocation, terminal, contents);
  const count = contents.reduce((sum, { calls, setup }) => sum + calls.length + setup.length, 0);
  const measuresFunctions =
    revision !== undefined || invocation.isOn("snapshot") || (snapshot?.functions.size ?? 0) > 0;
  let done = 0;
  show(`estimating ${counted(count, "call", "calls")}`);
  try {
    const base = revision === undefined ? snapshot : await estimatesAt(revision, { invocation, terminal, target });
    const folder = { contents, terminal, invocation, measuresFunctions };
    const reports = await estimateFolder(target, folder, (report) => {
      done += 1;
      progress("call", callJson(report), `${done} of ${count}: ${report.name}`);
    });
    const report = compareEstimates(reports, base ?? NO_SNAPSHOT, tolerance);
    const file = invocation.isOn("snapshot") ? SNAPSHOT_FILE : undefined;
    if (file !== undefined)
      await writeFile(terminal.resolve(file), printCostSnapshot(energyOf(reports), functionTotals(reports)));
    return {
      result: { network: target.profile.name, ...reportJson(report), ...defined({ snapshot: file }) },
      text: invocation.isOn("markdown") ? markdownReport(report) : plainReport(report),
      exitCode: report.over.length > 0 ? EXIT.overBudget : exitCodeOf(reports),
    };
  } finally {
    await target.close();
  }
};

const NO_SNAPSHOT: StoredSnapshot = { calls: new Map(), functions: new Map() };

function exitCodeOf(reports: readonly CallReport[]) {
  const isFailed = ({ verdict, call }: CallReport): boolean =>
    verdict === "unbound" || (verdict === "fails" && call.site.expect?.revert === undefined);
  if (reports.some(isFailed)) return EXIT.negative;
  return reports.some(({ verdict }) => verdict === "unknown") ? EXIT.network : EXIT.ok;
}

interface BaseRun {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly target: CallTarget;
}

/**
 * Estimates the same files as they are in a git revision, with its own artifacts. Files that it does not have are left
 * out.
 *
 * @throws {CliError} `REVISION_UNUSABLE`, `BUILD_FAILED`
 */
async function estimatesAt(name: string, { invocation, terminal, target }: BaseRun): Promise<RevisionEstimates> {
  const build = invocation.text("build");
  return await withWorktree(name, { terminal, build }, async (there) => {
    const paths = invocation.positionals.filter((it) => existsSync(there.resolve(it)));
    try {
      const contents = await readCallFiles(paths, there);
      const folder = { contents, terminal: there, invocation, measuresFunctions: true };
      const reports = await estimateFolder(target, folder);
      return { name, reports, notes: notesOf(name, reports) };
    } catch (error) {
      if (!isCliError(error)) throw error;
      return { name, reports: [], notes: [`The calls of ${name} have no figures: ${error.message}`] };
    }
  });
}

/** A call that only the revision cannot read would count as new, so its reason is named. */
function notesOf(name: string, reports: readonly CallReport[]): readonly string[] {
  return reports
    .filter(({ verdict }) => verdict === "unbound" || verdict === "unknown")
    .map((it) => `${it.name} of ${name} has no figure: ${it.headline}. --build COMMAND writes its artifacts.`);
}

/** @throws {CliError} `USAGE` */
function revisionOf(invocation: Invocation): string | undefined {
  const revision = invocation.text("against");
  const outside = invocation.positionals.find((it) => it === "-" || isAbsolute(it) || it.split(/[/\\]/).includes(".."));
  if (revision !== undefined && outside !== undefined)
    throw new CliError("USAGE", { cause: `--against needs files of this folder, not "${outside}".` });
  if (revision === undefined && invocation.text("build") !== undefined)
    throw new CliError("USAGE", { cause: "--build needs --against." });
  return revision;
}

/** Reads the snapshot of the folder. Undefined if there is none. */
async function readSnapshot(terminal: Terminal): Promise<StoredSnapshot | undefined> {
  const text = await terminal.readIfPresent(SNAPSHOT_FILE);
  if (text === undefined) return undefined;
  const calls = parseCostSnapshot(text);
  if (calls !== undefined) return { calls, functions: parseFunctionTotals(text) };
  throw new CliError("INPUT_UNREADABLE", {
    cause: `${SNAPSHOT_FILE}: it is not a snapshot of finality estimate --snapshot.`,
  });
}

/** @throws {CliError} `USAGE` */
function percentOf(invocation: Invocation): bigint {
  const text = invocation.text("tolerance") ?? "0";
  if (/^\d{1,4}$/.test(text)) return BigInt(text);
  throw new CliError("USAGE", { cause: `--tolerance has to be a whole number of percent, not "${text}".` });
}
