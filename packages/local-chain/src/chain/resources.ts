import { type Address, bytesToHex, sha256 } from "@finality/tron/primitives";
import { USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import type { Account } from "./account.ts";
import { burn, collect, type Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import { insufficientResources, invalidContract, Refusal } from "./refusal.ts";
import { addStakeUsage, addUsage, SUN_PER_COIN, share, stakeUsageAt, UNUSED, type Usage, usageAt } from "./stake.ts";
import { effectiveStake } from "./staking.ts";
import { type Token, tokenIdIn } from "./token.ts";
import { type EnergyUse, validAddress } from "./transaction.ts";

/** Free bandwidth of all accounts together (getTotalNetLimit is for stakers). */
const PUBLIC_NET_LIMIT = 14_400_000_000n;

/** Cost of a transaction's bytes: staked or free bandwidth, or burnt coins, never both. */
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

/** Returns the bandwidth of a stake: its share of the total. */
export function netLimit(account: Account, ledger: Ledger, parameters: ChainParameters): bigint {
  const shared = { total: parameters.getTotalNetLimit, weight: ledger.totals.weight.bandwidth };
  return share(effectiveStake(account, "bandwidth"), shared, parameters);
}

/**
 * Pays for the bytes of a transaction with staked bandwidth, free bandwidth or coins (BandwidthProcessor.consume).
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
 * Pays for a transaction that creates an account, for which free bandwidth does not count.
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
  if (bytes > netLimit(account, ledger, parameters) - stakeUsageAt(account.used.bandwidth, slot)) return false;
  ledger.put({ ...account, used: { ...account.used, bandwidth: addStakeUsage(account.used.bandwidth, bytes, slot) } });
  return true;
}

/** Adds usage after recovery; the node rounds the recovered value first. */
function usedNow(usage: Usage, bytes: bigint, slot: number): Usage {
  return addUsage(addUsage(usage, 0n, slot), bytes, slot);
}

function useFreeNet({ ledger, parameters, now }: Payment, account: Account, bytes: bigint): boolean {
  const slot = ledger.slotAt(now);
  const totals = ledger.totals;
  if (bytes > BigInt(parameters.getFreeNetLimit) - usageAt(account.freeNet, slot)) return false;
  if (bytes > PUBLIC_NET_LIMIT - usageAt(totals.publicNet, slot)) return false;
  ledger.put({ ...account, freeNet: usedNow(account.freeNet, bytes, slot) });
  ledger.changeTotals({ publicNet: usedNow(totals.publicNet, bytes, slot) });
  return true;
}

/** Inputs of staked energy; an `Execution` is one. `now` is the newest block's time in ms. */
export type EnergyContext = Pick<Payment, "ledger" | "parameters" | "now">;

/**
 * Returns the unused staked energy of an account: its share by whole coins, less usage
 * (RepositoryImpl.getAccountLeftEnergyFromFreeze). A missing account has none.
 */
export function availableEnergy({ ledger, parameters, now }: EnergyContext, address: Address): bigint {
  const account = ledger.account(address);
  if (account === undefined) return 0n;
  const wholeCoins = (effectiveStake(account, "energy") / SUN_PER_COIN) * SUN_PER_COIN;
  const left =
    share(wholeCoins, energyTotal(ledger, parameters), parameters) -
    stakeUsageAt(account.used.energy, ledger.slotAt(now));
  return left > 0n ? left : 0n;
}

/**
 * Consumes staked energy, even 0: it updates the time of last use (EnergyProcessor.useEnergy). The caller has checked
 * `availableEnergy`.
 */
export function useEnergy({ ledger, now }: EnergyContext, address: Address, amount: bigint): void {
  const account = ledger.account(address);
  if (account === undefined) return;
  const energy = addStakeUsage(account.used.energy, amount, ledger.slotAt(now));
  ledger.put({ ...account, lastOperationAt: now, used: { ...account.used, energy } });
}

/** Returns the energy of a stake including fractions of a coin, which queries show as `EnergyLimit`. */
export function energyLimit(account: Account, ledger: Ledger, parameters: ChainParameters): bigint {
  return share(effectiveStake(account, "energy"), energyTotal(ledger, parameters), parameters);
}

function energyTotal({ totals }: Ledger, parameters: ChainParameters): Parameters<typeof share>[1] {
  return { total: parameters.getTotalEnergyCurrentLimit, weight: totals.weight.energy };
}

/** Returns the token of a transfer. @throws {Refusal} it does not exist, with the message that precedes the actuator */
export function transferredToken(ledger: Ledger, name: Uint8Array): Token {
  const token = ledger.tables.tokens.get(tokenIdIn(name));
  if (token === undefined) throw invalidContract(`asset [${printedByJava(name)}] does not exist`);
  return token;
}

const SHOWN_BYTES = 47;

/** Returns Java's text of bytes; its memory address is replaced by a stable one. */
function printedByJava(bytes: Uint8Array): string {
  const place = bytesToHex(sha256(bytes)).slice(0, 8);
  const shown = bytes.length <= SHOWN_BYTES + 3 ? escaped(bytes) : `${escaped(bytes.subarray(0, SHOWN_BYTES))}...`;
  return `<ByteString@${place} size=${bytes.length} contents="${shown}">`;
}

const ESCAPES = new Map(
  [..."\x07\b\f\n\r\t\v\\'\""].map((it, index) => [it.charCodeAt(0), `\\${"abfnrtv\\'\""[index]}`]),
);

function escaped(bytes: Uint8Array): string {
  const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;
  const plain = (byte: number): string => (byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : octal(byte));
  return [...bytes].map((it) => ESCAPES.get(it) ?? plain(it)).join("");
}

/**
 * Pays for a token transfer with the issuer's staked bandwidth, within the limits for each holder and for all
 * (BandwidthProcessor.useAssetAccountNet).
 *
 * @returns whether it sufficed
 */
export function useIssuerBandwidth(payment: Payment, sender: Account, token: Token, bytes: bigint): boolean {
  const { ledger, now } = payment;
  const slot = ledger.slotAt(now);
  const { ownerAddress, publicFreeAssetNetLimit, freeAssetNetLimit } = token.definition;
  const own = sender.tokenUse.get(token.id) ?? UNUSED;
  if (bytes > publicFreeAssetNetLimit - usageAt(token.publicUse, slot)) return false;
  if (bytes > freeAssetNetLimit - usageAt(own, slot)) return false;
  const owner = validAddress(ownerAddress);
  const issuer = owner && ledger.account(owner);
  if (issuer === undefined || !hasNet(payment, issuer, bytes)) return false;
  ledger.tables.tokens.set(token.id, { ...token, publicUse: usedNow(token.publicUse, bytes, slot) });
  const tokenUse = new Map(sender.tokenUse).set(token.id, usedNow(own, bytes, slot));
  ledger.put({ ...sender, lastOperationAt: now, tokenUse });
  // A sending issuer is written last with its old value: the node loses the sender's update.
  ledger.put({ ...issuer, used: { ...issuer.used, bandwidth: addStakeUsage(issuer.used.bandwidth, bytes, slot) } });
  return true;
}

function hasNet({ ledger, parameters, now }: Payment, account: Account, bytes: bigint): boolean {
  return bytes <= netLimit(account, ledger, parameters) - stakeUsageAt(account.used.bandwidth, ledger.slotAt(now));
}

const DEFAULT_PRICE = 100n;
const WHOLE = 100n;

/** Energy sharing between caller and contract owner. */
interface EnergySharing {
  readonly owner: Address;
  /** `consume_user_resource_percent`: the caller's percentage. */
  readonly consumeUserResourcePercent: bigint;
  /** `origin_energy_limit`: the most energy that the owner pays per call. */
  readonly originEnergyLimit: bigint;
}

export interface EnergyPayer {
  readonly caller: Address;
  /** Sun of the call value, which cannot pay for energy. */
  readonly value: bigint;
  /** Sun. */
  readonly feeLimit: bigint;
  /** Absent for a creation. */
  readonly share?: EnergySharing;
}

/** Energy limit of an execution, and the payers' staked energy at its start. */
export interface EnergyBudget {
  readonly limit: bigint;
  readonly callerStaked: bigint;
  readonly ownerStaked: bigint;
}

/** Returns the price of one energy in sun. */
function energyPrice({ parameters }: EnergyContext): bigint {
  return parameters.getEnergyFee > 0 ? BigInt(parameters.getEnergyFee) : DEFAULT_PRICE;
}

/** Returns the energy limit of an execution (protocol reference §11.1). The fee limit caps staked energy as well. */
export function energyBudget(context: EnergyContext, payer: EnergyPayer): EnergyBudget {
  const price = energyPrice(context);
  const callerStaked = availableEnergy(context, payer.caller);
  const coins = (context.ledger.account(payer.caller)?.balance ?? 0n) - payer.value;
  const bought = coins > 0n ? coins / price : 0n;
  const fromCaller = least(callerStaked + bought, payer.feeLimit / price);
  const share = sharingOf(context, payer);
  if (share === undefined) return { limit: fromCaller, callerStaked, ownerStaked: 0n };
  const ownerStaked = share.consumeUserResourcePercent < WHOLE ? availableEnergy(context, share.owner) : 0n;
  return { limit: fromCaller + fromOwner(fromCaller, ownerStaked, share), callerStaked, ownerStaked };
}

/** Returns the sharing rule, or undefined if the owner is missing or is the caller. */
function sharingOf({ ledger }: EnergyContext, { share, caller }: EnergyPayer): EnergySharing | undefined {
  if (share === undefined || share.owner === caller || ledger.account(share.owner) === undefined) return undefined;
  const { originEnergyLimit } = share;
  return { ...share, originEnergyLimit: originEnergyLimit === 0n ? USUAL_OWNER_ENERGY_LIMIT : originEnergyLimit };
}

function fromOwner(
  fromCaller: bigint,
  staked: bigint,
  { consumeUserResourcePercent: callerPercent, originEnergyLimit: ownerLimit }: EnergySharing,
): bigint {
  if (callerPercent >= WHOLE) return 0n;
  const most = least(staked, ownerLimit);
  return callerPercent <= 0n ? most : least((fromCaller * (WHOLE - callerPercent)) / callerPercent, most);
}

/**
 * Settles the recovered usage of caller and owner before their code runs. The settlement stays if the code succeeds,
 * and later usage is added to the rounded number (VMActuator, TransactionTrace.pay).
 */
export function settleUsage({ ledger, now, ...context }: EnergyContext, payer: EnergyPayer): void {
  const share = sharingOf({ ledger, now, ...context }, payer);
  for (const address of share === undefined ? [payer.caller] : [share.owner, payer.caller]) {
    const account = ledger.account(address);
    if (account === undefined) continue;
    ledger.put({
      ...account,
      used: { ...account.used, energy: addStakeUsage(account.used.energy, 0n, ledger.slotAt(now)) },
    });
  }
}

/** Used energy, and whether the code ran out of time; that fee goes to no account. */
export interface EnergyUsed {
  readonly total: bigint;
  readonly penalty: bigint;
  readonly tookTooLong?: boolean;
}

/**
 * Pays for used energy (protocol reference §11.2): the owner with stake, the caller with stake and then coins.
 *
 * @throws {Refusal} `CONTRACT_EXE_ERROR` the caller no longer has the coins
 */
export function payEnergy(
  context: EnergyContext,
  payer: EnergyPayer,
  budget: EnergyBudget,
  { total, penalty, tookTooLong = false }: EnergyUsed,
): EnergyUse {
  const used = { total, penalty };
  if (total === 0n) return { ...used, fromCaller: 0n, fromOwner: 0n, fee: 0n };
  const share = sharingOf(context, payer);
  const owed = share === undefined ? 0n : (total * (WHOLE - clamped(share.consumeUserResourcePercent))) / WHOLE;
  const ownerPart = share === undefined ? 0n : least(owed, least(budget.ownerStaked, share.originEnergyLimit));
  if (share !== undefined) useEnergy(context, share.owner, ownerPart);
  const callerPart = total - ownerPart;
  const fromCaller = least(callerPart, budget.callerStaked);
  useEnergy(context, payer.caller, fromCaller);
  const fee = (callerPart - fromCaller) * energyPrice(context);
  if (fee > 0n) takeFee(context, payer.caller, fee, tookTooLong ? burn : collect);
  return { ...used, fromCaller, fromOwner: ownerPart, fee };
}

function takeFee({ ledger }: EnergyContext, caller: Address, fee: bigint, take: typeof burn): void {
  const account = ledger.account(caller);
  if (account === undefined || account.balance < fee) {
    throw new Refusal("CONTRACT_EXE_ERROR", `${caller} insufficient balance`);
  }
  take(ledger, account, fee);
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function clamped(percent: bigint): bigint {
  return percent < 0n ? 0n : least(percent, WHOLE);
}
