import { type Sun, sun } from "../primitives/amount.ts";
import type { EstimatedCall } from "./call-estimate.ts";

/**
 * The `fee_limit` to set: what the run needs, with room for a state that changes, never above what nodes take.
 *
 * @param marginPercent - the room, in percent of what is needed
 * @returns sun, rounded up to whole energy
 */
export function suggestedFeeLimit({ cost, price, maxFeeLimit }: EstimatedCall, marginPercent: bigint): Sun {
  const roomy = (cost.neededFeeLimit * (100n + marginPercent) + 99n) / 100n;
  const whole = ((roomy + price - 1n) / price) * price;
  return maxFeeLimit !== undefined && whole > maxFeeLimit ? maxFeeLimit : sun(whole);
}
