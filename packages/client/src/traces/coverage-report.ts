import type { CoverageRecord } from "@finality/tron/traces";
import type { SourceFile, TraceSources } from "./code-sources.ts";
import { CoverageCounts, type FunctionCount } from "./coverage-counts.ts";
import type { CoverageBranch, CoverageStatement } from "./coverage-points.ts";
import type { ByteRange } from "./source-outline.ts";
import type { SourcePosition } from "./source-text.ts";

/** Range of a source with the number of its executions. */
interface CountedRange {
  readonly start: SourcePosition;
  readonly end: SourcePosition;
  readonly count: number;
}

/** Branch with the executions of its two outcomes. */
export interface BranchCoverage extends CountedRange {
  readonly kind: CoverageBranch["kind"];
  readonly outcomes: readonly [CountedRange, CountedRange];
}

interface StatementCoverage extends CountedRange {
  readonly branches: readonly BranchCoverage[];
}

interface FunctionCoverage extends CountedRange {
  /** `withdraw`, `constructor`. */
  readonly name: string;
  readonly contract?: string;
  readonly statements: readonly StatementCoverage[];
  /** Its modifiers, which pass or fail. */
  readonly modifiers: readonly BranchCoverage[];
}

/** Coverage of a source file. */
export interface SourceCoverage {
  /** As the compiler names it: `contracts/Vault.sol`. */
  readonly path: string;
  readonly functions: readonly FunctionCoverage[];
}

/** Coverage of sources by the codes of a record. */
export interface CoverageReport {
  readonly files: readonly SourceCoverage[];
  /** Number of codes that no compiled contract has. */
  readonly unknown: number;
  /** True if a code was compiled through the intermediate language: executed lines can be missing. */
  readonly isViaIr: boolean;
}

/** Returns the coverage of all source files that compiled contracts have, in the order of their paths. */
export function coverageReport({ codes }: CoverageRecord, sources: TraceSources): CoverageReport {
  const counts = new CoverageCounts();
  let unknown = 0;
  let isViaIr = false;
  for (const code of codes) {
    const found = sources.find(code.bytes, "runtime") ?? sources.find(code.bytes, "creation");
    if (found === undefined) unknown += 1;
    else {
      counts.add(code, found);
      isViaIr ||= found.compiled.isViaIr;
    }
  }
  const files = sources.files().map((file) => sourceCoverage(file, counts.functions(file)));
  const withCode = files.filter(({ functions }) => functions.length > 0);
  return { files: withCode.sort((one, other) => (one.path < other.path ? -1 : 1)), unknown, isViaIr };
}

function sourceCoverage(file: SourceFile, functions: readonly FunctionCount[]): SourceCoverage {
  return { path: file.path, functions: functions.map((it) => functionCoverage(file, it)) };
}

function functionCoverage(file: SourceFile, counted: FunctionCount): FunctionCoverage {
  const { definition, statements, branches } = counted;
  const counts = resolvedCounts(counted);
  const reported = branches.map((branch, at) => {
    const outcomes = outcomesOf(counted, counts, at);
    return outcomes && branchCoverage(file, branch, outcomes);
  });
  const branchesAt = (statement: number): readonly BranchCoverage[] =>
    reported.flatMap((it, at) => (it === undefined || branches[at]?.statement !== statement ? [] : [it]));
  const { name, kind, contract } = definition;
  return {
    ...rangeIn(file, definition, counts[0] ?? counted.entered ?? 0),
    name: name === "" ? kind : name,
    ...(contract !== undefined && { contract }),
    statements: statements.flatMap((statement, at) => {
      const count = counts[at];
      if (count === undefined || !isListed(statements, statement)) return [];
      return [{ ...rangeIn(file, statement, count), branches: branchesAt(at) }];
    }),
    modifiers: branchesAt(-1),
  };
}

/** Returns false for the braces of a body, which are no statement of their own. */
function isListed(statements: readonly CoverageStatement[], { kind, parent }: CoverageStatement): boolean {
  const outer = statements[parent]?.kind ?? "block";
  return kind !== "block" || outer === "block";
}

/**
 * Returns the executions of statements. Those of a statement without instructions follow from the statements beside it;
 * undefined if they do not.
 */
