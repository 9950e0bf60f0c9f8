import type { Address } from "@finality/tron/primitives";
import type { Account } from "./account.ts";
import type { Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import type { Payment } from "./resources.ts";
import {
  type Loan,
  type Locked,
  type Resource,
  SUN_PER_COIN,
  stakeUsedAt,
  takenOver,
  usedStake,
  type WindowedUsage,
} from "./stake.ts";
import { effectiveStake } from "./staking.ts";

/** A transfer of delegated resources. */
interface Change {
  readonly owner: Account;
  readonly resource: Resource;
  /** Sun. */
  readonly amount: bigint;
}

export interface Lending extends Change {
  readonly receiver: Account;
}

export interface TakingBack extends Change {
  /** Receiver, whose account may no longer exist. */
  readonly to: Address;
}

const NOTHING_LOCKED: Locked = { amount: 0n, until: 0 };
/** Size of a delegation of one coin without a lock, as the node estimates it (TransactionUtil). */
const BASE_SIZE = 275;
/** Size of a field `lock` with value true. */
const FLAG_SIZE = 2;

export function loanTo({ loans }: Account, to: Address): Loan | undefined {
  return loans.find((it) => it.to === to);
}

/** Delegates a part of a stake. @param until - chain time in ms before which it cannot be taken back */
export function lend(
  ledger: Ledger,
  { owner, receiver, resource, amount }: Lending,
  now: number,
  until?: number,
): void {
  const before = unlocked(loanTo(owner, receiver.address) ?? newLoan(receiver.address), now);
  const locked = { amount: before.locked[resource].amount + amount, until: until ?? 0 };
  const loan: Loan =
    until === undefined
      ? { ...before, free: { ...before.free, [resource]: before.free[resource] + amount } }
      : { ...before, locked: { ...before.locked, [resource]: locked } };
  ledger.put({
    ...owner,
    stake: { ...owner.stake, [resource]: owner.stake[resource] - amount },
    lent: { ...owner.lent, [resource]: owner.lent[resource] + amount },
    loans: [...owner.loans.filter(({ to }) => to !== loan.to), loan],
  });
  ledger.put({
    ...receiver,
    borrowed: { ...receiver.borrowed, [resource]: receiver.borrowed[resource] + amount },
    lenders: [...receiver.lenders.filter((it) => it !== owner.address), owner.address],
  });
}

/** Returns the sun that an account can undelegate now. */
export function returnable({ free, locked }: Loan, resource: Resource, now: number): bigint {
  const { amount, until } = locked[resource];
  return free[resource] + (until < now ? amount : 0n);
}

/** Undelegates resources, and takes over the matching part of the receiver's usage (UnDelegateResourceActuator). */
export function takeBack(payment: Payment, taking: TakingBack): void {
  const { owner, resource, amount } = taking;
  const { ledger, now } = payment;
  const slot = ledger.slotAt(now);
  const moved = handBack(payment, taking);
  const loans = repaid(taking, now);
  const used = moved && moved.amount > 0n ? takenOver(owner.used[resource], moved.amount, moved, slot) : undefined;
  ledger.put({
    ...owner,
    stake: { ...owner.stake, [resource]: owner.stake[resource] + amount },
    lent: { ...owner.lent, [resource]: owner.lent[resource] - amount },
    loans,
    ...(used && { used: { ...owner.used, [resource]: used } }),
  });
}

/** Reduces the receiver's resources. @returns the usage that moves back to the owner */
function handBack({ ledger, parameters, now }: Payment, taking: TakingBack): WindowedUsage | undefined {
  const { owner, to, resource, amount } = taking;
  const receiver = ledger.account(to);
  if (receiver === undefined) return undefined;
  const usage = usedStake(receiver.used[resource], 0n, ledger.slotAt(now));
  // A contract that replaced an account at its address has no delegated resources.
  const borrows = receiver.borrowed[resource] >= amount;
  const moved = borrows ? movedUsage(receiver, taking, usage.amount, limitOf(resource, parameters, ledger)) : 0n;
  const over = repaid(taking, now).every((it) => it.to !== to);
  ledger.put({
    ...receiver,
    borrowed: { ...receiver.borrowed, [resource]: borrows ? receiver.borrowed[resource] - amount : 0n },
    lenders: over ? receiver.lenders.filter((it) => it !== owner.address) : receiver.lenders,
    used: { ...receiver.used, [resource]: { ...usage, amount: usage.amount - moved } },
  });
  return { ...usage, amount: moved };
}

/**
 * Returns the sun of a stake that can be delegated: the part without current usage.
 *
 * @param building - the transaction is still to be built: then its own bytes are counted too
 */
export function lendable(
  { ledger, parameters, now }: Payment,
  account: Account,
  resource: Resource,
  building: boolean,
): bigint {
  const own = building && resource === "bandwidth" ? estimatedSize(account.stake.bandwidth, parameters) : 0;
  const usage = Number(stakeUsedAt(account.used[resource], ledger.slotAt(now))) + own;
  const { weight, total } = limitOf(resource, parameters, ledger);
  const standsFor = BigInt(Math.trunc(usage * Number(SUN_PER_COIN) * (weight / total))) - account.borrowed[resource];
  return account.stake[resource] - (standsFor > 0n ? standsFor : 0n);
}

interface Limit {
  readonly total: number;
  readonly weight: number;
}

function limitOf(resource: Resource, parameters: ChainParameters, ledger: Ledger): Limit {
  const { getTotalNetLimit, getTotalEnergyCurrentLimit } = parameters;
  const total = resource === "bandwidth" ? getTotalNetLimit : getTotalEnergyCurrentLimit;
  return { total, weight: Number(ledger.totals.weight[resource]) };
}

function movedUsage(receiver: Account, { resource, amount }: Change, usage: bigint, { total, weight }: Limit): bigint {
  const most = Math.trunc((Number(amount) / Number(SUN_PER_COIN)) * (total / weight));
  const part = Math.trunc(Number(usage) * (Number(amount) / Number(effectiveStake(receiver, resource))));
  return BigInt(Math.min(most, part));
}

/** Returns the remaining delegations. */
function repaid({ owner, to, resource, amount }: TakingBack, now: number): readonly Loan[] {
  return owner.loans.flatMap((it) => {
    if (it.to !== to) return [it];
    const loan = unlocked(it, now);
    const left = { ...loan, free: { ...loan.free, [resource]: loan.free[resource] - amount } };
    return isEmpty(left) ? [] : [left];
  });
}

function newLoan(to: Address): Loan {
  return { to, free: { bandwidth: 0n, energy: 0n }, locked: { bandwidth: NOTHING_LOCKED, energy: NOTHING_LOCKED } };
}

/** Returns a delegation whose expired lock is released. */
function unlocked(loan: Loan, now: number): Loan {
  return unlockedOf(unlockedOf(loan, "bandwidth", now), "energy", now);
}

function unlockedOf(loan: Loan, resource: Resource, now: number): Loan {
  const { amount, until } = loan.locked[resource];
  if (until >= now) return loan;
  return {
    ...loan,
    free: { ...loan.free, [resource]: loan.free[resource] + amount },
    locked: { ...loan.locked, [resource]: NOTHING_LOCKED },
  };
}

function isEmpty({ free, locked }: Loan): boolean {
  return free.bandwidth + free.energy + locked.bandwidth.amount + locked.energy.amount === 0n;
}

/** Returns the estimated size of a delegation of the whole stake with the longest lock. */
function estimatedSize(stake: bigint, { getMaxDelegateLockPeriod: period }: ChainParameters): number {
  const field = (value: bigint): number => (value === 0n ? 0 : 1 + varintSize(value));
  const lock = FLAG_SIZE + (period > DEFAULT_LOCK_PERIOD ? field(BigInt(period)) : 0);
  return BASE_SIZE + Math.max(0, lock + field(stake) - field(SUN_PER_COIN));
}

/** Three days in blocks. */
export const DEFAULT_LOCK_PERIOD = 86_400;

function varintSize(value: bigint): number {
  return Math.ceil(value.toString(2).length / 7);
}
