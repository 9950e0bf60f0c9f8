import { SUN_PER_COIN, type Sun, sun } from "@finality/tron/primitives";
import type { AccountResources, ChainParameters } from "../gateway/gateway.ts";

/** Known data about an unsent transfer. */
export interface TransferFacts {
  /** `bandwidthOf` of the transaction with all its signatures. */
  readonly bandwidth: bigint;
  readonly signatures: number;
  readonly hasMemo: boolean;
  readonly recipientExists: boolean;
  readonly updatesPermissions?: boolean;
  /** Resources of the owner; undefined if the account is not activated. */
  readonly resources: AccountResources | undefined;
}

/** Part of the cost of a transfer besides the amount. */
export type CostPart =
  | BandwidthPart
  /** `account-creation-bandwidth` replaces the bandwidth of a transfer that creates its recipient. */
  | {
      readonly kind: "account-creation-bandwidth" | "account-creation" | "multi-sign" | "memo" | "permissions";
      readonly amount: Sun;
    };

export interface TransferCost {
  readonly parts: readonly CostPart[];
  /** Fee that the owner pays besides the amount. */
  readonly fee: Sun;
}

const NOTHING = sun(0n);

/**
 * Returns the cost of a transfer besides the amount, in the node's order (BandwidthProcessor.consume, Manager).
 * Assumes that the network-wide free quota, which no endpoint reports, suffices. An unlisted parameter counts as 0.
 */
export function transferCost(facts: TransferFacts, parameters: ChainParameters): TransferCost {
  const price = (name: string): Sun => sun(parameters.get(name) ?? 0n);
  const parts: CostPart[] = facts.recipientExists
    ? [bandwidthPart(facts.bandwidth, facts.resources, price("getTransactionFee"))]
    : [
        creationBandwidthPart(facts, parameters),
        { kind: "account-creation", amount: price("getCreateNewAccountFeeInSystemContract") },
      ];
  if (facts.signatures > 1) parts.push({ kind: "multi-sign", amount: price("getMultiSignFee") });
  if (facts.updatesPermissions === true)
    parts.push({ kind: "permissions", amount: price("getUpdateAccountPermissionFee") });
  if (facts.hasMemo) parts.push({ kind: "memo", amount: price("getMemoFee") });
  return { parts, fee: sun(parts.reduce((total, it) => total + it.amount, 0n)) };
}

/** The free quota cannot pay for the creation of an account. */
function creationBandwidthPart({ bandwidth, resources }: TransferFacts, parameters: ChainParameters): CostPart {
  const bytes = bandwidth * (parameters.get("getCreateNewAccountBandwidthRate") ?? 1n);
  if (stakedBandwidthLeft(resources) >= bytes) return { kind: "staked-bandwidth", bytes, amount: NOTHING };
  return { kind: "account-creation-bandwidth", amount: sun(parameters.get("getCreateAccountFee") ?? 0n) };
}

/** Payment for the bytes of a transaction. */
type BandwidthPart =
  /** Taken from a quota that recovers within 24 hours. */
  | { readonly kind: "staked-bandwidth" | "free-bandwidth"; readonly bytes: bigint; readonly amount: Sun }
  /** No quota holds all the bytes, so all of them are paid. */
  | { readonly kind: "burned-bandwidth"; readonly bytes: bigint; readonly amount: Sun };

/** Size that the node reserves for the result of a contract (Constant.java, MAX_RESULT_SIZE_IN_TX). */
const RESULT_RESERVE = 64n;
/** Size of a signature field: tag, length and 65 bytes. */
const SIGNATURE_FIELD = 67n;

/**
 * Returns the bandwidth of a transaction with one contract.
 *
 * @param rawDataLength - bytes of `raw_data`
 * @returns bytes: the signed transaction without its `ret`, and 64 for a result (BandwidthProcessor.consume)
 * @example
 * bandwidthOf(133, 1); // 267n
 */
export function bandwidthOf(rawDataLength: number, signatures: number): bigint {
  const tagAndLength = 1n + lengthOfVarint(rawDataLength);
  return tagAndLength + BigInt(rawDataLength) + BigInt(signatures) * SIGNATURE_FIELD + RESULT_RESERVE;
}

