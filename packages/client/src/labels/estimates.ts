import type { AbiIndex, Mutability } from "@finality/tron/abi";
import { coinsText, counted, grouped, percent, withoutStop } from "@finality/tron/format";
import { type Hex, hexToBytes, type Sun, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import {
  burnsItsLimit,
  type CallEstimate,
  type CodeIntent,
  decisiveMargin,
  type EstimatedCall,
  isTight,
  limitVerdict,
  STIPEND,
  suggestedFeeLimit,
} from "../estimates/call-estimate.ts";
import type { CallCost, Shortage } from "../estimates/costs.ts";
import { revertTexts } from "../explain/messages/failures.ts";
import { returnedFalse } from "../tokens.ts";

/**
 * `fits`: can be sent. `short`: `fee_limit` or balance are too low. `depends`: the code may behave differently under
 * this `fee_limit`, so neither is certain. `fails`: it would fail. `unknown`: there is no estimate.
 */
type EstimateVerdict = "fits" | "short" | "depends" | "fails" | "unknown";

/** Figure of an estimate with its source. */
export interface EstimateFigure {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/**
 * Text of an estimate for lenses, hovers and the confirmation before signing. Text from the chain in it is never
 * markup.
 */
export interface EstimateLabels {
  readonly verdict: EstimateVerdict;
  /** One line: the figure and its price, `would REVERT: …`, or `not available: …`. */
  readonly headline: string;
  /** Problems, each with the next step. */
  readonly problems: readonly string[];
  /** Remarks that prevent nothing. */
  readonly notes: readonly string[];
  /** Undefined if the run fails. */
  readonly figures: readonly EstimateFigure[];
  /** Error data of the contract. */
  readonly revertData?: Hex;
  /** Energy that the run needs; undefined if it fails. */
  readonly energy?: bigint;
  /** Smallest sufficient `fee_limit`, and the suggested one, in sun. */
  readonly neededFeeLimit?: Sun;
  readonly suggestedFeeLimit?: Sun;
}

export interface EstimateContext {
  /** Names of the errors. */
  readonly abi?: AbiIndex | undefined;
  /** Margin above the needed `fee_limit`, percent. */
  readonly marginPercent: bigint;
  /** State mutability in the ABI, if known. */
  readonly mutability?: Mutability | undefined;
  /** Symbol of the network's coin; if undefined, amounts are in coins. */
  readonly symbol?: string | undefined;
}

const YOUNG = t`The contract is newer than the last solidified block: a reorganization could remove it, and this transaction with it. Wait until its deployment is solidified.`;

/** Describes an estimate, compared with the `fee_limit` and the value of the intent. */
export function estimateLabels(estimate: CallEstimate, intent: CodeIntent, context: EstimateContext): EstimateLabels {
  switch (estimate.kind) {
    case "estimated":
      return estimatedLabels(estimate, intent, context);
    case "unpriced":
      return unpricedLabels(estimate);
    case "reverted":
      return revertedLabels(estimate.data, intent, context);
    case "halted":
      return failing(t`would FAIL: ${estimate.exception}`, haltedLabels(estimate.message));
    case "unavailable":
      return unavailableLabels(estimate, intent, context);
  }
}

/** Returns the obstacles as sentences. For a run that fails, the first one is the headline with the values. */
export function objectionsOf({ verdict, headline, problems }: EstimateLabels): readonly string[] {
  return verdict === "fails" ? [t`Estimate: ${withoutStop(headline)}.`, ...problems] : problems;
}

/** Returns why the call should not be sent: it would fail, or its cost is not covered. Undefined if it may be sent. */
export function noSendingOf(labels: EstimateLabels): string | undefined {
  return labels.verdict === "unknown" || labels.problems.length === 0 ? undefined : objectionsOf(labels).join(" ");
}

const VERDICTS = { covered: "fits", short: "short", depends: "depends" } as const;

function estimatedLabels(estimate: EstimatedCall, intent: CodeIntent, context: EstimateContext): EstimateLabels {
  const suggested = suggestedFeeLimit(estimate, context.marginPercent);
  const isRefused = intent.kind === "contract-call" && returnedFalse(intent.data, estimate.returned);
  const problems = estimate.cost.shortages.map((it) => shortageLabels(it, estimate, intent, { ...context, suggested }));
  const refusal = t`The token would return false: nothing is transferred, but the fee is paid. Check balance and allowance.`;
  return {
    verdict: isRefused ? "fails" : VERDICTS[limitVerdict(estimate)],
    headline: isRefused ? t`would be REFUSED: the token returns false` : headlineOf(estimate, context.symbol),
    problems: isRefused ? [refusal, ...problems] : problems,
    notes: [...tightLabels(estimate, intent, context), ...notesOf(estimate, context.symbol)],
    figures: figuresOf(estimate, { ...context, suggested }),
    energy: estimate.energy,
    neededFeeLimit: estimate.cost.neededFeeLimit,
    ...(burnsItsLimit(estimate) ? {} : { suggestedFeeLimit: suggested }),
  };
}

function haltedLabels(message: string): string {
  const stopped = t`The virtual machine would stop the execution: ${withoutStop(message)}.`;
  return /\bCPU timeout\b/.test(message)
    ? t`${stopped} This is a limit of the node: the cause may be its load or an endless loop. Try again first, or use another node. On the chain it would burn the whole fee_limit.`
    : t`${stopped} It would burn the whole fee_limit. Check for endless loops, invalid code and calls that are too deep.`;
}

function tightLabels(
  estimate: EstimatedCall,
  { feeLimit }: CodeIntent,
  { mutability }: EstimateContext,
): readonly string[] {
  if (mutability === "view" || mutability === "pure" || !isTight(estimate, feeLimit)) return [];
  return [
    t`fee_limit leaves less than ${grouped(STIPEND)} energy as a reserve: code that forwards coins or energy temporarily needs more than it uses in the end, and would fail.`,
  ];
}

function headlineOf(estimate: EstimatedCall, symbol: string | undefined): string {
  const isCertain = limitVerdict(estimate) !== "depends";
  const remarks = estimate.cost.shortages.map(({ kind }) => shortName(kind, isCertain));
  const parts = [energyText(estimate), burnedText(estimate, symbol), ...effectText(estimate)];
  return [...parts, ...(remarks.length === 0 ? [] : [remarks.join(t`, `)])].join(" · ");
}

/** Formats the energy of a run for lenses and reviews. */
export function energyText({ energy, accuracy }: Pick<EstimatedCall, "energy" | "accuracy">): string {
  switch (accuracy) {
    case "exact":
      return t`${grouped(energy)} energy`;
    case "measured":
      return t`about ${grouped(energy)} energy`;
    case "at-most":
      return t`up to ${grouped(energy)} energy`;
  }
}

/** Formats the coins that the caller burns, for lenses and reviews. */
export function burnedText({ cost, isUpperBound, accuracy }: EstimatedCall, symbol?: string): string {
  const coins = coinsText(cost.fee, symbol);
  if (cost.fee === 0n) return t`nothing to burn`;
  if (isUpperBound || accuracy === "at-most") return t`at most ${coins}`;
  return accuracy === "measured" ? t`about ${coins}` : coins;
}

/** Returns a note if the result depends on the limit. */
export function effectText({ limitEffect }: EstimatedCall): readonly string[] {
  return limitEffect === "seen" ? [t`depends on the fee limit`] : [];
}

function shortName(kind: Shortage["kind"], isCertain: boolean): string {
  switch (kind) {
    case "fee-limit":
      return isCertain ? t`fee_limit too small` : t`fee_limit may be too small`;
    case "balance":
      return isCertain ? t`balance too small` : t`balance may be too small`;
    case "fee-limit-above-maximum":
      return t`fee_limit above the maximum`;
  }
}

interface Suggestion extends EstimateContext {
  readonly suggested: Sun;
}

function shortageLabels(
  shortage: Shortage,
  estimate: EstimatedCall,
  { feeLimit }: CodeIntent,
  { suggested, marginPercent, symbol }: Suggestion,
): string {
  const { cost } = estimate;
  const { requiredEnergy } = cost;
  const isCertain = limitVerdict(estimate) !== "depends";
  const bound = cost.stakedEnergy > 0n ? t`; it limits staked energy too` : "";
  switch (shortage.kind) {
    case "fee-limit":
      return [
        isCertain
          ? t`fee_limit ${coinsText(feeLimit, symbol)} pays for ${grouped(shortage.covers)} of ${grouped(requiredEnergy)} energy${bound}: it would fail with OUT_OF_ENERGY, and the used energy would be lost.`
          : t`fee_limit ${coinsText(feeLimit, symbol)} pays for ${grouped(shortage.covers)} of ${grouped(requiredEnergy)} energy${bound}: it may fail with OUT_OF_ENERGY. That is not certain, because the code may behave differently with less energy.`,
        burnsItsLimit(estimate)
          ? t`Set fee_limit manually: ${coinsText(shortage.needed, symbol)} is enough, and a smaller one may also be enough and costs less.`
          : t`Set fee_limit to ${coinsText(suggested, symbol)} (${coinsText(shortage.needed, symbol)} needed + ${roomText(estimate, marginPercent)}).`,
      ].join(" ");
    case "balance":
      return t`The balance lacks ${coinsText(shortage.missing, symbol)}: it can pay for ${grouped(shortage.covers)} of ${grouped(requiredEnergy)} energy. Send coins to the account, or stake for energy.`;
    case "fee-limit-above-maximum":
      return t`fee_limit ${coinsText(feeLimit, symbol)} is above ${coinsText(shortage.maximum, symbol)}, the maximum of this chain: nodes refuse it before anything is executed. Set it to ${coinsText(suggested, symbol)}.`;
  }
}

function notesOf(estimate: EstimatedCall, symbol: string | undefined): readonly string[] {
  const { isYoung, penalty, isUpperBound, limitEffect, sufficient, cost } = estimate;
  return [
    ...(penalty > 0n
      ? [
          t`${grouped(penalty)} of the energy is the penalty for a heavily used contract: it may change with every cycle.`,
        ]
      : []),
    ...(cost.ownerEnergy > 0n
      ? [t`The contract's owner pays ${grouped(cost.ownerEnergy)} of the energy, as long as its stake lasts.`]
      : []),
    ...(isUpperBound ? [t`The node does not report what the contract's owner pays: this is an upper bound.`] : []),
    ...effectNotes(estimate, symbol),
    ...(sufficient === undefined && limitEffect !== "none"
      ? [
          t`The node does not offer estimateenergy: the estimate comes from a constant call. Code that forwards energy to other code may need a larger fee_limit.`,
        ]
      : []),
    ...(isYoung ? [YOUNG] : []),
  ];
}

function effectNotes(estimate: EstimatedCall, symbol: string | undefined): readonly string[] {
  const { limitEffect, accuracy, energy, cost } = estimate;
  if (limitEffect === "none") return [];
  if (limitEffect === "possible")
    return [
      t`The code can forward energy to other code, or read what is left (gasleft): the fee_limit may change its behavior, so no fee_limit is certain to be enough.`,
    ];
  const { requiredEnergy, highestFee } = cost;
  const cause = t`The energy depends on the fee limit: the code forwards energy to other code, which may use all of it, or it reads what is left (gasleft).`;
  switch (accuracy) {
    case "measured":
      return [
        t`${cause} With this fee_limit it uses about ${grouped(energy)}, measured with another caller. A larger fee_limit may cost more.`,
      ];
    default:
      return [
        t`${cause} ${grouped(requiredEnergy)} energy is enough. With this fee_limit it may cost up to ${coinsText(highestFee, symbol)}.`,
      ];
  }
}

function figuresOf(
  estimate: EstimatedCall,
  { suggested, marginPercent, symbol }: Suggestion,
): readonly EstimateFigure[] {
  const room = roomText(estimate, marginPercent);
  const amount = (coins: Sun): string => coinsText(coins, symbol);
  const { energy, accuracy, penalty, sufficient, cost, price, height } = estimate;
  const figure = (name: string, value: string, source: string): EstimateFigure => ({ name, value, source });
  return [
    figure(t`Energy`, grouped(energy), energySource(accuracy, height)),
    ...(penalty > 0n ? [figure(t`including penalty`, grouped(penalty), "energy_penalty")] : []),
    ...(sufficient === undefined
      ? []
      : [figure(t`Sufficient energy`, grouped(sufficient), t`estimateenergy, exact to the energy of one coin`)]),
    ...payersOf(cost, symbol),
    figure(t`Energy price`, t`${String(price)} sun`, "getEnergyFee"),
    figure(t`Bandwidth`, bandwidthText(cost, symbol), t`size of the signed transaction`),
    ...(cost.multiSignFee > 0n ? [figure(t`Several signatures`, amount(cost.multiSignFee), "getMultiSignFee")] : []),
    ...(cost.memoFee > 0n ? [figure(t`Memo`, amount(cost.memoFee), "getMemoFee")] : []),
    figure(t`Costs`, amount(cost.fee), t`burned coins, besides the value`),
    figure(t`fee_limit needed`, amount(cost.neededFeeLimit), t`energy × price, staked energy included`),
    ...(burnsItsLimit(estimate) ? [] : [figure(t`fee_limit suggested`, amount(suggested), t`needed + ${room}`)]),
  ];
}

function energySource(accuracy: EstimatedCall["accuracy"], height: number): string {
  switch (accuracy) {
    case "exact":
      return t`triggerconstantcontract, block ${grouped(height)}`;
    case "measured":
      return t`triggerconstantcontract under this fee_limit, with another caller, block ${grouped(height)}`;
    case "at-most":
      return t`at most what the fee_limit pays for, block ${grouped(height)}`;
  }
}

function payersOf(
  { ownerEnergy, stakedEnergy, burnedEnergy, energyFee }: CallCost,
  symbol: string | undefined,
): readonly EstimateFigure[] {
  const figures: readonly (readonly [string, bigint, string])[] = [
    [t`paid by the contract's owner`, ownerEnergy, "getcontractinfo"],
    [t`paid by staked energy`, stakedEnergy, "getaccountresource"],
    [t`burned for ${coinsText(energyFee, symbol)}`, burnedEnergy, t`the rest`],
  ];
  return figures
    .filter(([, energy]) => energy > 0n)
    .map(([name, energy, source]) => ({ name, value: grouped(energy), source }));
}

function bandwidthText({ bandwidth }: CallCost, symbol: string | undefined): string {
  const bytes = counted(bandwidth.bytes, t`byte`, t`bytes`);
  return bandwidth.amount === 0n ? t`${bytes}, free` : t`${bytes}, ${coinsText(bandwidth.amount, symbol)}`;
}

function revertedLabels(data: EstimatedCall["returned"], intent: CodeIntent, context: EstimateContext): EstimateLabels {
  if (data === "" && intent.callValue > 0n && context.mutability !== undefined && context.mutability !== "payable") {
    const problem = t`It is not payable, and ${coinsText(intent.callValue, context.symbol)} would be sent with it. Set the call value to 0.`;
    return failing(t`would REVERT: not payable`, problem);
  }
  const contract = intent.kind === "contract-call" ? intent.contract : undefined;
  const { title, cause, fix } = revertTexts(hexToBytes(data), { abi: context.abi }, contract);
  const text = failing(t`would REVERT: ${reasonIn(title)}`, `${cause} ${fix}`);
  return data === "" ? text : { ...text, revertData: data };
}

/** Returns the title without the translated prefix for reverts. */
function reasonIn(title: string): string {
  const reverted = t`Reverted: ${""}`;
  return title.startsWith(reverted) ? title.slice(reverted.length) : title.replace(/^Reverted /, "");
}

function unavailableLabels(
  { reason, error }: Extract<CallEstimate, { kind: "unavailable" }>,
  intent: CodeIntent,
  { symbol }: EstimateContext,
): EstimateLabels {
  switch (reason) {
    case "constant-calls-off":
      return unknown(
        t`this node does not run constant calls`,
        t`Finality cannot estimate this call. Use a node with vm.supportConstant = true, or set fee_limit manually.`,
      );
    case "contract-absent":
      return failing(
        t`not available: there is no such contract`,
        t`There is no contract at ${intent.kind === "contract-call" ? toBase58(intent.contract) : t`this address`} on this network. Check the address and the network; a deployment must be in a block first.`,
      );
    case "balance":
      return failing(
        t`not available: the balance is too small`,
        t`The account cannot send ${coinsText(intent.callValue, symbol)} with it. Send coins to the account, or lower the call value.`,
      );
    case "gateway":
      return unknown(t`the gateway returned no valid answer`, error.message);
  }
}

function unpricedLabels({ energy }: Extract<CallEstimate, { kind: "unpriced" }>): EstimateLabels {
  return {
    verdict: "unknown",
    headline: t`${grouped(energy)} energy · no energy price`,
    problems: [
      t`The gateway did not return the energy price (getEnergyFee), so the costs and the fee_limit needed are not known. Set fee_limit manually, or use another node.`,
    ],
    notes: [],
    figures: [],
  };
}

function failing(headline: string, problem: string): EstimateLabels {
  return { verdict: "fails", headline, problems: [problem], notes: [], figures: [] };
}

function unknown(why: string, problem: string): EstimateLabels {
  return { verdict: "unknown", headline: t`not available: ${why}`, problems: [problem], notes: [], figures: [] };
}

/** Returns the margin of the suggested `fee_limit`. @example roomText(estimate, 20n); // "20 %" */
export function roomText(estimate: Parameters<typeof decisiveMargin>[0], marginPercent: bigint): string {
  return decisiveMargin(estimate, marginPercent) === "margin" ? percent(marginPercent) : t`${grouped(STIPEND)} energy`;
}

/** Formats a difference for a lens. @example changeText(1204n); // "+1,204" */
export function changeText(change: bigint): string {
  return `${change > 0n ? "+" : "−"}${grouped(change < 0n ? -change : change)}`;
}
