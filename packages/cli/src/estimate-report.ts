import { type CostChange, type CostSnapshot, compareCosts } from "@finality/client/call-sites";
import { codeInTable, grouped, inlineCode } from "@finality/tron/format";
import { defined, type Json, type JsonObject, visibleLine } from "@finality/tron/primitives";
import type { CallReport } from "./estimate-calls.ts";

/** Estimates of a folder, compared with a snapshot or with the estimates of a git revision. */
export interface EstimateReport {
  readonly reports: readonly CallReport[];
  readonly before: CostSnapshot;
  /** Largest change first. */
  readonly changes: readonly CostChange[];
  /** Changed own energy of functions in the calls that both have; undefined if they are not comparable. */
  readonly functionChanges: readonly CostChange[] | undefined;
  /** Names of the calls that need more than the tolerance permits. */
  readonly over: readonly string[];
  /** Differences from a git revision; undefined for a snapshot, which may have calls of other files. */
  readonly revision?: RevisionDifferences;
}

/** Differences from a git revision besides figures. */
interface RevisionDifferences {
  readonly name: string;
  /** Names of the calls that only this folder has, and of those that only the revision has. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The same for the functions of their contracts. */
  readonly functions: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Reasons why calls of the revision have no figure. Sentences. */
  readonly notes: readonly string[];
}

/** Content of a snapshot file. */
export interface StoredSnapshot {
  readonly calls: CostSnapshot;
  /** Own energy of functions, in all calls together. */
  readonly functions: CostSnapshot;
}

/** Estimates of a git revision. */
export interface RevisionEstimates {
  readonly name: string;
  readonly reports: readonly CallReport[];
  readonly notes: readonly string[];
}

/** Returns the energy of calls by their names. */
export function energyOf(reports: readonly CallReport[]): CostSnapshot {
  return new Map(reports.flatMap(({ name, energy }) => (energy === undefined ? [] : [[name, energy] as const])));
}

/** Returns the own energy of functions in all measured calls together. */
export function functionTotals(reports: readonly CallReport[]): CostSnapshot {
  const totals = new Map<string, bigint>();
  for (const { functionEnergy = new Map<string, number>() } of reports)
    for (const [name, energy] of functionEnergy) totals.set(name, (totals.get(name) ?? 0n) + BigInt(energy));
  return totals;
}

/** Compares estimates. @param tolerance - Accepted increase in percent. */
export function compareEstimates(
  reports: readonly CallReport[],
  base: StoredSnapshot | RevisionEstimates,
  tolerance: bigint,
): EstimateReport {
  const isRevision = "reports" in base;
  const before = isRevision ? energyOf(base.reports) : base.calls;
  const changes = compareCosts(before, energyOf(reports));
  const over = changes.filter((it) => it.after * 100n > it.before * (100n + tolerance)).map(({ name }) => name);
  const functionChanges = isRevision
    ? compareCosts(...totalsOfEqualCalls(base.reports, reports))
    : hasSameNames(base.calls, energyOf(reports))
      ? compareCosts(base.functions, functionTotals(reports))
      : undefined;
  const revision = isRevision ? { revision: differences(reports, base) } : {};
  return { reports, before, changes, functionChanges, over, ...revision };
}

/** Returns the totals of the calls that both have, so that a new call makes no function more expensive. */
function totalsOfEqualCalls(before: readonly CallReport[], after: readonly CallReport[]): [CostSnapshot, CostSnapshot] {
  const [old, now] = [energyOf(before), energyOf(after)];
  const inBoth = (all: readonly CallReport[]) => all.filter(({ name }) => old.has(name) && now.has(name));
  return [functionTotals(inBoth(before)), functionTotals(inBoth(after))];
}

/** A snapshot has totals of all calls, so other calls have other totals. */
function hasSameNames(one: CostSnapshot, other: CostSnapshot): boolean {
  return one.size === other.size && [...one.keys()].every((it) => other.has(it));
}

function differences(reports: readonly CallReport[], { name, reports: base, notes }: RevisionEstimates) {
  const [calls, callsBefore] = [reports, base].map((all) => all.filter(isBound).map((it) => it.name));
  const [functions, functionsBefore] = [reports, base].map((all) => all.flatMap((it) => it.functions ?? []));
  return {
    name,
    notes,
    added: without(calls, callsBefore),
    removed: without(callsBefore, calls),
    functions: {
      added: without(functions, functionsBefore),
      removed: without(functionsBefore, functions),
    },
  };
}

function without(names: readonly string[] = [], others: readonly string[] = []): readonly string[] {
  const known = new Set(others);
  return [...new Set(names)].filter((it) => !known.has(it));
}

function isBound({ verdict }: CallReport): boolean {
  return verdict !== "unbound" && verdict !== "missing";
}

/** Returns the report for programs, without the name of the network. */
export function reportJson({ reports, before, changes, functionChanges, over, revision }: EstimateReport): JsonObject {
  return {
    calls: reports.map((it) => callJson(it, before)),
    changes: changes.map(changeJson),
    ...(functionChanges !== undefined && { functionChanges: functionChanges.map(changeJson) }),
    overBudget: over,
    ...(revision !== undefined && {
      against: revision.name,
      added: revision.added,
      removed: revision.removed,
      functions: { added: revision.functions.added, removed: revision.functions.removed },
      notes: revision.notes,
    }),
  };
}

function changeJson({ name, before, after }: CostChange): JsonObject {
  return { name, before: String(before), after: String(after) };
}