/**
 * Returns the payer of the bytes: a quota pays for all of them or none (BandwidthProcessor.consume).
 *
 * @param resources - Resources of the owner; undefined if the account is not activated.
 * @param pricePerByte - `getTransactionFee`, sun
 */
function bandwidthPart(bytes: bigint, resources: AccountResources | undefined, pricePerByte: Sun): BandwidthPart {
  if (stakedBandwidthLeft(resources) >= bytes) return { kind: "staked-bandwidth", bytes, amount: NOTHING };
  if (freeLeft(resources) >= bytes) return { kind: "free-bandwidth", bytes, amount: NOTHING };
  return { kind: "burned-bandwidth", bytes, amount: sun(bytes * pricePerByte) };
}

/** Returns the bytes of staked bandwidth that are left. */
function stakedBandwidthLeft(resources: AccountResources | undefined): bigint {
  return resources === undefined ? 0n : resources.stakedBandwidthLimit - resources.stakedBandwidthUsed;
}

function freeLeft(resources: AccountResources | undefined): bigint {
  return resources === undefined ? 0n : resources.freeBandwidthLimit - resources.freeBandwidthUsed;
}

/** Returns the length of a protobuf varint: 7 bits per byte. */
function lengthOfVarint(value: number): bigint {
  return BigInt(Math.max(1, Math.ceil(value.toString(2).length / 7)));
}

/** The contract owner's share of the energy of callers. */
export interface OwnerShare {
  /** Caller's share, 0 to 100: `consume_user_resource_percent`. */
  readonly callerPercent: bigint;
  /** Maximum energy that the owner pays for one call: `origin_energy_limit`. */
  readonly energyLimit: bigint;
  /** Staked energy that the owner has left. */
  readonly energyLeft: bigint;
}

/** Known data about an unsent call or deployment. */
export interface CallFacts {
  /** Total energy of the run, penalty included (`energy_used` of a constant call). */
  readonly energy: bigint;
  /** Energy that the limit must allow, if that differs from the energy used: code that forwards energy. */
  readonly required?: bigint;
  readonly feeLimit: Sun;
  readonly callValue: Sun;
  /** Balance of the caller; if undefined, its sufficiency is not checked. */
  readonly balance: Sun | undefined;
  /** Resources of the caller; undefined if the account is not activated. */
  readonly resources: AccountResources | undefined;
  /** Stake of the caller, if known: see `energyLeft`. */
  readonly energyStake?: Sun | undefined;
  /** Undefined for a deployment, if the caller is the owner, or if the node does not report it: the caller pays all. */
  readonly owner: OwnerShare | undefined;
  /** `bandwidthOf` of the transaction with all its signatures. */
  readonly bandwidth: bigint;
  readonly signatures: number;
  readonly hasMemo?: boolean;
}

/** Reason why a call would stop early, with the sufficient amounts. */
export type Shortage =
  /** `fee_limit` allows `covers` energy, staked energy included; `needed` would suffice. */
  | { readonly kind: "fee-limit"; readonly covers: bigint; readonly needed: Sun }
  /** Balance and stake pay for `covers` energy; the caller lacks `missing` coins. */
  | { readonly kind: "balance"; readonly covers: bigint; readonly missing: Sun }
  /** The node refuses `fee_limit` above `getMaxFeeLimit`, before anything runs. */
  | { readonly kind: "fee-limit-above-maximum"; readonly maximum: Sun };

export interface CallCost {
  /**
   * Energy that the contract's owner, the caller's stake and the caller's coins pay. Together they are the energy of
   * the run.
   */
  readonly ownerEnergy: bigint;
  readonly stakedEnergy: bigint;
  readonly burnedEnergy: bigint;
  /** Sun for the burned energy. */
  readonly energyFee: Sun;
  readonly bandwidth: BandwidthPart;
  readonly multiSignFee: Sun;
  readonly memoFee: Sun;
  /** Coins that the caller pays besides the call value: `fee` of the receipt. */
  readonly fee: Sun;
  /** Energy that the limit must allow. */
  readonly requiredEnergy: bigint;
  /** Energy that `fee_limit`, balance and stakes allow. */
  readonly energyLimit: bigint;
  /** Fee if the run takes all the energy that its limit must allow; never less than `fee`. */
  readonly highestFee: Sun;
  /** The smallest `fee_limit` that lets the run finish. */
  readonly neededFeeLimit: Sun;
  readonly shortages: readonly Shortage[];
}

