import { type BindingContext, type BoundCall, bindCall, costName, type UnboundCall } from "@finality/client/call-sites";
import { executeSetupStep } from "@finality/client/call-tests";
import { contractRunOf, estimateCall, suggestedFeeLimit } from "@finality/client/estimates";
import { coinSymbolOf } from "@finality/client/gateway";
import { estimateLabels } from "@finality/client/labels";
import { energyProfile, lineSources, type TraceSources } from "@finality/client/traces";
import { requestTrace } from "@finality/node/local-trace";
import { defined, parseAddress } from "@finality/tron/primitives";
import { type Artifacts, type CallFileContent, type CallInFile, callContext, readArtifacts } from "./call-context.ts";
import { accountsOn, type CallTarget } from "./call-target.ts";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { readTraceSources } from "./trace-sources.ts";

const MARGIN_PERCENT = 20n;
/** Most instructions of a call whose functions are measured. */
const MOST_STEPS = 1_000_000;
/** Lets a call without a caller be read, so that its other faults are found. */
const NO_CALLER = parseAddress(`41${"0".repeat(40)}`);

/** Estimate of one call, or the reason why there is none. */
export interface CallReport {
  readonly call: CallInFile;
  readonly name: string;
  readonly verdict: "fits" | "short" | "depends" | "fails" | "unknown" | "unbound" | "missing";
  readonly headline: string;
  readonly problems: readonly string[];
  readonly energy?: bigint;
  /** Sun. */
  readonly suggestedFeeLimit?: bigint;
  /** Functions of the contract, such as `Leaf.transfer(address,uint256)`. */
  readonly functions?: readonly string[];
  /** Own energy of the functions that ran, such as `Leaf._move`; only if it was measured. */
  readonly functionEnergy?: ReadonlyMap<string, number>;
}

/** Folder whose calls are estimated. */
interface EstimatedFolder {
  readonly contents: readonly CallFileContent[];
  readonly terminal: Terminal;
  readonly invocation: Invocation;
  /** True if the energy of each function is measured, which an embedded chain can. */
  readonly measuresFunctions: boolean;
}

/**
 * Estimates the calls of files, and on an embedded chain the steps of their setup. Each file starts from the same state.
 *
 * @param reported - Called with each report.
 * @throws {CliError} `SETUP_FAILED`, `USAGE`, `INPUT_UNREADABLE`
 */
export async function estimateFolder(
  target: CallTarget,
  { contents, terminal, invocation, measuresFunctions }: EstimatedFolder,
  reported: (report: CallReport) => void = () => undefined,
): Promise<readonly CallReport[]> {
  const artifacts = await readArtifacts(invocation, terminal);
  const { addresses, caller } = await accountsOn(target, invocation, terminal);
  const { embedded, profile } = target;
  const network = embedded === undefined ? profile : undefined;
  const parties = { addresses, caller: caller ?? NO_CALLER };
  const reports: CallReport[] = [];
  const isMeasured = measuresFunctions && embedded !== undefined;
  const sources = isMeasured ? await readTraceSources(invocation, terminal, (all) => all.codes()) : undefined;
  const report = async (call: CallInFile, context: BindingContext): Promise<void> => {
    const isIncomplete = caller === undefined && call.site.caller === undefined;
    const it = await estimate(call, { context, target, artifacts, isIncomplete, sources });
    reports.push(it);
    reported(it);
  };
  for (const { setup, calls } of contents) {
    let context = callContext(artifacts, network, parties);
    if (embedded === undefined) for (const call of calls) await report(call, context);
    else
      await embedded.isolated(async () => {
        for (const step of setup) {
          await report(step, context);
          context = await executeStep(embedded, step, context, artifacts);
        }
        for (const call of calls) await report(call, context);
      });
  }
  return reports;
}

/** Executes a step of a setup. Returns the context of the next one. @throws {CliError} `SETUP_FAILED` */
export async function executeStep(
  embedded: NonNullable<CallTarget["embedded"]>,
  { site, file, line }: CallFileContent["setup"][number],
  context: BindingContext,
  { index: abi }: Artifacts,
): Promise<BindingContext> {
  const result = await executeSetupStep(embedded, site, context, { abi, nameOf: () => undefined });
  if (result.kind === "executed") return result.context;
  throw new CliError("SETUP_FAILED", { cause: `${file}:${line}: ${result.reason}.` });
}

interface EstimateInput {
  readonly context: BindingContext;
  readonly target: CallTarget;
  readonly artifacts: Artifacts;
  /** Undefined if functions are not measured. */
  readonly sources: TraceSources | undefined;
  /** True if neither the call nor the arguments name a caller. */
  readonly isIncomplete: boolean;
}

async function estimate(
  call: CallInFile,
  { context, target, artifacts, isIncomplete, sources }: EstimateInput,
): Promise<CallReport> {
  const bound = bindCall(call.site, context);
  if (bound.kind !== "bound") return unboundReport(call, bound);
  if (isIncomplete)
    return unboundReport(call, { kind: "wrong", reason: "the call names no caller: use --caller ADDRESS" });
  const { gateway, profile } = target;
  const { intent, called, limit } = bound;
  const first = await estimateCall(gateway, intent);
  // Without a limit in the file, the cost is that of the suggested one.
  const feeLimit =
    first.kind === "estimated" && !limit.isReal ? suggestedFeeLimit(first, MARGIN_PERCENT) : intent.feeLimit;
  const priced = { ...intent, feeLimit };
  const estimated = feeLimit === intent.feeLimit ? first : await estimateCall(gateway, priced);
  const labels = estimateLabels(estimated, priced, {
    abi: artifacts.index,
    marginPercent: MARGIN_PERCENT,
    mutability: called.mutability,
    symbol: coinSymbolOf(profile.baseUrl),
  });
  const { verdict, headline, problems, energy, suggestedFeeLimit: suggested } = labels;
  const functionEnergy =
    sources === undefined || energy === undefined ? undefined : await measureFunctions(bound.intent, target, sources);
  const figures = defined({ energy, suggestedFeeLimit: suggested, functionEnergy });
  return { call, name: costName(bound), verdict, headline, problems, functions: functionsOf(bound), ...figures };
}

async function measureFunctions(
  intent: BoundCall["intent"],
  { profile }: CallTarget,
  sources: TraceSources,
): Promise<ReadonlyMap<string, number>> {
  const traced = { kind: "call", run: contractRunOf(intent) } as const;
  const trace = await requestTrace(profile.baseUrl, traced, { steps: true, maxSteps: MOST_STEPS });
  return energyProfile(trace, lineSources(trace, sources)).functions;
}

function functionsOf({ contract }: BoundCall): readonly string[] {
  return contract.functions.map(({ signature }) => `${contract.name}.${signature}`);
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
