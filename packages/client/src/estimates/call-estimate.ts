import type { AnyChainError } from "@finality/tron/errors";
import { type Hex, type Sun, sun } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import type { CallCost } from "./costs.ts";

/** Contract call or deployment before it is built. */
export type CodeIntent = Extract<Intent, { readonly kind: "contract-call" | "contract-creation" }>;

/** Estimate of a successful run: its energy, and who pays. */
export interface EstimatedCall {
  readonly kind: "estimated";
  /**
   * Energy under the `fee_limit` of the intent, penalty included. If the limit has no effect, this is `energy_used` of
   * the constant call and matches the receipt.
   */
  readonly energy: bigint;
  /** `measured` under the limit, with another caller; `at-most` is only a bound. Both only where the effect is `seen`. */
  readonly accuracy: "exact" | "measured" | "at-most";
  readonly penalty: bigint;
  /** `energy_required` of `estimateenergy`; undefined if the node does not offer it. */
  readonly sufficient: bigint | undefined;
  readonly limitEffect: LimitEffect;
  /** Sun for one energy. */
  readonly price: bigint;
  /** Largest `fee_limit` that nodes accept; undefined if the chain does not report it. */
  readonly maxFeeLimit?: Sun;
  /** The caller's bill for the `fee_limit` of the intent. */
  readonly cost: CallCost;
  /** True if the node does not report the owner's share, so that the caller pays at most this. */
  readonly isUpperBound: boolean;
  /** True if the contract is not in solidified data yet. */
  readonly isYoung: boolean;
  /** Return value of the call, or code of the deployment. */
  readonly returned: Hex;
  /** Height of the head at the time of the request. */
  readonly height: number;
}

/**
 * Effect of the energy limit on a run: `none` is proven by the code, which neither reads the energy left nor passes it
 * on. `possible`: the code can, and the figures agree. `seen`: the figures show it.
 */
export type LimitEffect = "none" | "possible" | "seen";

/** `depends`: the run could end in either way, because the code may behave differently under this limit. */
export type LimitVerdict = "covered" | "short" | "depends";

/** Returns whether `fee_limit`, balance and stakes pay for a run; `covered` and `short` are certain. */
export function limitVerdict({ cost, limitEffect }: Pick<EstimatedCall, "cost" | "limitEffect">): LimitVerdict {
  const { shortages, energyLimit } = cost;
  if (shortages.some(({ kind }) => kind === "fee-limit-above-maximum")) return "short";
  if (limitEffect !== "none" && energyLimit > 0n) return "depends";
  return shortages.length > 0 ? "short" : "covered";
}

/** Estimate of an unsent call. A failed run never has a figure. */
export type CallEstimate =
  | EstimatedCall
  /** The gateway does not return `getEnergyFee`: the energy is known, but not its price. */
  | { readonly kind: "unpriced"; readonly energy: bigint; readonly height: number }
  | { readonly kind: "reverted"; readonly data: Hex; readonly height: number }
  /** The machine stopped the run: `exception` is the node's name for it, such as `OutOfTimeException`. */
  | { readonly kind: "halted"; readonly exception: string; readonly message: string; readonly height: number }
  | { readonly kind: "unavailable"; readonly reason: Unavailability; readonly error: AnyChainError };

/**
 * Reason for a missing figure: the node runs no constant calls, the contract does not exist, the caller lacks the call
 * value, or the gateway failed.
 */
export type Unavailability = "constant-calls-off" | "contract-absent" | "balance" | "gateway";

/** Runs above this energy consume whatever they get; ordinary runs stay far below it. */
export const ORDINARY_ENERGY = 50_000_000n;

/**
 * Returns true if the only limit known to suffice is one that the code would use up, because it burns all energy it
 * gets.
 */
export function burnsItsLimit({ cost, limitEffect }: Pick<EstimatedCall, "cost" | "limitEffect">): boolean {
  return limitEffect === "seen" && cost.requiredEnergy > ORDINARY_ENERGY;
}

type Limited = Pick<EstimatedCall, "cost" | "price" | "maxFeeLimit">;

/**
 * Returns the suggested `fee_limit`: what the run needs, with a margin for state changes and forwarded coins, at most
 * what nodes accept.
 *
 * @param marginPercent - Margin in percent of the needed energy.
 * @returns sun, rounded up to whole energy
 */
export function suggestedFeeLimit({ cost, price, maxFeeLimit }: Limited, marginPercent: bigint): Sun {
  const room = max(marginOf(cost.neededFeeLimit, marginPercent), STIPEND * price);
  const whole = ((cost.neededFeeLimit + room + price - 1n) / price) * price;
  return maxFeeLimit !== undefined && whole > maxFeeLimit ? maxFeeLimit : sun(whole);
}

/** Returns the larger of the two reserves above the needed `fee_limit`: the margin, or the stipend. */
export function decisiveMargin({ cost, price }: Limited, marginPercent: bigint): "margin" | "stipend" {
  return marginOf(cost.neededFeeLimit, marginPercent) >= STIPEND * price ? "margin" : "stipend";
}

/**
 * Returns true if a sufficient `fee_limit` could still stop the run, because code that forwards coins needs more for a
 * moment. A result of `estimateenergy` is never tight.
 */
export function isTight(
  { cost, price, sufficient, limitEffect }: Limited & Pick<EstimatedCall, "sufficient" | "limitEffect">,
  feeLimit: Sun,
): boolean {
  if (limitEffect === "none") return false;
  if (sufficient !== undefined && feeLimit >= sufficient * price) return false;
  return feeLimit >= cost.neededFeeLimit && feeLimit < cost.neededFeeLimit + STIPEND * price;
}

function marginOf(needed: Sun, percent: bigint): bigint {
  return (needed * percent + 99n) / 100n;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/**
 * Stipend for a call that forwards coins; energy. The caller is charged for it and gets the unused part back (protocol
 * reference §11), so a run needs up to this much more for a moment. Nothing else is ever refunded.
 */
export const STIPEND = 2_300n;

/** The node stops its bisection at this distance: one coin. */
const PRECISION_SUN = 1_000_000n;

/** A run that takes the same energy under every limit. */
interface SteadyRun extends Partial<Pick<EstimatedCall, "maxFeeLimit">>, Pick<EstimatedCall, "energy" | "price"> {
  readonly peak?: bigint;
}

/**
 * Returns the answer of `estimateenergy` for a run that always takes `energy`: the node's bisection over the fee limit
 * (protocol reference §13.2). A larger answer means that the code uses more if it gets more.
 *
 * @param peak - what the run needs for a moment, if that is more than it takes in the end
 * @example
 * requiredEnergyOf({ energy: 28_057n, price: 210n, maxFeeLimit: sun(15_000_000_000n) }); // 31_565n
 */
export function requiredEnergyOf({ energy, price, maxFeeLimit = sun(0n), peak = energy }: SteadyRun): bigint {
  const suffices = (feeLimit: bigint): boolean => feeLimit / price >= peak;
  let high: bigint = maxFeeLimit;
  let low = price * energy;
  if (2n * low < high) {
    if (suffices(2n * low)) high = 2n * low;
    else low *= 2n;
  }
  while (low + PRECISION_SUN < high) {
    const middle = (low + high) / 2n;
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return (high + price - 1n) / price;
}
