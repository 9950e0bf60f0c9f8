import type { Address, Sun } from "@finality/tron/primitives";
import type { IntentOf } from "@finality/tron/transaction";
import { type CallEstimate, type EstimatedCall, suggestedFeeLimit } from "../estimates/call-estimate.ts";
import { estimateCall } from "../estimates/estimate-call.ts";
import { returnedFalse } from "../tokens.ts";
import type { BoundRow } from "./run-binding.ts";
import { type RunFinding, simulationFinding } from "./run-findings.ts";
import type { RecipientFacts, RunGateway } from "./run-recipients.ts";

/** Margin of a `fee_limit` that a simulation chooses, in percent. */
const MARGIN_PERCENT = 20n;
/** Calls of one function that are simulated; the others count like the most expensive of them. */
const SAMPLES = 25;

export interface MeasuredRun {
  readonly rows: readonly BoundRow[];
  /** Energy that the caller pays for, of all rows; undefined if a simulation has no figure. */
  readonly energy: bigint | undefined;
  readonly findings: readonly RunFinding[];
}

interface MeasuringOptions {
  readonly gateway: RunGateway;
  readonly facts: ReadonlyMap<Address, RecipientFacts>;
  readonly signal: AbortSignal;
}

type CallRow = BoundRow & { readonly intent: IntentOf<"contract-call"> };

/** Simulated rows of one kind. */
interface Sample {
  energy: bigint;
  feeLimit: Sun | undefined;
  hasFigure: boolean;
}

/**
 * Simulates representative rows: for each token one transfer to a holder and one to another account, for each function of
 * a contract some calls. Rows without a `fee_limit` get the largest one of their token or function.
 */
export async function measureRun(rows: readonly BoundRow[], options: MeasuringOptions): Promise<MeasuredRun> {
  const findings: RunFinding[] = [];
  const samples = new Map<string, Sample>();
  const calls = rows.filter(isCall);
  for (const row of representatives(calls, options.facts)) {
    options.signal.throwIfAborted();
    const estimate = await estimateCall(options.gateway, row.intent, 1, options.signal);
    const finding = problemOf(row, estimate);
    if (finding !== undefined) findings.push(finding);
    addSample(samples, kindOf(row, options.facts), estimate);
  }
  const limits = new Map<string, Sun>();
  for (const [kind, { feeLimit }] of samples) {
    const [group = ""] = kind.split(" ");
    if (feeLimit !== undefined && feeLimit >= (limits.get(group) ?? 0n)) limits.set(group, feeLimit);
  }
  const figures = calls.map((it) => samples.get(kindOf(it, options.facts)));
  const isKnown = figures.every((it) => it?.hasFigure === true);
  return {
    rows: rows.map((row) => (isCall(row) && row.needsFeeLimit ? withFeeLimit(row, limits.get(groupOf(row))) : row)),
    energy: isKnown ? figures.reduce((sum, it) => sum + (it?.energy ?? 0n), 0n) : undefined,
    findings,
  };
}

function isCall(row: BoundRow): row is CallRow {
  return row.intent.kind === "contract-call";
}

function withFeeLimit(row: CallRow, feeLimit: Sun | undefined): BoundRow {
  return feeLimit === undefined ? row : { ...row, intent: { ...row.intent, feeLimit } };
}

const SELECTOR_DIGITS = 8;

/** Contract and function. */
function groupOf({ intent }: CallRow): string {
  return `${intent.contract}:${intent.data.slice(0, SELECTOR_DIGITS)}`;
}

/** A first transfer to an account costs more energy than one to a holder. */
function kindOf(row: CallRow, facts: ReadonlyMap<Address, RecipientFacts>): string {
  const { recipient, token } = row;
  if (recipient === undefined || token.kind !== "trc20") return groupOf(row);
  return `${groupOf(row)} ${facts.get(recipient)?.holds.get(token.contract) === true ? "holder" : "new"}`;
}

function representatives(calls: readonly CallRow[], facts: MeasuringOptions["facts"]): readonly CallRow[] {
  const counts = new Map<string, number>();
  return calls.filter((row) => {
    const kind = kindOf(row, facts);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= (row.recipient === undefined ? SAMPLES : 1);
  });
}

function addSample(samples: Map<string, Sample>, kind: string, estimate: CallEstimate): void {
  const sample = samples.get(kind) ?? { energy: 0n, feeLimit: undefined, hasFigure: true };
  samples.set(kind, sample);
  if (estimate.kind !== "estimated") {
    sample.hasFigure = false;
    return;
  }
  const energy = estimate.cost.stakedEnergy + estimate.cost.burnedEnergy;
  const feeLimit = suggestedFeeLimit(estimate, MARGIN_PERCENT);
  if (energy > sample.energy) sample.energy = energy;
  if (sample.feeLimit === undefined || feeLimit > sample.feeLimit) sample.feeLimit = feeLimit;
}

function problemOf(row: CallRow, estimate: CallEstimate): RunFinding | undefined {
  if (estimate.kind !== "estimated") return simulationFinding(row.row, estimate.kind);
  if (returnedFalse(row.intent.data, estimate.returned)) return simulationFinding(row.row, "returned-false");
  return isTooLow(row, estimate) ? simulationFinding(row.row, "fee-limit") : undefined;
}

function isTooLow({ needsFeeLimit, intent }: CallRow, { cost, maxFeeLimit }: EstimatedCall): boolean {
  if (maxFeeLimit !== undefined && cost.neededFeeLimit > maxFeeLimit) return true;
  return !needsFeeLimit && intent.feeLimit < cost.neededFeeLimit;
}
