import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import {
  type BoundCall,
  bindCall,
  type CostSnapshot,
  compareCosts,
  costName,
  parseCostSnapshot,
  printCostSnapshot,
  SNAPSHOT_FILE,
  type UnboundCall,
} from "@finality/client/call-sites";
import { estimateCall, suggestedFeeLimit } from "@finality/client/estimates";
import { coinSymbolOf } from "@finality/client/gateway";
import { type EstimateLabels, estimateLabels } from "@finality/client/labels";
import { grouped, markdownText } from "@finality/tron/format";
import { defined, type Json, type JsonObject, parseAddress, visibleLine } from "@finality/tron/primitives";
import { addressNamed, type CallInFile, callContext, readArtifacts, readCalls } from "../call-context.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { Invocation, RunCommand } from "../command.ts";
import { type Connection, chooseNetwork, connect } from "../network.ts";
import type { Terminal } from "../terminal.ts";

const MARGIN_PERCENT = 20n;
/** Lets a call without a caller be read, so that its other faults are found. */
const NO_CALLER = parseAddress(`41${"0".repeat(40)}`);

/** Estimate of one call, or the reason why there is none. */
interface CallReport {
  readonly call: CallInFile;
  readonly name: string;
  readonly verdict: "fits" | "short" | "depends" | "fails" | "unknown" | "unbound" | "missing";
  readonly headline: string;
  readonly problems: readonly string[];
  readonly energy?: bigint;
  /** Sun. */
  readonly suggestedFeeLimit?: bigint;
}

/** Estimates the calls of call files and Solidity sources, and compares them with a snapshot. */
export const runEstimate: RunCommand = async (invocation, { terminal, progress }) => {
  const tolerance = percentOf(invocation);
  const calls = await readCalls(invocation.positionals, terminal);
  const before = await snapshotBefore(invocation, terminal);
  const connection = connect(await chooseNetwork(invocation, terminal, calls[0]?.site.network));
  const reports: CallReport[] = [];
  try {
    const estimate = await estimator(invocation, terminal, connection);
    for (const [index, call] of calls.entries()) {
      const report = await estimate(call);
      reports.push(report);
      progress("call", callJson(report, before), `${index + 1} of ${calls.length}: ${report.name}`);
    }
  } finally {
    await connection.close();
  }
  const after = new Map(reports.flatMap(({ name, energy }) => (energy === undefined ? [] : [[name, energy] as const])));
  const changes = compareCosts(before ?? new Map(), after);
  const over = changes.filter((it) => isOver(it, tolerance)).map(({ name }) => name);
  const file = invocation.isOn("snapshot") ? SNAPSHOT_FILE : undefined;
  if (file !== undefined) await writeFile(terminal.resolve(file), printCostSnapshot(after));
  const failed = reports.filter(({ verdict }) => verdict === "fails" || verdict === "unbound");
  const result = {
    network: connection.profile.name,
    calls: reports.map((it) => callJson(it, before)),
    changes: changes.map((it) => ({ name: it.name, before: String(it.before), after: String(it.after) })),
    overBudget: over,
    ...defined({ snapshot: file }),
  };
  const text = invocation.isOn("markdown") ? markdown(reports, before, over) : plain(reports, before, over);
  const isUnknown = reports.some(({ verdict }) => verdict === "unknown");
  const answered = isUnknown ? EXIT.network : EXIT.ok;
  return { result, text, exitCode: over.length > 0 ? EXIT.overBudget : failed.length > 0 ? EXIT.negative : answered };
};

/** Returns a function that binds and estimates a call on the network. */
async function estimator(
  invocation: Invocation,
  terminal: Terminal,
  { gateway, profile, configuration }: Connection,
): Promise<(call: CallInFile) => Promise<CallReport>> {
  const artifacts = await readArtifacts(invocation, terminal);
  const { addresses } = configuration;
  const named = invocation.text("caller");
  const caller = named === undefined ? undefined : addressNamed(named, addresses);
  const context = callContext(artifacts, profile, { addresses, caller: caller ?? NO_CALLER });
  return async (call) => {
    const bound = bindCall(call.site, context);
    if (bound.kind !== "bound") return unboundReport(call, bound);
    if (caller === undefined && call.site.caller === undefined)
      return unboundReport(call, { kind: "wrong", reason: "the call names no caller: use --caller ADDRESS" });
    const { intent, called, limit } = bound;
    const first = await estimateCall(gateway, intent);
    // Without a limit in the file, the cost is that of the suggested one.
    const feeLimit =
      first.kind === "estimated" && !limit.isReal ? suggestedFeeLimit(first, MARGIN_PERCENT) : intent.feeLimit;
    const priced = { ...intent, feeLimit };
    const estimate = feeLimit === intent.feeLimit ? first : await estimateCall(gateway, priced);
    const labels = estimateLabels(estimate, priced, {
      abi: artifacts.index,
      marginPercent: MARGIN_PERCENT,
      mutability: called.mutability,
      symbol: coinSymbolOf(profile.baseUrl),
    });
    return boundReport(call, bound, labels);
  };
}

