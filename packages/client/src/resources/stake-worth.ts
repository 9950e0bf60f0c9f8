import { SUN_PER_COIN, type Sun } from "@finality/tron/primitives";
import type { Resource } from "@finality/tron/transaction";
import type { AccountResources, ResourceTotals } from "../gateway/gateway.ts";

/**
 * What a stake gives to use in 24 hours: bytes of bandwidth, or energy. The node multiplies doubles and drops the
 * fraction (protocol reference §10).
 *
 * @param stake - own and borrowed, for this resource
 */
export function dailyLimit(stake: Sun, { limit, weight }: ResourceTotals): bigint {
  if (weight <= 0n) return 0n;
  const coins = Number(stake) / Number(SUN_PER_COIN);
  return BigInt(Math.trunc(coins * (Number(limit) / Number(weight))));
}

/**
 * How a stake would be shared if it grew by so much: what everybody has staked grows with it.
 *
 * @param added - sun; negative for what is taken away
 * @param weighs - whether it changes what all stakes weigh, as staking does and delegating does not
 */
export function dailyLimitAfter(stake: Sun, added: bigint, totals: ResourceTotals, weighs: boolean): bigint {
  const after = (stake + added) as Sun;
  const weight = weighs ? totals.weight + after / SUN_PER_COIN - stake / SUN_PER_COIN : totals.weight;
  return dailyLimit(after, { ...totals, weight });
}

/** What all accounts share of a resource; undefined where the node does not tell. */
export function totalsOf(resources: AccountResources | undefined, resource: Resource): ResourceTotals | undefined {
  return resource === "ENERGY" ? resources?.energyTotals : resources?.bandwidthTotals;
}
