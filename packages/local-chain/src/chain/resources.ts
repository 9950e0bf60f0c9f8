import type { Address } from "@finality/tron/primitives";
import type { Account } from "./account.ts";
import { burn, collect, type Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import { insufficientResources } from "./refusal.ts";
import { SUN_PER_COIN, share } from "./stake.ts";
import { effectiveStake } from "./staking.ts";
import { stakeUsedAt, type Usage, used, usedAt, usedStake } from "./usage.ts";

/** The free bandwidth that all accounts share (getTotalNetLimit is for stakers). */
const PUBLIC_NET_LIMIT = 14_400_000_000n;

/** What the bytes of a transaction cost: staked or free bandwidth, or burnt coins, never both. */
export interface BandwidthCost {
  readonly netUsage: bigint;
  /** Sun. */
  readonly netFee: bigint;
}

export interface Payment {
  readonly ledger: Ledger;
  readonly parameters: ChainParameters;
  /** Chain time in ms of the newest block. */
  readonly now: number;
}

/** The bandwidth that a stake gives: its share of what all stakes together get. */
export function netLimit(account: Account, ledger: Ledger, parameters: ChainParameters): bigint {
  const stake = Number(effectiveStake(account, "bandwidth")) / Number(SUN_PER_COIN);
  return share(stake, parameters.getTotalNetLimit, ledger.totals.weight.bandwidth);
}

/**
 * Pays for the bytes of a transaction: staked bandwidth, free bandwidth, or coins (BandwidthProcessor.consume).
 *
 * @throws {Refusal} `BANDWITH_ERROR`
 */
export function payBandwidth(payment: Payment, account: Account, bytes: bigint): BandwidthCost {
  const paid = { ...account, lastOperationAt: payment.now };
  if (useStake(payment, paid, bytes) || useFreeNet(payment, paid, bytes)) return { netUsage: bytes, netFee: 0n };
  const netFee = bytes * BigInt(payment.parameters.getTransactionFee);
  if (account.balance < netFee) throw insufficientResources();
  collect(payment.ledger, paid, netFee);
  return { netUsage: 0n, netFee };
}

/**
 * Pays for a transaction that creates an account: free bandwidth cannot.
 *
 * @throws {Refusal} `BANDWITH_ERROR`
 */
export function payAccountCreation(payment: Payment, account: Account, bytes: bigint): BandwidthCost {
  const paid = { ...account, lastOperationAt: payment.now };
  const needed = bytes * BigInt(payment.parameters.getCreateNewAccountBandwidthRate);
  if (useStake(payment, paid, needed)) return { netUsage: needed, netFee: 0n };
  const netFee = BigInt(payment.parameters.getCreateAccountFee);
  if (account.balance < netFee) throw insufficientResources();
  burn(payment.ledger, paid, netFee);
  return { netUsage: 0n, netFee };
}

function useStake({ ledger, parameters, now }: Payment, account: Account, bytes: bigint): boolean {
  const slot = ledger.slotAt(now);
  if (bytes > netLimit(account, ledger, parameters) - stakeUsedAt(account.used.bandwidth, slot)) return false;
  ledger.put({ ...account, used: { ...account.used, bandwidth: usedStake(account.used.bandwidth, bytes, slot) } });
  return true;
}

/** The node rounds what has recovered before it adds to it. */
export function usedNow(usage: Usage, bytes: bigint, slot: number): Usage {
  return used(used(usage, 0n, slot), bytes, slot);
}

function useFreeNet({ ledger, parameters, now }: Payment, account: Account, bytes: bigint): boolean {
  const slot = ledger.slotAt(now);
  const totals = ledger.totals;
  if (bytes > BigInt(parameters.getFreeNetLimit) - usedAt(account.freeNet, slot)) return false;
  if (bytes > PUBLIC_NET_LIMIT - usedAt(totals.publicNet, slot)) return false;
  ledger.put({ ...account, freeNet: usedNow(account.freeNet, bytes, slot) });
  ledger.changeTotals({ publicNet: usedNow(totals.publicNet, bytes, slot) });
  return true;
}

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
    stakeUsedAt(account.used.energy, ledger.slotAt(now));
  return left > 0n ? left : 0n;
}

/**
 * Uses staked energy of an account, also when the amount is 0: the time of its last use is then now
 * (EnergyProcessor.useEnergy). The caller has taken care that it is there: see `availableEnergy`.
 */
export function useEnergy({ ledger, now }: EnergyContext, address: Address, amount: bigint): void {
  const account = ledger.account(address);
  if (account === undefined) return;
  const energy = usedStake(account.used.energy, amount, ledger.slotAt(now));
  ledger.put({ ...account, lastOperationAt: now, used: { ...account.used, energy } });
}

/** The energy that a stake gives, fractions of a coin counted: what look-ups show as `EnergyLimit`. */
export function energyLimit(account: Account, ledger: Ledger, parameters: ChainParameters): bigint {
  const stake = Number(effectiveStake(account, "energy")) / Number(SUN_PER_COIN);
  return share(stake, parameters.getTotalEnergyCurrentLimit, ledger.totals.weight.energy);
}
