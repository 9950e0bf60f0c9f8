import type { Address } from "@finality/tron/primitives";
import type { ChainParameters } from "./parameters.ts";

/** What a stake gives and what can be lent to others. */
export type Resource = "bandwidth" | "energy";
/** What can be staked for. */
export type StakePurpose = Resource | "tronPower";

/** Sun by resource. */
export type ByResource<T> = { readonly [resource in Resource]: T };
export type Stake = { readonly [purpose in StakePurpose]: bigint };

/** In the order of `ResourceCode`, the numbers that contracts carry. */
export const PURPOSES: readonly StakePurpose[] = ["bandwidth", "energy", "tronPower"];
/** The names that JSON shows, in the same order. */
export const PURPOSE_NAMES = ["BANDWIDTH", "ENERGY", "TRON_POWER"] as const;

/** Resources lent to one account. */
export interface Loan {
  readonly to: Address;
  /** Sun that can be taken back at any time. */
  readonly free: ByResource<bigint>;
  readonly locked: ByResource<Locked>;
}

export interface Locked {
  /** Sun. */
  readonly amount: bigint;
  /** Chain time in ms after which it is free. */
  readonly until: number;
}

/** A part of a stake on its way back to the balance. */
export interface Unstaking {
  readonly purpose: StakePurpose;
  /** Sun. */
  readonly amount: bigint;
  /** Chain time in ms. */
  readonly due: number;
}

/** What a receipt tells of a stake that came back. */
export interface StakeOutcome {
  /** Sun that were due and are in the balance now. */
  readonly withdrawn: bigint;
  /** Sun that are staked again. */
  readonly cancelled?: Stake;
}

export const NO_STAKE: Stake = { bandwidth: 0n, energy: 0n, tronPower: 0n };
export const SUN_PER_COIN = 1_000_000n;
/** Parts of a stake that may be on their way back at the same time. */
export const MAX_UNSTAKING = 32;

const DAY_MS = 86_400_000;

/** When a part of a stake that is taken back now is in the balance again: chain time in ms. */
export function dueTime(now: number, { getUnfreezeDelayDays }: ChainParameters): number {
  return now + getUnfreezeDelayDays * DAY_MS;
}

/**
 * What a stake gives of what all stakes together get. The node multiplies doubles and drops the fraction.
 *
 * @param coins - may have a fraction
 */
export function share(coins: number, total: number, weight: bigint): bigint {
  return weight === 0n ? 0n : BigInt(Math.trunc(coins * (total / Number(weight))));
}
