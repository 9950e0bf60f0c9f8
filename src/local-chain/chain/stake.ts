import type { Address } from "../../core/primitives/address.ts";
import type { Account } from "./account.ts";
import type { Ledger, Totals } from "./ledger.ts";

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

/** Sun that counts for the limit of an account: its own and what others have lent to it. */
export function effectiveStake({ stake, borrowed }: Account, resource: Resource): bigint {
  return stake[resource] + borrowed[resource];
}

/**
 * What a stake gives of what all stakes together get. The node multiplies doubles and drops the fraction.
 *
 * @param coins - may have a fraction
 */
export function share(coins: number, total: number, weight: bigint): bigint {
  return weight === 0n ? 0n : BigInt(Math.trunc(coins * (total / Number(weight))));
}

/** Changes a stake and, in whole coins, what all stakes together weigh. @param delta - sun */
export function changeStake(ledger: Ledger, account: Account, purpose: StakePurpose, delta: bigint): Account {
  const changed = { ...account, stake: { ...account.stake, [purpose]: account.stake[purpose] + delta } };
  const { totals } = ledger;
  const weight = totals.weight[purpose] + weightOf(changed, purpose) - weightOf(account, purpose);
  const next: Totals = { ...totals, weight: { ...totals.weight, [purpose]: weight } };
  ledger.setTotals(next);
  ledger.put(changed);
  return changed;
}

/** What is due at a time, and what is not yet. */
export function splitUnstaking(
  { unstaking }: Account,
  now: number,
): { readonly due: bigint; readonly waiting: readonly Unstaking[] } {
  const due = unstaking.filter((it) => it.due <= now).reduce((sum, { amount }) => sum + amount, 0n);
  return { due, waiting: unstaking.filter((it) => it.due > now) };
}

/** Whole coins: own stake and what of it is lent out. */
function weightOf({ stake, lent }: Account, purpose: StakePurpose): bigint {
  const out = purpose === "tronPower" ? 0n : lent[purpose];
  return (stake[purpose] + out) / SUN_PER_COIN;
}
