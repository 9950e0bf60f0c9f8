import { type Address, SUN_PER_COIN, type Sun } from "@finality/tron/primitives";
import type { Resource } from "@finality/tron/transaction";
import type { Account, AccountResources, ResourceTotals, Vote, Witness } from "../gateway/gateway.ts";

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

/** Witnesses that one vote can name (VoteWitnessActuator). */
export const MAX_VOTED_FOR = 30;

/** Votes of one account together: whole coins. */
export function sumOfVotes(votes: readonly Vote[]): bigint {
  return votes.reduce((sum, { count }) => sum + count, 0n);
}

/** Most votes first, and of equals the higher address, as the node ranks them. */
export function rankWitnesses(witnesses: readonly Witness[]): readonly Witness[] {
  return witnesses.toSorted((a, b) => compare(b.votes, a.votes) || compare(b.address, a.address));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a new vote changes for one witness. */
export interface VoteChange {
  readonly witness: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** Each witness of the former votes and of the new ones whose votes change: the new ones in their order, then those that lose all. */
export function voteChanges(before: readonly Vote[], after: readonly Vote[]): readonly VoteChange[] {
  const countIn = (votes: readonly Vote[], witness: Address): bigint =>
    sumOfVotes(votes.filter((it) => it.witness === witness));
  const all = new Set([...after, ...before].map(({ witness }) => witness));
  return [...all]
    .map((witness) => ({ witness, before: countIn(before, witness), after: countIn(after, witness) }))
    .filter((it) => it.before !== it.after);
}
