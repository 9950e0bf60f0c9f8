import type { ChainParameters } from "../gateway/gateway.ts";
import { energyPrice } from "../resources/call-cost.ts";

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
