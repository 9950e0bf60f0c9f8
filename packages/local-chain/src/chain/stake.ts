import { type Address, BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import type { ChainParameters } from "./parameters.ts";

/** A resource that stakes provide and accounts delegate. */
export type Resource = "bandwidth" | "energy";
/** Purpose of a stake. */
export type StakePurpose = Resource | "tronPower";

/** A value per resource. */
export type ByResource<T> = { readonly [resource in Resource]: T };
export type Stake = { readonly [purpose in StakePurpose]: bigint };

/** In the order of `ResourceCode`. */
export const PURPOSES: readonly StakePurpose[] = ["bandwidth", "energy", "tronPower"];
/** JSON names in the same order. */
export const PURPOSE_NAMES = ["BANDWIDTH", "ENERGY", "TRON_POWER"] as const;

/** Resources delegated to one account. */
export interface Delegation {
  readonly to: Address;
  /** Sun without a lock. */
  readonly free: ByResource<bigint>;
  readonly locked: ByResource<Locked>;
}

export interface Locked {
  /** Sun. */
  readonly amount: bigint;
  /** Chain time in ms at which the lock ends. */
  readonly until: number;
}

/** A part of a stake that is being unstaked. */
export interface Unstaking {
  readonly purpose: StakePurpose;
  /** Sun. */
  readonly amount: bigint;
  /** Chain time in ms. */
  readonly due: number;
}

/** Unstaking result in a receipt. */
export interface StakeOutcome {
  /** Sun withdrawn into the balance. */
  readonly withdrawn: bigint;
  /** Sun staked again. */
  readonly cancelled?: Stake;
}

export const NO_STAKE: Stake = { bandwidth: 0n, energy: 0n, tronPower: 0n };
export const SUN_PER_COIN = 1_000_000n;
/** Most simultaneous unstaking entries. */
export const MAX_UNSTAKING = 32;

const DAY_MS = 86_400_000;

/** Returns the chain time in ms at which coins unstaked now can be withdrawn. */
export function dueTime(now: number, { getUnfreezeDelayDays }: ChainParameters): number {
  return now + getUnfreezeDelayDays * DAY_MS;
}

/** A total that stakers share, and the weight of all stakes in whole coins. */
interface SharedTotal {
  readonly total: number;
  readonly weight: bigint;
}

/**
 * Returns the share of a stake in a total. The node multiplies doubles and drops the fraction, with proposal 97 (TIP-833)
 * integers.
 *
 * @param stake - sun
 */
export function share(stake: bigint, { total, weight }: SharedTotal, parameters: ChainParameters): bigint {
  if (weight === 0n) return 0n;
  if (parameters.getAllowHardenResourceCalculation === 1) return (stake * BigInt(total)) / (SUN_PER_COIN * weight);
  return BigInt(Math.trunc((Number(stake) / Number(SUN_PER_COIN)) * (total / Number(weight))));
}

/** Usage as of a slot. It recovers linearly within a window. */
export interface Usage {
  readonly amount: bigint;
  /** Slot of the last consumption: chain time / 3000. */
  readonly slot: number;
}

/** Usage with its own window, the mean of the windows of all consumptions. */
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

/** Returns the slot of a time by the clock alone: see `Ledger.slotAt`. @param chainTime - ms */
export function slotOf(chainTime: number): number {
  return Math.floor(chainTime / BLOCK_INTERVAL_MS);
}

/** Adds usage that recovers within 24 hours (ResourceProcessor.increase). */
export function addUsage(usage: Usage, amount: bigint, slot: number): Usage {
  const average = recovered(usage, WINDOW_SLOTS, slot) + divideUp(amount * PRECISION, WINDOW_SLOTS);
  return { amount: (average * WINDOW_SLOTS) / PRECISION, slot };
}

/** Returns the remaining usage at a slot, with recovery within 24 hours. */
export function usageAt(usage: Usage, slot: number): bigint {
  return addUsage(usage, 0n, slot).amount;
}

/**
 * Adds usage of a staked resource. The new window is the mean of the remaining window and 24 hours for the new amount
 * (ResourceProcessor.increaseV2).
 */
export function addStakeUsage(usage: WindowedUsage, amount: bigint, slot: number): WindowedUsage {
  const slots = usage.window / WINDOW_PRECISION;
  const average = recovered(usage, slots, slot);
  const added = divideUp(amount * PRECISION, WINDOW_SLOTS);
  const total = (average * slots + added * WINDOW_SLOTS) / PRECISION;
  const rest = (average * slots) / PRECISION;
  if (rest === 0n) return { amount: total, slot, window: FULL_WINDOW };
  const window = usage.window - BigInt(slot - usage.slot) * WINDOW_PRECISION;
  return { amount: total, slot, window: meanWindow([rest, window], [amount, FULL_WINDOW], total) };
}

/** Returns the remaining usage of a staked resource at a slot. */
export function stakeUsageAt(usage: WindowedUsage, slot: number): bigint {
  const slots = usage.window / WINDOW_PRECISION;
  return (recovered(usage, slots, slot) * slots) / PRECISION;
}

/** Takes over a part of another account's usage with its window (ResourceProcessor.unDelegateIncreaseV2). */
export function takeOverUsage(usage: WindowedUsage, amount: bigint, from: WindowedUsage, slot: number): WindowedUsage {
  const own = addStakeUsage(usage, 0n, slot);
  const total = own.amount + amount;
  if (total === 0n) return { amount: 0n, slot, window: FULL_WINDOW };
  return { amount: total, slot, window: meanWindow([own.amount, own.window], [amount, from.window], total) };
}

type Part = readonly [amount: bigint, window: bigint];

function meanWindow([left, leftWindow]: Part, [right, rightWindow]: Part, total: bigint): bigint {
  const mean = divideUp(left * atLeastZero(leftWindow) + right * atLeastZero(rightWindow), total);
  return mean < FULL_WINDOW ? mean : FULL_WINDOW;
}

/** Returns the average use per slot in millionths. java-tron multiplies by a double and rounds half up. */
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
