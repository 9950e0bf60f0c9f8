import { type EstimatedCall, suggestedFeeLimit } from "../estimates/call-estimate.ts";
import type { CachedEstimate, EstimateCache } from "../estimates/estimate-cache.ts";
import type { Bound } from "./binding.ts";

/**
 * What the cache knows of a call that somebody wrote down. A limit that nobody wrote cannot be too small: the bill is
 * then that of the limit which would be suggested, whose bytes are those that would be sent. No chain is asked.
 *
 * @param marginPercent - room above the needed `fee_limit`
 */
export function knownEstimate(
  cache: Pick<EstimateCache, "get">,
  network: string,
  { intent, limit }: Pick<Bound, "intent" | "limit">,
  marginPercent: bigint,
): CachedEstimate | undefined {
  const entry = cache.get(network, intent);
  if (limit.isReal || entry?.kind !== "known" || entry.estimate.kind !== "estimated") return entry;
  const feeLimit = suggestedFeeLimit(entry.estimate, marginPercent);
  const priced = cache.get(network, { ...intent, feeLimit });
  if (priced?.kind !== "known" || priced.estimate.kind !== "estimated") return priced;
  return { ...priced, estimate: withoutLimit(priced.estimate) };
}

function withoutLimit(estimate: EstimatedCall): EstimatedCall {
  const shortages = estimate.cost.shortages.filter(({ kind }) => kind === "balance");
  return { ...estimate, cost: { ...estimate.cost, shortages } };
}