/** Returns the report of a call for programs. */
export function callJson(
  { call, functions: _, functionEnergy: __, energy, suggestedFeeLimit: suggested, ...report }: CallReport,
  before?: CostSnapshot,
): JsonObject {
  const { file, line, site } = call;
  const amounts = { energy, energyBefore: before?.get(report.name), suggestedFeeLimit: suggested };
  const texts = Object.entries(defined(amounts)).map(([name, amount]) => [name, String(amount)] as const);
  const problems: readonly Json[] = report.problems;
  return { ...report, problems, file, line, ...defined({ label: site.label }), ...Object.fromEntries(texts) };
}

function changeOf({ name, energy }: CallReport, before: CostSnapshot): string {
  const known = before.get(name);
  if (known === undefined || energy === undefined || known === energy) return "";
  return `${energy > known ? "+" : "-"}${grouped(energy > known ? energy - known : known - energy)}`;
}

/** Returns the report for a terminal. */
export function plainReport(report: EstimateReport): string {
  const { reports, before, revision } = report;
  const lines = reports.flatMap((it) => {
    const { call, name, verdict, headline, problems } = it;
    const change = changeOf(it, before);
    const parts = [visibleLine(headline), ...(change === "" ? [] : [`${change} energy`])];
    const isClear = verdict === "fits" || verdict === "unbound" || verdict === "missing";
    const details = isClear ? [] : problems.map((problem) => `    ${visibleLine(problem, 1_000)}`);
    return [`${call.file}:${call.line}  ${visibleLine(name)}  ${parts.join(" · ")}`, ...details];
  });
  const lists = listsOf(report).map(({ title, names }) => `${title}: ${names.map(shown).join(", ")}`);
  const notes = revision?.notes.map((it) => `Note: ${visibleLine(it, 1_000)}`) ?? [];
  return `${[...lines, ...lists, ...notes].join("\n")}\n`;
}

function shown(name: string): string {
  return visibleLine(name);
}

interface NameList {
  readonly title: string;
  readonly names: readonly string[];
}

function listsOf({
  over,
  revision,
  functionChanges = [],
}: Pick<EstimateReport, "over" | "revision" | "functionChanges">): readonly NameList[] {
  const dearer = functionChanges.filter(({ before, after }) => after > before);
  return [
    { title: "Over budget", names: over },
    {
      title: "Functions that need more energy",
      names: dearer.map(({ name, before, after }) => `${name} +${grouped(after - before)}`),
    },
    { title: "New calls", names: revision?.added ?? [] },
    { title: "Calls that are gone", names: revision?.removed ?? [] },
    { title: "New functions", names: revision?.functions.added ?? [] },
    { title: "Functions that are gone", names: revision?.functions.removed ?? [] },
  ].filter(({ names }) => names.length > 0);
}

/** A comment of a pull request has at most 65,536 characters. */
const MOST_ROWS = 200;
const MOST_NAMES = 50;

/**
 * Returns the report as Markdown. Names and reasons are code, in which nothing is a mention, a link or HTML. Compared
 * with a git revision, unchanged calls have no row.
 */
export function markdownReport({ reports, before, functionChanges, over, revision }: EstimateReport): string {
  const isUnchanged = (it: CallReport): boolean => it.energy !== undefined && before.get(it.name) === it.energy;
  const rows = revision === undefined ? reports : reports.filter((it) => !isUnchanged(it));
  const table = rows.slice(0, MOST_ROWS).map((it) => {
    const known = before.get(it.name);
    const change = revision?.added.includes(it.name) === true ? "new" : changeOf(it, before);
    return [
      codeInTable(it.name),
      known === undefined ? "" : grouped(known),
      it.energy === undefined ? codeInTable(it.headline) : grouped(it.energy),
      over.includes(it.name) ? `${change} (over budget)` : change,
    ];
  });
  const header = [
    ["Call", "Energy before", "Energy", "Change"],
    ["---", "---:", "---:", "---:"],
  ];
  const lines = rows.length === 0 ? [] : [...header, ...table].map((cells) => `| ${cells.join(" | ")} |`);
  if (rows.length > MOST_ROWS) lines.push("", `${rows.length - MOST_ROWS} more calls are not listed.`);
  if (revision === undefined) return `${lines.join("\n")}\n`;
  const unchanged = reports.length - rows.length;
  const summary = `Compared with ${inlineCode(revision.name)}: ${summaryOf(reports, before, revision)}, ${unchanged} unchanged.`;
  const lists = listsOf({ over: [], functionChanges, revision }).map(
    ({ title, names }) => `${title}: ${namesInMarkdown(names)}`,
  );
  const notes = revision.notes.map((it) => `Note: ${inlineCode(it)}`);
  return `${[summary, "", ...lines, ...(lines.length === 0 ? [] : [""]), ...[...lists, ...notes].flatMap((it) => [it, ""])].join("\n").trimEnd()}\n`;
}

function namesInMarkdown(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names
    .slice(0, MOST_NAMES)
    .map((it) => inlineCode(it))
    .join(", ")}${more}`;
}

function summaryOf(reports: readonly CallReport[], before: CostSnapshot, revision: RevisionDifferences): string {
  const changes = reports.map((it) => changeOf(it, before));
  const more = changes.filter((it) => it.startsWith("+")).length;
  const less = changes.filter((it) => it.startsWith("-")).length;
  const calls = more === 1 ? "1 call needs more energy" : `${more} calls need more energy`;
  return `${calls}, ${less} less, ${revision.added.length} new, ${revision.removed.length} gone`;
}
