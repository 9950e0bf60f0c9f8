import { type Sun, sun } from "../primitives/amount.ts";
import type { EstimatedCall } from "./call-estimate.ts";
import { STIPEND } from "./required-energy.ts";

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
