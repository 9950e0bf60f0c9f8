import type { Address } from "@finality/tron/primitives";

/** Votes for one witness. */
export interface Vote {
  readonly witness: Address;
  /** Whole coins. */
  readonly count: bigint;
}

/** What an account has voted, and what it has earned. */
export interface Voting {
  readonly votes: readonly Vote[];
  /** Sun that were earned and wait to be withdrawn. */
  readonly allowance: bigint;
  /** Chain time in ms. */
  readonly withdrawnAt: number;
  /** The cycle from which on votes have earned what is not in the allowance yet. */
  readonly since: number;
  /** The cycle after the one that `counted` is of. */
  readonly until: number;
  /** The votes that earn in the cycle `since`, whatever was voted later in it. */
  readonly counted?: readonly Vote[];
}

/** Most accounts share it. */
export const NO_VOTING: Voting = { votes: [], allowance: 0n, withdrawnAt: 0, since: 0, until: -1 };

/** What a voter has changed since the last maintenance. */
export interface Ballot {
  readonly before: readonly Vote[];
  readonly after: readonly Vote[];
}

/** Somebody who makes blocks, or would like to. Never changed: every change makes a new value. */
export interface Witness {
  readonly address: Address;
  readonly url: string;
  /** Whole coins, as of the last maintenance. */
  readonly votes: bigint;
  /** What the genesis block gave it; it cannot withdraw its allowance. */
  readonly genesisVotes?: bigint;
  /** Percent of its rewards that it keeps from the next cycle on. */
  readonly brokerage: number;
  /** The same in this cycle. */
  readonly brokerageNow: number;
  /** Sun that its voters share for this cycle. */
  readonly reward: bigint;
  /** Whether it makes blocks. */
  readonly active: boolean;
  readonly produced: number;
  readonly missed: number;
  /** The height and the slot of its newest block. */
  readonly latestBlock: number;
  readonly latestSlot: number;
}

const USUAL_BROKERAGE = 20;

export function newWitness(address: Address, url: string): Witness {
  return {
    address,
    url,
    votes: 0n,
    brokerage: USUAL_BROKERAGE,
    brokerageNow: USUAL_BROKERAGE,
    reward: 0n,
    active: false,
    produced: 0,
    missed: 0,
    latestBlock: 0,
    latestSlot: 0,
  };
}

const MAX_ACTIVE = 27;
const MAX_PAID = 127;

/** Most votes first, and of equals the higher address (WitnessStore.sortWitnesses). */
export function ranked(witnesses: Iterable<Witness>): readonly Witness[] {
  return [...witnesses].sort((a, b) => compare(b.votes, a.votes) || compare(b.address, a.address));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Who makes blocks, in the order of their turns. */
export function chosen(witnesses: Iterable<Witness>): readonly Address[] {
  return ranked(witnesses)
    .slice(0, MAX_ACTIVE)
    .map(({ address }) => address);
}

/**
 * What the first 127 share by their votes. Java divides doubles and drops the fraction.
 *
 * @param total - sun
 */
export function sharesOf(witnesses: Iterable<Witness>, total: number): ReadonlyMap<Address, bigint> {
  const paid = ranked(witnesses)
    .slice(0, MAX_PAID)
    .filter(({ votes }) => votes > 0n);
  const each = total / Number(paid.reduce((sum, { votes }) => sum + votes, 0n));
  return new Map(paid.map(({ address, votes }) => [address, BigInt(Math.trunc(Number(votes) * each))]));
}

/** Sun of a reward that a witness keeps for itself. */
export function keptBy({ brokerageNow }: Witness, reward: bigint): bigint {
  return BigInt(Math.trunc((brokerageNow / 100) * Number(reward)));
}

/** Whole coins. */
export function sumOf(votes: readonly Vote[]): bigint {
  return votes.reduce((sum, { count }) => sum + count, 0n);
}

/** What one vote has earned is kept in sun times this. */
export const EARNING_PRECISION = 10n ** 18n;

export type EarningKey = `${Address}:${number}`;

/** Where is kept what one vote for a witness has earned up to the end of a cycle. */
export function earningKey(witness: Address, cycle: number): EarningKey {
  return `${witness}:${cycle}`;
}
