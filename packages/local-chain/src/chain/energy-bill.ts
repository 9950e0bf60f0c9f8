import type { Address } from "@finality/tron/primitives";
import { USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import { burn, collect } from "./ledger.ts";
import { Refusal } from "./refusal.ts";
import { availableEnergy, type EnergyContext, useEnergy } from "./resources.ts";
import type { EnergyUse } from "./transaction.ts";
import { usedStake } from "./usage.ts";

const DEFAULT_PRICE = 100n;
const WHOLE = 100n;

/** How the owner of a contract takes part in what calls of it cost. */
export interface OwnerShare {
  readonly owner: Address;
  /** The caller's part in percent. */
  readonly callerPercent: bigint;
  /** The most energy that the owner gives to one call. */
  readonly ownerLimit: bigint;
}

export interface EnergyPayer {
  readonly caller: Address;
  /** Sun that the caller sends along: no energy is bought with it. */
  readonly value: bigint;
  /** Sun. */
  readonly feeLimit: bigint;
  /** Absent for a new contract. */
  readonly share?: OwnerShare;
}

/** What an execution may use, and the staked energy of those who pay for it, as of its beginning. */
export interface EnergyBudget {
  readonly limit: bigint;
  readonly callerStaked: bigint;
  readonly ownerStaked: bigint;
}

/** Sun for one energy. */
function energyPrice({ parameters }: EnergyContext): bigint {
  return parameters.getEnergyFee > 0 ? BigInt(parameters.getEnergyFee) : DEFAULT_PRICE;
}

/** The energy that an execution may use (protocol reference §11.1): the fee limit caps staked energy as well. */
export function energyBudget(context: EnergyContext, payer: EnergyPayer): EnergyBudget {
  const price = energyPrice(context);
  const callerStaked = availableEnergy(context, payer.caller);
  const coins = (context.ledger.account(payer.caller)?.balance ?? 0n) - payer.value;
  const bought = coins > 0n ? coins / price : 0n;
  const fromCaller = least(callerStaked + bought, payer.feeLimit / price);
  const share = sharing(context, payer);
  if (share === undefined) return { limit: fromCaller, callerStaked, ownerStaked: 0n };
  const ownerStaked = share.callerPercent < WHOLE ? availableEnergy(context, share.owner) : 0n;
  return { limit: fromCaller + fromOwner(fromCaller, ownerStaked, share), callerStaked, ownerStaked };
}

/** The share, unless the owner is gone or calls the contract itself. */
function sharing({ ledger }: EnergyContext, { share, caller }: EnergyPayer): OwnerShare | undefined {
  if (share === undefined || share.owner === caller || ledger.account(share.owner) === undefined) return undefined;
  const { ownerLimit } = share;
  return { ...share, ownerLimit: ownerLimit === 0n ? USUAL_OWNER_ENERGY_LIMIT : ownerLimit };
}

function fromOwner(fromCaller: bigint, staked: bigint, { callerPercent, ownerLimit }: OwnerShare): bigint {
  if (callerPercent >= WHOLE) return 0n;
  const most = least(staked, ownerLimit);
  return callerPercent <= 0n ? most : least((fromCaller * (WHOLE - callerPercent)) / callerPercent, most);
}

/**
 * Writes down what caller and owner have used of their stakes as of now: the code that they run begins with it, and it
 * stays when it ends well. What is used is then added to a rounded number (VMActuator, TransactionTrace.pay).
 */
export function settleUsage({ ledger, now, ...context }: EnergyContext, payer: EnergyPayer): void {
  const share = sharing({ ledger, now, ...context }, payer);
  for (const address of share === undefined ? [payer.caller] : [share.owner, payer.caller]) {
    const account = ledger.account(address);
    if (account === undefined) continue;
    ledger.put({
      ...account,
      used: { ...account.used, energy: usedStake(account.used.energy, 0n, ledger.slotAt(now)) },
    });
  }
}

/** What code has used, and whether it was ended for the time that it took: nobody gets the fee of that. */
export interface EnergyUsed {
  readonly total: bigint;
  readonly penalty: bigint;
  readonly tookTooLong?: boolean;
}

/**
 * Pays for used energy (protocol reference §11.2): the owner's part by stake, the caller's by stake and then by coins.
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
  const share = sharing(context, payer);
  const owed = share === undefined ? 0n : (total * (WHOLE - clamped(share.callerPercent))) / WHOLE;
  const ownerPart = share === undefined ? 0n : least(owed, least(budget.ownerStaked, share.ownerLimit));
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