/**
 * Prices and limits of the chain in sun: per energy, per byte, for further signatures, for a memo, and the largest
 * `fee_limit`.
 */
interface Prices {
  readonly energy: bigint;
  readonly byte: Sun;
  readonly multiSign: Sun;
  readonly memo: Sun;
  readonly maxFeeLimit: bigint | undefined;
}

/** Price of energy, in sun, that nodes use if the parameter is 0. */
const PRICE_WHEN_ZERO = 100n;

/**
 * Returns the price of energy in sun: `getEnergyFee`. Undefined if the gateway does not return it: no price is assumed.
 */
export function energyPrice(parameters: ChainParameters): bigint | undefined {
  const price = parameters.get("getEnergyFee");
  return price === 0n ? PRICE_WHEN_ZERO : price;
}

/**
 * Returns the cost of a call or deployment and whether it can finish. Applies the node's order of payment (owner's
 * share, staked energy, coins) and its limits; `fee_limit` bounds staked energy too (protocol reference §11.1, §11.2).
 *
 * @param parameters - `getTransactionFee`, `getMultiSignFee`, `getMemoFee`, `getMaxFeeLimit`
 * @param price - sun for one energy
 */
export function callCost(facts: CallFacts, parameters: ChainParameters, price: bigint): CallCost {
  const prices = pricesOf(parameters, price);
  const requiredEnergy = facts.required ?? facts.energy;
  const bandwidth = bandwidthPart(facts.bandwidth, facts.resources, prices.byte);
  const multiSignFee = sun(facts.signatures > 1 ? prices.multiSign : 0n);
  const memoFee = sun(facts.hasMemo === true ? prices.memo : 0n);
  const paidFirst = sun(bandwidth.amount + multiSignFee + memoFee);
  const payers = payersOf(facts, facts.energy);
  const feeFor = (energy: bigint): Sun => sun(energy * prices.energy + paidFirst);
  const limits = {
    requiredEnergy,
    highestFee: feeFor(payersOf(facts, max(requiredEnergy, facts.energy)).burnedEnergy),
    neededFeeLimit: sun(callerLimitFor(facts.owner, requiredEnergy) * prices.energy),
  };
  return {
    ...payers,
    energyFee: sun(payers.burnedEnergy * prices.energy),
    bandwidth,
    multiSignFee,
    memoFee,
    fee: feeFor(payers.burnedEnergy),
    ...limits,
    energyLimit: energyLimitOf(facts, prices, paidFirst),
    shortages: shortagesOf(facts, prices, { ...limits, paidFirst }),
  };
}

type Payers = Pick<CallCost, "ownerEnergy" | "stakedEnergy" | "burnedEnergy">;

/** Splits energy between the owner, the caller's stake and the caller's coins. */
function payersOf({ owner, resources, energyStake }: CallFacts, energy: bigint): Payers {
  const ownerEnergy = owner === undefined ? 0n : shareOf(owner, energy);
  const callerEnergy = energy - ownerEnergy;
  const stakedEnergy = min(callerEnergy, energyLeft(resources, energyStake));
  return { ownerEnergy, stakedEnergy, burnedEnergy: callerEnergy - stakedEnergy };
}

/**
 * Returns the staked energy left for a run. Nodes report a limit with fractions of a coin but grant whole coins only.
 * Without a known stake, the reported limit counts, which is too high by less than one coin's energy.
 *
 * @param stake - Own and received stake for energy.
 */
export function energyLeft(resources: AccountResources | undefined, stake?: Sun): bigint {
  if (resources === undefined) return 0n;
  return max((wholeCoinsEnergy(resources, stake) ?? resources.energyLimit) - resources.energyUsed, 0n);
}