function resolvedCounts(counted: FunctionCount): readonly (number | undefined)[] {
  const { statements, counts } = counted;
  if (!hasCode(counted)) return counts.map(() => 0);
  const resolved = counts.map((it) => (it.hasCode ? it.entered : undefined));
  const firstIn = (parent: number): number => statements.findIndex((it) => it.parent === parent);
  const fromBranches = branchEntries(counted);
  // Inner and later statements come first, because outer and earlier ones can follow from them.
  for (let at = statements.length - 1; at >= 0; at -= 1) {
    const inner = statements[at]?.kind === "block" ? resolved[firstIn(at)] : undefined;
    if (inner !== undefined) resolved[at] = Math.max(inner, resolved[at] ?? 0);
    resolved[at] ??= countFromBefore(counted, at) ?? resolved[statements.findIndex((it) => it.previous === at)];
  }
  for (const [at, { previous, parent }] of statements.entries()) {
    const outer = statements[parent];
    const outside = outer === undefined ? counted.entered : outer.kind === "block" ? resolved[parent] : undefined;
    const entry = fromBranches.get(at) ?? outside;
    resolved[at] ??= previous < 0 ? entry : resolved[previous];
  }
  return resolved;
}

function hasCode({ counts, entered }: FunctionCount): boolean {
  return entered !== undefined || counts.some((it) => it.hasCode);
}

/** Returns how often the statement before another one completed. */
function countFromBefore({ statements, counts }: FunctionCount, at: number): number | undefined {
  const before = counts[statements[at]?.previous ?? -1];
  return before?.hasCode === true ? before.completed : undefined;
}

/** Returns the executions of the bodies of `if` statements, as their jumps have it. */
function branchEntries({ statements, branches, outcomes }: FunctionCount): ReadonlyMap<number, number> {
  const entries = new Map<number, number>();
  for (const [at, { kind, statement }] of branches.entries()) {
    const { body = -1, otherwise = -1 } = statements[statement] ?? {};
    const outcome = outcomes[at];
    if (kind !== "if" || outcome?.hasCode !== true) continue;
    entries.set(body, outcome.first);
    entries.set(otherwise, outcome.second);
  }
  return entries;
}

/** Returns the executions of both outcomes of a branch; undefined if neither jumps nor statements decide them. */
function outcomesOf(
  counted: FunctionCount,
  resolved: readonly (number | undefined)[],
  at: number,
): readonly [number, number] | undefined {
  const { statements, branches, counts, outcomes } = counted;
  const branch = branches[at];
  const outcome = outcomes[at];
  if (branch === undefined || outcome === undefined) return undefined;
  if (!hasCode(counted)) return [0, 0];
  if (outcome.hasCode && outcome.isOrdered) return [outcome.first, outcome.second];
  const statement = statements[branch.statement];
  const entered = resolved[branch.statement];
  if (statement === undefined || entered === undefined) return undefined;
  if (entered === 0) return [0, 0];
  if (branch.kind === "if") {
    const body = resolved[statement.body];
    const otherwise = statement.otherwise < 0 ? entered - (body ?? entered) : resolved[statement.otherwise];
    return body === undefined || otherwise === undefined ? undefined : [body, Math.max(0, otherwise)];
  }
  if (branch.kind !== "require") return undefined;
  const completed = Math.min(entered, counts[branch.statement]?.completed ?? 0);
  return [completed, entered - completed];
}

function branchCoverage(
  file: SourceFile,
  { kind, arms: [one, other], ...range }: CoverageBranch,
  [first, second]: readonly [number, number],
): BranchCoverage {
  return {
    kind,
    ...rangeIn(file, range, first + second),
    outcomes: [rangeIn(file, one, first), rangeIn(file, other, second)],
  };
}

function rangeIn({ source }: SourceFile, { start, end }: ByteRange, count: number): CountedRange {
  return { start: source.positionAt(start), end: source.positionAt(end), count };
}

/** Returns the executions of the lines with statements, from 1: those of the first statement of each line. */
export function lineCounts({ functions }: SourceCoverage): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  for (const { statements } of functions)
    for (const { start, count } of statements) if (!lines.has(start.line + 1)) lines.set(start.line + 1, count);
  return lines;
}

/** Returns the branches of a file in source order. */
export function branchesOf({ functions }: SourceCoverage): readonly BranchCoverage[] {
  return functions.flatMap(({ modifiers, statements }) => [...modifiers, ...statements.flatMap((it) => it.branches)]);
}
