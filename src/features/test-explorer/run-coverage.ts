import {
  type BranchCoverage,
  CompiledContracts,
  coverageReport,
  type SourceCoverage,
  TraceSources,
} from "@finality/client/traces";
import type { CoverageRecord } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { findSource, mappedFiles, readSmall } from "../../host/artifacts/source-files.ts";

/** Most source files whose coverage is shown. */
const MOST_FILES = 2_000;
/** Folders of installed packages, in a path below the workspace folder. */
const INSTALLED = /(?:^|\/)(?:node_modules|lib)\//;

/** Sources that compilers find in packages. */
const PACKAGE = /^(?:@|node_modules\/|hardhat\/|forge-std\/)/;

const details = new WeakMap<vscode.FileCoverage, readonly vscode.FileCoverageDetail[]>();

/** Returns the statements, branches and functions of a file that `RunCoverage` reported. */
export function detailsOf(file: vscode.FileCoverage): readonly vscode.FileCoverageDetail[] {
  return details.get(file) ?? [];
}

/** Coverage of one test run. */
export class RunCoverage {
  readonly #records: CoverageRecord[] = [];

  add(record: CoverageRecord): void {
    this.#records.push(record);
  }

  /** Adds the coverage of the source files of the workspace to a run, or prints why there is none. */
  async report(run: vscode.TestRun): Promise<void> {
    const print = (reason: string): void => run.appendOutput(`${reason}\r\n`);
    const [record] = this.#records;
    if (record === undefined) return print(t`No coverage: only a local chain counts what it executes.`);
    const { sources, uris } = await readSources();
    const { files, isViaIr } = coverageReport(
      { ...record, codes: this.#records.flatMap(({ codes }) => codes) },
      sources,
    );
    const shown = files.flatMap((file) => {
      const uri = uris.get(file.path);
      return uri === undefined || INSTALLED.test(vscode.workspace.asRelativePath(uri)) ? [] : [fileCoverage(uri, file)];
    });
    if (shown.length === 0) print(t`No coverage: the artifacts of the workspace have no source maps of its files.`);
    if (isViaIr) print(t`Some contracts were compiled with viaIR: lines that were executed can be missing.`);
    for (const file of shown) run.addCoverage(file);
  }
}

/** Reads the artifacts with source maps, and the files of the workspace that they name. */
async function readSources() {
  const contracts = new CompiledContracts();
  for (const uri of await mappedFiles([])) {
    const text = await readSmall(uri);
    if (text !== undefined) contracts.put(uri.toString(), text);
  }
  const texts = new Map<string, string>();
  const uris = new Map<string, vscode.Uri>();
  const seen = new Set<string>();
  for (const { sources } of contracts.codes())
    for (const { path, text } of sources.values()) {
      if (seen.has(path) || seen.size >= MOST_FILES || PACKAGE.test(path)) continue;
      seen.add(path);
      const uri = await findSource(path);
      if (uri === undefined) continue;
      uris.set(path, uri);
      const content = text ?? (await readSmall(uri));
      if (content !== undefined) texts.set(path, content);
    }
  return { sources: new TraceSources(contracts, (path) => texts.get(path)), uris };
}

function fileCoverage(uri: vscode.Uri, { functions }: SourceCoverage): vscode.FileCoverage {
  const all = functions.flatMap(({ name, statements, modifiers, ...it }): vscode.FileCoverageDetail[] => [
    new vscode.DeclarationCoverage(name, it.count, rangeOf(it)),
    ...modifiers.map((branch) => new vscode.StatementCoverage(branch.count, rangeOf(branch), outcomesOf(branch))),
    ...statements.map(
      ({ branches, ...statement }) =>
        new vscode.StatementCoverage(statement.count, rangeOf(statement), branches.flatMap(outcomesOf)),
    ),
  ]);
  const file = vscode.FileCoverage.fromDetails(uri, all);
  details.set(file, all);
  return file;
}

function outcomesOf({ kind, outcomes }: BranchCoverage): vscode.BranchCoverage[] {
  const labels = labelsOf(kind);
  return outcomes.map((it, side) => new vscode.BranchCoverage(it.count, rangeOf(it), labels[side]));
}

/** Returns the names of the outcomes of a branch. */
function labelsOf(kind: BranchCoverage["kind"]): readonly string[] {
  switch (kind) {
    case "if":
      return [t`condition is true`, t`condition is false`];
    case "require":
    case "modifier":
      return [t`passes`, t`fails`];
    case "ternary":
      return [t`first value`, t`second value`];
    case "or":
      return [t`left side is true`, t`right side is true`];
  }
}

function rangeOf({ start, end }: Pick<BranchCoverage, "start" | "end">): vscode.Range {
  return new vscode.Range(start.line, start.column, end.line, end.column);
}