/** The node multiplies doubles and truncates. Returns nothing if the stake does not explain the reported limit. */
function wholeCoinsEnergy({ energyLimit, energyTotals }: AccountResources, stake: Sun | undefined): bigint | undefined {
  if (stake === undefined || energyTotals === undefined || energyTotals.weight === 0n) return undefined;
  const perCoin = Number(energyTotals.limit) / Number(energyTotals.weight);
  const energyOf = (coins: number): bigint => BigInt(Math.trunc(coins * perCoin));
  const isExplained = energyOf(Number(stake) / Number(SUN_PER_COIN)) === energyLimit;
  return isExplained ? energyOf(Number(stake / SUN_PER_COIN)) : undefined;
}

/** `paidFirst`: paid for bytes, signatures and a memo before the run starts; sun. */
type Limits = Pick<CallCost, "requiredEnergy" | "highestFee" | "neededFeeLimit"> & { readonly paidFirst: Sun };

function shortagesOf(facts: CallFacts, prices: Prices, limits: Limits): readonly Shortage[] {
  const { feeLimit, owner } = facts;
  const { requiredEnergy: energy, highestFee, neededFeeLimit: needed, paidFirst } = limits;
  const shortages: Shortage[] = [];
  if (prices.maxFeeLimit !== undefined && feeLimit > prices.maxFeeLimit)
    shortages.push({ kind: "fee-limit-above-maximum", maximum: sun(prices.maxFeeLimit) });
  const limited = feeLimit / prices.energy;
  if (feeLimit < needed) shortages.push({ kind: "fee-limit", covers: min(energy, withOwner(owner, limited)), needed });
  if (facts.balance === undefined) return shortages;
  const missing = facts.callValue + highestFee - facts.balance;
  const payable = payableEnergy(facts, facts.balance, { prices, paidFirst });
  if (missing > 0n)
    shortages.push({ kind: "balance", covers: min(energy, withOwner(owner, payable)), missing: sun(missing) });
  return shortages;
}

/** Returns the energy that the caller's stake and coins pay for. */
function payableEnergy(
  facts: CallFacts,
  balance: Sun,
  { prices, paidFirst }: { readonly prices: Prices; readonly paidFirst: Sun },
): bigint {
  const coins = max(balance - facts.callValue - paidFirst, 0n);
  return energyLeft(facts.resources, facts.energyStake) + coins / prices.energy;
}

function energyLimitOf(facts: CallFacts, prices: Prices, paidFirst: Sun): bigint {
  const allowed = facts.feeLimit / prices.energy;
  const payable = facts.balance === undefined ? allowed : payableEnergy(facts, facts.balance, { prices, paidFirst });
  return withOwner(facts.owner, min(allowed, payable));
}

function pricesOf(parameters: ChainParameters, energy: bigint): Prices {
  return {
    energy,
    byte: sun(parameters.get("getTransactionFee") ?? 0n),
    multiSign: sun(parameters.get("getMultiSignFee") ?? 0n),
    memo: sun(parameters.get("getMemoFee") ?? 0n),
    maxFeeLimit: parameters.get("getMaxFeeLimit"),
  };
}

/** Returns the owner's share of a run: its percentage, within its limits. */
function shareOf(owner: OwnerShare, energy: bigint): bigint {
  return min((energy * (100n - percentOf(owner))) / 100n, capOf(owner));
}

/** Returns the energy that a run may use if the caller's side allows `callerLimit`. */
function withOwner(owner: OwnerShare | undefined, callerLimit: bigint): bigint {
  if (owner === undefined) return callerLimit;
  const percent = percentOf(owner);
  if (percent === 0n) return callerLimit + capOf(owner);
  return callerLimit + min((callerLimit * (100n - percent)) / percent, capOf(owner));
}

/** Returns the minimum that the caller's side must allow so that a run of this energy can finish. */
function callerLimitFor(owner: OwnerShare | undefined, energy: bigint): bigint {
  if (owner === undefined) return energy;
  const capped = max(energy - capOf(owner), 0n);
  let limit = max(capped, (energy * percentOf(owner)) / 100n);
  while (withOwner(owner, limit) < energy) limit += 1n;
  return limit;
}

function percentOf({ callerPercent }: OwnerShare): bigint {
  return min(max(callerPercent, 0n), 100n);
}

function capOf({ energyLimit, energyLeft: left }: OwnerShare): bigint {
  return max(min(energyLimit, left), 0n);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
