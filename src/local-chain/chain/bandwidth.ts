import type { Account, Usage } from "./account.ts";
import { burn, type Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import { insufficientResources } from "./refusal.ts";

const WINDOW_SLOTS = 28_800;
const PRECISION = 1_000_000n;
const SUN_PER_COIN = 1_000_000n;
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

/** What is still used at a slot: usage recovers linearly within 24 hours (ResourceProcessor.increase). */
export function usageAt(usage: Usage, slot: number): bigint {
  return added(usage, 0n, slot).amount;
}

export function slotAt(chainTime: number): number {
  return Math.floor(chainTime / 3000);
}

/** The bandwidth that a stake gives: its share of what all stakes together get. */
export function netLimit(account: Account, ledger: Ledger, parameters: ChainParameters): bigint {
  const weight = ledger.totals.bandwidthStake / SUN_PER_COIN;
  if (weight === 0n) return 0n;
  return (account.stake.bandwidth * BigInt(parameters.getTotalNetLimit)) / (weight * SUN_PER_COIN);
}

/**
 * Pays for the bytes of a transaction: staked bandwidth, free bandwidth, or burnt coins (BandwidthProcessor.consume).
 *
 * @throws {Refusal} `BANDWITH_ERROR`
 */
export function payBandwidth(payment: Payment, account: Account, bytes: bigint): BandwidthCost {
  const paid = { ...account, lastOperationAt: payment.now };
  if (useStake(payment, paid, bytes) || useFreeNet(payment, paid, bytes)) return { netUsage: bytes, netFee: 0n };
  const netFee = bytes * BigInt(payment.parameters.getTransactionFee);
  if (account.balance < netFee) throw insufficientResources();
  burn(payment.ledger, paid, netFee);
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
  const slot = slotAt(now);
  if (bytes > netLimit(account, ledger, parameters) - usageAt(account.net, slot)) return false;
  ledger.put({ ...account, net: added(account.net, bytes, slot) });
  return true;
}

function useFreeNet({ ledger, parameters, now }: Payment, account: Account, bytes: bigint): boolean {
  const slot = slotAt(now);
  const totals = ledger.totals;
  if (bytes > BigInt(parameters.getFreeNetLimit) - usageAt(account.freeNet, slot)) return false;
  if (bytes > PUBLIC_NET_LIMIT - usageAt(totals.publicNet, slot)) return false;
  ledger.put({ ...account, freeNet: added(account.freeNet, bytes, slot) });
  ledger.setTotals({ ...totals, publicNet: added(totals.publicNet, bytes, slot) });
  return true;
}

function added(usage: Usage, amount: bigint, slot: number): Usage {
  const window = BigInt(WINDOW_SLOTS);
  const average = recovered(divideUp(usage.amount * PRECISION, window), slot - usage.slot);
  return { amount: ((average + divideUp(amount * PRECISION, window)) * window) / PRECISION, slot };
}

/** java-tron multiplies by a double and rounds half up; integers give the same below 2^53. */
function recovered(average: bigint, elapsedSlots: number): bigint {
  if (elapsedSlots >= WINDOW_SLOTS) return 0n;
  return BigInt(Math.round(Number(average) * ((WINDOW_SLOTS - elapsedSlots) / WINDOW_SLOTS)));
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
