import { type Address, BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
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

/** How much of something was used, as of a slot; it recovers linearly within a window. */
export interface Usage {
  readonly amount: bigint;
  /** The slot of the last consumption: chain time / 3000. */
  readonly slot: number;
}

/** A usage with a window of its own: what it has is what is left of the windows of all that was used. */
export interface WindowedUsage extends Usage {
  /** Thousandths of a slot. */
  readonly window: bigint;
}

const WINDOW_SLOTS = 28_800n;
const WINDOW_PRECISION = 1000n;
const PRECISION = 1_000_000n;

/** 24 hours of slots. */
export const FULL_WINDOW = WINDOW_SLOTS * WINDOW_PRECISION;
export const UNUSED: Usage = { amount: 0n, slot: 0 };
export const UNUSED_WINDOW: WindowedUsage = { ...UNUSED, window: FULL_WINDOW };

/** By the clock alone: see `Ledger.slotAt`. @param chainTime - ms */
export function slotOf(chainTime: number): number {
  return Math.floor(chainTime / BLOCK_INTERVAL_MS);
}

/** Uses more of something that recovers within 24 hours (ResourceProcessor.increase). */
export function used(usage: Usage, amount: bigint, slot: number): Usage {
  const average = recovered(usage, WINDOW_SLOTS, slot) + divideUp(amount * PRECISION, WINDOW_SLOTS);
  return { amount: (average * WINDOW_SLOTS) / PRECISION, slot };
}

/** What is still used at a slot, of something that recovers within 24 hours. */
export function usedAt(usage: Usage, slot: number): bigint {
  return used(usage, 0n, slot).amount;
}

/**
 * Uses more of a staked resource. What was used recovers in what is left of its window, and the new window is the mean
 * of that and of 24 hours for the new amount (ResourceProcessor.increaseV2).
 */
export function usedStake(usage: WindowedUsage, amount: bigint, slot: number): WindowedUsage {
  const slots = usage.window / WINDOW_PRECISION;
  const average = recovered(usage, slots, slot);
  const added = divideUp(amount * PRECISION, WINDOW_SLOTS);
  const total = (average * slots + added * WINDOW_SLOTS) / PRECISION;
  const rest = (average * slots) / PRECISION;
  if (rest === 0n) return { amount: total, slot, window: FULL_WINDOW };
  const window = usage.window - BigInt(slot - usage.slot) * WINDOW_PRECISION;
  return { amount: total, slot, window: meanWindow([rest, window], [amount, FULL_WINDOW], total) };
}

/** What is still used of a staked resource at a slot. */
export function stakeUsedAt(usage: WindowedUsage, slot: number): bigint {
  const slots = usage.window / WINDOW_PRECISION;
  return (recovered(usage, slots, slot) * slots) / PRECISION;
}

/**
 * Takes over a part of what somebody else has used, with that one's window (ResourceProcessor.unDelegateIncreaseV2).
 */
export function takenOver(usage: WindowedUsage, amount: bigint, from: WindowedUsage, slot: number): WindowedUsage {
  const own = usedStake(usage, 0n, slot);
  const total = own.amount + amount;
  if (total === 0n) return { amount: 0n, slot, window: FULL_WINDOW };
  return { amount: total, slot, window: meanWindow([own.amount, own.window], [amount, from.window], total) };
}

type Part = readonly [amount: bigint, window: bigint];

function meanWindow([left, leftWindow]: Part, [right, rightWindow]: Part, total: bigint): bigint {
  const mean = divideUp(left * atLeastZero(leftWindow) + right * atLeastZero(rightWindow), total);
  return mean < FULL_WINDOW ? mean : FULL_WINDOW;
}

/** The average use per slot, in millionths. java-tron multiplies by a double and rounds half up. */
function recovered(usage: Usage, slots: bigint, slot: number): bigint {
  const average = divideUp(usage.amount * PRECISION, slots);
  const window = Number(slots);
  const elapsed = slot - usage.slot;
  return elapsed >= window ? 0n : BigInt(Math.round(Number(average) * ((window - elapsed) / window)));
}

function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