function boundReport(call: CallInFile, bound: BoundCall, labels: EstimateLabels): CallReport {
  const { verdict, headline, problems, energy, suggestedFeeLimit: suggested } = labels;
  return {
    call,
    name: costName(bound),
    verdict,
    headline,
    problems,
    ...defined({ energy, suggestedFeeLimit: suggested }),
  };
}

function unboundReport(call: CallInFile, unbound: UnboundCall): CallReport {
  const reason =
    unbound.kind === "wrong"
      ? unbound.reason
      : `missing: ${unbound.missing.map(({ question }) => question).join("; ")}`;
  const { label, method } = call.site;
  return {
    call,
    name: label ?? method ?? "call",
    verdict: unbound.kind === "wrong" ? "unbound" : "missing",
    headline: reason,
    problems: [`${reason}.`],
  };
}

/** Reads the snapshot to compare with: of a git revision, else of the folder. Undefined if there is none. */
async function snapshotBefore(invocation: Invocation, terminal: Terminal): Promise<CostSnapshot | undefined> {
  const revision = invocation.text("against");
  const text = revision === undefined ? await terminal.readIfPresent(SNAPSHOT_FILE) : snapshotAt(revision, terminal);
  const snapshot = text === undefined ? undefined : parseCostSnapshot(text);
  if (text === undefined || snapshot !== undefined) return snapshot;
  throw new CliError("INPUT_UNREADABLE", {
    cause: `${SNAPSHOT_FILE}: it is not a snapshot of finality estimate --snapshot.`,
  });
}

function snapshotAt(revision: string, terminal: Terminal): string {
  try {
    const args = ["show", "--end-of-options", `${revision}:./${SNAPSHOT_FILE}`];
    return execFileSync("git", args, {
      cwd: terminal.resolve("."),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const next = "Commit the snapshot there: finality estimate --snapshot writes it.";
    throw new CliError("INPUT_UNREADABLE", { cause: `${SNAPSHOT_FILE} of ${revision}: ${visibleLine(reason)}`, next });
  }
}

/** @throws {CliError} `USAGE` */
function percentOf(invocation: Invocation): bigint {
  const text = invocation.text("tolerance") ?? "0";
  if (/^\d{1,4}$/.test(text)) return BigInt(text);
  throw new CliError("USAGE", { cause: `--tolerance has to be a whole number of percent, not "${text}".` });
}

function isOver({ before, after }: { readonly before: bigint; readonly after: bigint }, tolerance: bigint): boolean {
  return after * 100n > before * (100n + tolerance);
}

function callJson(
  { call, energy, suggestedFeeLimit: suggested, ...report }: CallReport,
  before: CostSnapshot | undefined,
): JsonObject {
  const { file, line, site } = call;
  const known = before?.get(report.name);
  const amounts = { energy, energyBefore: known, suggestedFeeLimit: suggested };
  const texts = Object.entries(defined(amounts)).map(([name, amount]) => [name, String(amount)] as const);
  const problems: readonly Json[] = report.problems;
  return { ...report, problems, file, line, ...defined({ label: site.label }), ...Object.fromEntries(texts) };
}

function changeOf({ name, energy }: CallReport, before: CostSnapshot | undefined): string {
  const known = before?.get(name);
  if (known === undefined || energy === undefined || known === energy) return "";
  return `${energy > known ? "+" : "-"}${grouped(energy > known ? energy - known : known - energy)}`;
}

function plain(reports: readonly CallReport[], before: CostSnapshot | undefined, over: readonly string[]): string {
  const lines = reports.flatMap((it) => {
    const { call, name, verdict, headline, problems } = it;
    const change = changeOf(it, before);
    const parts = [visibleLine(headline), ...(change === "" ? [] : [`${change} energy`])];
    const details =
      verdict === "fits" || verdict === "unbound" || verdict === "missing"
        ? []
        : problems.map((problem) => `    ${visibleLine(problem, 1_000)}`);
    return [`${call.file}:${call.line}  ${visibleLine(name)}  ${parts.join(" · ")}`, ...details];
  });
  const budget = over.length === 0 ? [] : [`Over budget: ${over.map((it) => visibleLine(it)).join(", ")}`];
  return `${[...lines, ...budget].join("\n")}\n`;
}

function markdown(reports: readonly CallReport[], before: CostSnapshot | undefined, over: readonly string[]): string {
  const rows = reports.map((it) => {
    const known = before?.get(it.name);
    const energy = it.energy === undefined ? markdownText(visibleLine(it.headline)) : grouped(it.energy);
    const change = changeOf(it, before);
    return [
      markdownText(visibleLine(it.name)),
      known === undefined ? "" : grouped(known),
      energy,
      over.includes(it.name) ? `${change} (over budget)` : change,
    ];
  });
  const header = [
    ["Call", "Energy before", "Energy", "Change"],
    ["---", "---:", "---:", "---:"],
  ];
  return [...header, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
