import type { Address } from "../../core/primitives/address.ts";
import type { Account } from "./account.ts";
import type { Payment } from "./bandwidth.ts";
import type { Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import { SUN_PER_COIN, share } from "./stake.ts";
import { effectiveStake } from "./staking.ts";
import { slotAt, stakeUsedAt, usedStake } from "./usage.ts";

/** Everything that staked energy depends on: an `Execution` is one. `now` is the newest block's time in ms. */
export type EnergyContext = Pick<Payment, "ledger" | "parameters" | "now">;

/**
 * The energy that an account's stake still gives to an execution: its share of whole coins, less what is used
 * (RepositoryImpl.getAccountLeftEnergyFromFreeze; fractions of a coin do not count here). An unknown account has none.
 */
export function availableEnergy({ ledger, parameters, now }: EnergyContext, address: Address): bigint {
  const account = ledger.account(address);
  if (account === undefined) return 0n;
  const coins = effectiveStake(account, "energy") / SUN_PER_COIN;
  const left =
    share(Number(coins), parameters.getTotalEnergyCurrentLimit, ledger.totals.weight.energy) -
    stakeUsedAt(account.used.energy, slotAt(now));
  return left > 0n ? left : 0n;
}

/**
 * Uses staked energy of an account, also when the amount is 0: the time of its last use is then now
 * (EnergyProcessor.useEnergy). The caller has taken care that it is there: see `availableEnergy`.
 */
export function useEnergy({ ledger, now }: EnergyContext, address: Address, amount: bigint): void {
  const account = ledger.account(address);
  if (account === undefined) return;
  const energy = usedStake(account.used.energy, amount, slotAt(now));
  ledger.put({ ...account, lastOperationAt: now, used: { ...account.used, energy } });
}

/** The energy that a stake gives, fractions of a coin counted: what look-ups show as `EnergyLimit`. */
export function energyLimit(account: Account, ledger: Ledger, parameters: ChainParameters): bigint {
  const stake = Number(effectiveStake(account, "energy")) / Number(SUN_PER_COIN);
  return share(stake, parameters.getTotalEnergyCurrentLimit, ledger.totals.weight.energy);
}
