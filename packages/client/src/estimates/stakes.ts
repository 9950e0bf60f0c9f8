import { type Address, SUN_PER_COIN, type Sun } from "@finality/tron/primitives";
import type { Resource } from "@finality/tron/transaction";
import type { Account, AccountResources, ResourceTotals, Vote, Witness } from "../gateway/gateway.ts";

/**
 * Returns the daily amount of a resource for a stake: bytes of bandwidth, or energy. The node multiplies doubles and
 * truncates (protocol reference §10).
 *
 * @param stake - own and borrowed, for this resource
 */
export function dailyLimit(stake: Sun, { limit, weight }: ResourceTotals): bigint {
  if (weight <= 0n) return 0n;
  const coins = Number(stake) / Number(SUN_PER_COIN);
  return BigInt(Math.trunc(coins * (Number(limit) / Number(weight))));
}

/**
 * Returns the daily amount after a change of the stake; the total weight changes with it.
 *
 * @param added - sun; negative for a reduction
 * @param weighs - Whether the total weight changes, as for staking but not for delegating.
 */
export function dailyLimitAfter(stake: Sun, added: bigint, totals: ResourceTotals, weighs: boolean): bigint {
  const after = (stake + added) as Sun;
  const weight = weighs ? totals.weight + after / SUN_PER_COIN - stake / SUN_PER_COIN : totals.weight;
  return dailyLimit(after, { ...totals, weight });
}

/** Returns the network-wide totals of a resource; undefined if the node does not report them. */
export function totalsOf(resources: AccountResources | undefined, resource: Resource): ResourceTotals | undefined {
  return resource === "ENERGY" ? resources?.energyTotals : resources?.bandwidthTotals;
}

/** Used resources recover linearly within this time; ms. */
const RECOVERY_MS = 86_400_000;

/** Used amount of a resource, and the time until it has recovered: bytes of bandwidth, or energy. */
export interface ResourceUse {
  readonly limit: bigint;
  readonly used: bigint;
  /** ms of chain time from the newest block; 0 if nothing is used, undefined if the node does not report it. */
  readonly backInMs: number | undefined;
}

export interface ResourceUses {
  readonly freeBandwidth: ResourceUse;
  readonly stakedBandwidth: ResourceUse;
  readonly energy: ResourceUse;
}

/**
 * Returns the resource use of an account. Staked resources have a window of their own, of which the node reports the
 * rest. Free bandwidth recovers 24 hours after its last use (protocol reference §10).
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

/** Maximum plausible recovery time. */
function useOf(limit: bigint, used: bigint, backInMs: number | undefined): ResourceUse {
  if (used <= 0n) return { limit, used: 0n, backInMs: 0 };
  return { limit, used, backInMs: backInMs === undefined ? undefined : Math.min(backInMs, RECOVERY_MS) };
}

/** Maximum number of witnesses in one vote (VoteWitnessActuator). */
export const MAX_VOTED_FOR = 30;

/** Total votes of an account: whole coins. */
export function sumOfVotes(votes: readonly Vote[]): bigint {
  return votes.reduce((sum, { count }) => sum + count, 0n);
}

/** Sorts by votes, and by address for equal votes, as the node ranks witnesses. */
export function rankWitnesses(witnesses: readonly Witness[]): readonly Witness[] {
  return witnesses.toSorted((a, b) => compare(b.votes, a.votes) || compare(b.address, a.address));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Change of the votes for one witness. */
export interface VoteChange {
  readonly witness: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** Returns each witness whose votes change: those of the new vote in order, then those that lose all votes. */
export function voteChanges(before: readonly Vote[], after: readonly Vote[]): readonly VoteChange[] {
  const countIn = (votes: readonly Vote[], witness: Address): bigint =>
    sumOfVotes(votes.filter((it) => it.witness === witness));
  const all = new Set([...after, ...before].map(({ witness }) => witness));
  return [...all]
    .map((witness) => ({ witness, before: countIn(before, witness), after: countIn(after, witness) }))
    .filter((it) => it.before !== it.after);
}
