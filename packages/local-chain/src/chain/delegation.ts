import type { Address } from "@finality/tron/primitives";
import type { Account } from "./account.ts";
import type { Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import type { Payment } from "./resources.ts";
import {
  addStakeUsage,
  type Delegation,
  type Locked,
  type Resource,
  SUN_PER_COIN,
  stakeUsageAt,
  takeOverUsage,
  type WindowedUsage,
} from "./stake.ts";
import { effectiveStake } from "./staking.ts";

/** A transfer of delegated resources. */
interface DelegationChange {
  readonly owner: Account;
  readonly resource: Resource;
  /** Sun. */
  readonly amount: bigint;
}

export interface DelegationRequest extends DelegationChange {
  readonly receiver: Account;
}

export interface UndelegationRequest extends DelegationChange {
  /** Receiver, whose account may no longer exist. */
  readonly to: Address;
}

const NOTHING_LOCKED: Locked = { amount: 0n, until: 0 };
/** Size of a delegation of one coin without a lock, as the node estimates it (TransactionUtil). */
const BASE_SIZE = 275;
/** Size of a field `lock` with value true. */
const FLAG_SIZE = 2;

export function delegationTo({ delegations }: Account, to: Address): Delegation | undefined {
  return delegations.find((it) => it.to === to);
}

/** Delegates a part of a stake. @param until - chain time in ms before which it cannot be taken back */
export function delegate(
  ledger: Ledger,
  { owner, receiver, resource, amount }: DelegationRequest,
  now: number,
  until?: number,
): void {
  const before = withoutExpiredLock(delegationTo(owner, receiver.address) ?? newDelegation(receiver.address), now);
  const locked = { amount: before.locked[resource].amount + amount, until: until ?? 0 };
  const delegation: Delegation =
    until === undefined
      ? { ...before, free: { ...before.free, [resource]: before.free[resource] + amount } }
      : { ...before, locked: { ...before.locked, [resource]: locked } };
  ledger.put({
    ...owner,
    stake: { ...owner.stake, [resource]: owner.stake[resource] - amount },
    lent: { ...owner.lent, [resource]: owner.lent[resource] + amount },
    delegations: [...owner.delegations.filter(({ to }) => to !== delegation.to), delegation],
  });
  ledger.put({
    ...receiver,
    borrowed: { ...receiver.borrowed, [resource]: receiver.borrowed[resource] + amount },
    lenders: [...receiver.lenders.filter((it) => it !== owner.address), owner.address],
  });
}

/** Returns the sun that an account can undelegate now. */
export function undelegatable({ free, locked }: Delegation, resource: Resource, now: number): bigint {
  const { amount, until } = locked[resource];
  return free[resource] + (until < now ? amount : 0n);
}

/** Undelegates resources, and takes over the matching part of the receiver's usage (UnDelegateResourceActuator). */
export function undelegate(payment: Payment, taking: UndelegationRequest): void {
  const { owner, resource, amount } = taking;
  const { ledger, now } = payment;
  const slot = ledger.slotAt(now);
  const moved = reduceReceiver(payment, taking);
  const delegations = remainingDelegations(taking, now);
  const used = moved && moved.amount > 0n ? takeOverUsage(owner.used[resource], moved.amount, moved, slot) : undefined;
  ledger.put({
    ...owner,
    stake: { ...owner.stake, [resource]: owner.stake[resource] + amount },
    lent: { ...owner.lent, [resource]: owner.lent[resource] - amount },
    delegations: delegations,
    ...(used && { used: { ...owner.used, [resource]: used } }),
  });
}

/** Reduces the receiver's resources. @returns the usage that moves back to the owner */
function reduceReceiver({ ledger, parameters, now }: Payment, taking: UndelegationRequest): WindowedUsage | undefined {
  const { owner, to, resource, amount } = taking;
  const receiver = ledger.account(to);
  if (receiver === undefined) return undefined;
  const usage = addStakeUsage(receiver.used[resource], 0n, ledger.slotAt(now));
  // A contract that replaced an account at its address has no delegated resources.
  const borrows = receiver.borrowed[resource] >= amount;
  const moved = borrows ? movedUsage(receiver, taking, usage.amount, limitOf(resource, parameters, ledger)) : 0n;
  const over = remainingDelegations(taking, now).every((it) => it.to !== to);
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
export function delegatable(
  { ledger, parameters, now }: Payment,
  account: Account,
  resource: Resource,
  building: boolean,
): bigint {
  const own = building && resource === "bandwidth" ? estimatedSize(account.stake.bandwidth, parameters) : 0;
  const usage = Number(stakeUsageAt(account.used[resource], ledger.slotAt(now))) + own;
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

function movedUsage(
  receiver: Account,
  { resource, amount }: DelegationChange,
  usage: bigint,
  { total, weight }: Limit,
): bigint {
  const most = Math.trunc((Number(amount) / Number(SUN_PER_COIN)) * (total / weight));
  const part = Math.trunc(Number(usage) * (Number(amount) / Number(effectiveStake(receiver, resource))));
  return BigInt(Math.min(most, part));
}

/** Returns the remaining delegations. */
function remainingDelegations(
  { owner, to, resource, amount }: UndelegationRequest,
  now: number,
): readonly Delegation[] {
  return owner.delegations.flatMap((it) => {
    if (it.to !== to) return [it];
    const delegation = withoutExpiredLock(it, now);
    const left = { ...delegation, free: { ...delegation.free, [resource]: delegation.free[resource] - amount } };
    return isEmpty(left) ? [] : [left];
  });
}

function newDelegation(to: Address): Delegation {
  return { to, free: { bandwidth: 0n, energy: 0n }, locked: { bandwidth: NOTHING_LOCKED, energy: NOTHING_LOCKED } };
}

/** Returns a delegation whose expired lock is released. */
function withoutExpiredLock(delegation: Delegation, now: number): Delegation {
  return unlockedOf(unlockedOf(delegation, "bandwidth", now), "energy", now);
}

function unlockedOf(delegation: Delegation, resource: Resource, now: number): Delegation {
  const { amount, until } = delegation.locked[resource];
  if (until >= now) return delegation;
  return {
    ...delegation,
    free: { ...delegation.free, [resource]: delegation.free[resource] + amount },
    locked: { ...delegation.locked, [resource]: NOTHING_LOCKED },
  };
}

function isEmpty({ free, locked }: Delegation): boolean {
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
