import type { ChainParameters } from "../gateway/gateway.ts";
import { type Sun, sun } from "../primitives/amount.ts";
import { energyPrice } from "../resources/call-cost.ts";
import type { EstimatedCall } from "./call-estimate.ts";

type Limited = Pick<EstimatedCall, "cost" | "price" | "maxFeeLimit">;

/**
 * The `fee_limit` to set: what the run needs, with room for a state that changes and for coins that are passed on,
 * never above what nodes take.
 *
 * @param marginPercent - the room, in percent of what is needed
 * @returns sun, rounded up to whole energy
 */
export function suggestedFeeLimit({ cost, price, maxFeeLimit }: Limited, marginPercent: bigint): Sun {
  const room = max(marginOf(cost.neededFeeLimit, marginPercent), STIPEND * price);
  const whole = ((cost.neededFeeLimit + room + price - 1n) / price) * price;
  return maxFeeLimit !== undefined && whole > maxFeeLimit ? maxFeeLimit : sun(whole);
}

/** What the suggestion has above the needed `fee_limit`, for people. @example roomText(estimate, 20n); // "20 %" */
export function roomText({ cost, price }: Limited, marginPercent: bigint): string {
  return marginOf(cost.neededFeeLimit, marginPercent) >= STIPEND * price ? `${marginPercent} %` : "2,300 energy";
}

/**
 * Whether a `fee_limit` that covers a run could stop it all the same, as code that passes coins on needs more for a
 * moment. What
 * `estimateenergy` found to suffice is never tight.
 */
export function isTight(
  { cost, price, sufficient }: Limited & Pick<EstimatedCall, "sufficient">,
  feeLimit: Sun,
): boolean {
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
 * A call that passes coins on is charged for a stipend and gets back what the receiver leaves of it (protocol reference
 * §11): for a moment it needs up to so much more energy than it takes in the end. Nothing else is ever given back.
 */
export const STIPEND = 2_300n;

/** The node stops its bisection when it is this near: one coin. */
const PRECISION_SUN = 1_000_000n;

/**
 * What `estimateenergy` answers for a run that takes exactly `energy`, whatever it is given: the node's bisection over
 * the fee limit (protocol reference §13.2). A larger answer means that the code takes more when it is given more.
 *
 * @param peak - what the run needs for a moment, if that is more than it takes in the end
 * @example
 * requiredEnergyOf(28_057n, new Map([["getEnergyFee", 210n], ["getMaxFeeLimit", 15_000_000_000n]])); // 31_565n
 */
export function requiredEnergyOf(energy: bigint, parameters: ChainParameters, peak = energy): bigint {
  const price = energyPrice(parameters);
  const suffices = (feeLimit: bigint): boolean => feeLimit / price >= peak;
  let high = parameters.get("getMaxFeeLimit") ?? 0n;
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
