import type { Address } from "@finality/tron/primitives";

/** Votes for one witness. */
export interface Vote {
  readonly witness: Address;
  /** Whole coins. */
  readonly count: bigint;
}

/** Votes and rewards of an account. */
export interface Voting {
  readonly votes: readonly Vote[];
  /** Sun of rewards to withdraw. */
  readonly allowance: bigint;
  /** Chain time in ms. */
  readonly withdrawnAt: number;
  /** First cycle whose rewards are not in the allowance. */
  readonly since: number;
  /** Cycle after that of `counted`. */
  readonly until: number;
  /** Votes that earn in the cycle `since`. */
  readonly counted?: readonly Vote[];
}

/** Initial value, which most accounts share. */
export const NO_VOTING: Voting = { votes: [], allowance: 0n, withdrawnAt: 0, since: 0, until: -1 };

/** Changed votes since the last maintenance. */
export interface Ballot {
  readonly before: readonly Vote[];
  readonly after: readonly Vote[];
}

/** A witness or candidate. Immutable: each change creates a new value. */
export interface Witness {
  readonly address: Address;
  readonly url: string;
  /** Votes at the last maintenance. */
  readonly votes: bigint;
  /** Genesis votes; such a witness cannot withdraw its allowance. */
  readonly genesisVotes?: bigint;
  /** Percentage of rewards that the witness keeps from the next cycle on. */
  readonly brokerage: number;
  /** Percentage in the current cycle. */
  readonly brokerageNow: number;
  /** Sun for its voters in this cycle. */
  readonly reward: bigint;
  /** True if it produces blocks. */
  readonly active: boolean;
  readonly produced: number;
  readonly missed: number;
  /** Height of its newest block. */
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

/** Sorts witnesses by votes, then by higher address (WitnessStore.sortWitnesses). */
export function ranked(witnesses: Iterable<Witness>): readonly Witness[] {
  return [...witnesses].sort((a, b) => compare(b.votes, a.votes) || compare(b.address, a.address));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Active witnesses in the order of their turns. */
export function chosen(witnesses: Iterable<Witness>): readonly Address[] {
  return ranked(witnesses)
    .slice(0, MAX_ACTIVE)
    .map(({ address }) => address);
}

/**
 * Returns the shares of the first 127 witnesses by votes. Java divides doubles and drops the fraction.
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

/** Returns the sun of a reward that the witness keeps. */
export function witnessShare({ brokerageNow }: Witness, reward: bigint): bigint {
  return BigInt(Math.trunc((brokerageNow / 100) * Number(reward)));
}

/** Whole coins. */
export function sumOf(votes: readonly Vote[]): bigint {
  return votes.reduce((sum, { count }) => sum + count, 0n);
}

/** Scale of the cumulative reward per vote. */
export const EARNING_PRECISION = 10n ** 18n;

export type EarningKey = `${Address}:${number}`;

/** Returns the key of the cumulative reward per vote at the end of a cycle. */
export function earningKey(witness: Address, cycle: number): EarningKey {
  return `${witness}:${cycle}`;
}
