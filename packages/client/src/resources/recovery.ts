import type { Account, AccountResources } from "../gateway/gateway.ts";

/** What is used recovers evenly within this time: ms. */
const RECOVERY_MS = 86_400_000;

/** How much of a resource is used, and when all of it has come back: bytes of bandwidth, or energy. */
export interface ResourceUse {
  readonly limit: bigint;
  readonly used: bigint;
  /** ms of chain time from the newest block on; 0 where nothing is used, undefined where the node does not tell. */
  readonly backInMs: number | undefined;
}

export interface ResourceUses {
  readonly freeBandwidth: ResourceUse;
  readonly stakedBandwidth: ResourceUse;
  readonly energy: ResourceUse;
}

/**
 * What an account uses of its resources. What it uses of a stake has a window of its own, which the node tells as what
 * is left of it; free bandwidth is back 24 hours after it was used last (protocol reference §10).
 *
 * @param headTimestamp - chain time of the newest block, ms
 */
export function resourceUses({ recovery }: Account, resources: AccountResources, headTimestamp: number): ResourceUses {
  const freeAt = recovery?.freeBandwidthUsedAt;
  const freeIn = freeAt === undefined ? undefined : Math.max(0, freeAt + RECOVERY_MS - headTimestamp);
  return {
    freeBandwidth: useOf(resources.freeBandwidthLimit, resources.freeBandwidthUsed, freeIn),
    stakedBandwidth: useOf(resources.stakedBandwidthLimit, resources.stakedBandwidthUsed, recovery?.bandwidthMs),
    energy: useOf(resources.energyLimit, resources.energyUsed, recovery?.energyMs),
  };
}

/** No node tells truly of a use that takes longer than that to recover. */
function useOf(limit: bigint, used: bigint, backInMs: number | undefined): ResourceUse {
  if (used <= 0n) return { limit, used: 0n, backInMs: 0 };
  return { limit, used, backInMs: backInMs === undefined ? undefined : Math.min(backInMs, RECOVERY_MS) };
}
