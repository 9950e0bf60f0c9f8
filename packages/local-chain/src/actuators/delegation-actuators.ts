import { type Address, BLOCK_INTERVAL_MS, bytesToHex } from "@finality/tron/primitives";
import type { DelegateResourceContract, UnDelegateResourceContract } from "@finality/tron/schema";
import type { Account } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { DEFAULT_LOCK_PERIOD, lend, lendable, loanTo, returnable, takeBack } from "../chain/lending.ts";
import { invalidContract } from "../chain/refusal.ts";
import { PURPOSE_NAMES, type Resource, SUN_PER_COIN } from "../chain/stake.ts";
import { validAddress } from "../chain/transaction.ts";
import { ownAccount } from "./stake-actuators.ts";

/** Lends a part of a stake to another account (DelegateResourceActuator). */
export const delegateResource: Actuator = {
  validate(execution) {
    checkSwitches(execution);
    const { ownerAddress } = delegateMessage(execution);
    const owner = ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
    const resource = checkBalance(execution, owner);
    const { receiverAddress, lock } = delegateMessage(execution);
    const receiver = execution.ledger.account(receiverOf(receiverAddress, owner));
    if (receiver === undefined) throw invalidContract(`Account[${bytesToHex(receiverAddress)}] not exists`);
    if (lock && longLocks(execution)) checkLock(execution, { owner, receiver, resource });
    if (receiver.kind === "Contract") {
      throw invalidContract("Do not allow delegate resources to contract addresses");
    }
  },

  execute(execution) {
    const { ledger, now } = execution;
    const { ownerAddress, receiverAddress, balance: amount, lock } = delegateMessage(execution);
    const owner = ownAccount(execution, ownerAddress, "Invalid address");
    const receiver = execution.ledger.account(receiverOf(receiverAddress, owner));
    if (receiver === undefined) throw invalidContract("Invalid receiverAddress");
    const until = lock ? now + lockPeriod(execution) * BLOCK_INTERVAL_MS : undefined;
    lend(ledger, { owner, receiver, resource: delegatedResource(execution), amount }, now, until);
    return { result: "SUCCESS", fee: 0n };
  },
};

function delegateMessage({ contract }: Execution): DelegateResourceContract {
  return contract.message as DelegateResourceContract;
}

function checkSwitches({ parameters }: Execution): void {
  if (parameters.getAllowDelegateResource !== 1) throw invalidContract("No support for resource delegate");
  if (parameters.getUnfreezeDelayDays === 0) {
    throw invalidContract("Not support Delegate resource transaction, need to be opened by the committee");
  }
}

function checkBalance(execution: Execution, owner: Account): Resource {
  const { balance } = delegateMessage(execution);
  if (balance < SUN_PER_COIN) throw invalidContract("delegateBalance must be greater than or equal to 1 TRX");
  const resource = delegatedResource(execution);
  if (lendable(execution, owner, resource, execution.transaction === undefined) < balance) {
    const name = resource === "bandwidth" ? "FreezeBandwidthV2" : "FreezeEnergyV2";
    throw invalidContract(`delegateBalance must be less than or equal to available ${name} balance`);
  }
  return resource;
}

function delegatedResource(execution: Execution): Resource {
  const { resource } = delegateMessage(execution);
  if (resource === 0) return "bandwidth";
  if (resource === 1) return "energy";
  throw invalidContract("ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]");
}

interface Parties {
  readonly owner: Account;
  readonly receiver: Account;
  readonly resource: Resource;
}

/** A later lock must not end before an earlier one. */
function checkLock(execution: Execution, { owner, receiver, resource }: Parties): void {
  const { getMaxDelegateLockPeriod: max } = execution.parameters;
  const blocks = delegateMessage(execution).lockPeriod;
  if (blocks < 0n || blocks > BigInt(max)) {
    throw invalidContract(`The lock period of delegate resource cannot be less than 0 and cannot exceed ${max}!`);
  }
  const last = loanTo(owner, receiver.address)?.locked[resource].until ?? 0;
  const remaining = last - execution.now;
  if (lockPeriod(execution) * BLOCK_INTERVAL_MS >= remaining) return;
  const name = PURPOSE_NAMES[resource === "bandwidth" ? 0 : 1];
  throw invalidContract(
    `The lock period for ${name} this time cannot be less than the remaining time[${remaining}ms] of the last lock period for ${name}!`,
  );
}

/** Blocks. */
function lockPeriod(execution: Execution): number {
  const blocks = Number(delegateMessage(execution).lockPeriod);
  return longLocks(execution) && blocks !== 0 ? blocks : DEFAULT_LOCK_PERIOD;
}

/** Whether the chain lets locks be longer than three days. */
function longLocks({ parameters }: Execution): boolean {
  return parameters.getMaxDelegateLockPeriod > DEFAULT_LOCK_PERIOD;
}

const INSUFFICIENT = {
  bandwidth: "insufficient delegatedFrozenBalance(BANDWIDTH)",
  energy: "insufficient delegateFrozenBalance(Energy)",
};

/** Takes lent resources back (UnDelegateResourceActuator). */
export const undelegateResource: Actuator = {
  validate(execution) {
    const { getAllowDelegateResource, getUnfreezeDelayDays } = execution.parameters;
    if (getAllowDelegateResource !== 1) throw invalidContract("No support for resource delegate");
    if (getUnfreezeDelayDays === 0) {
      throw invalidContract("Not support unDelegate resource transaction, need to be opened by the committee");
    }
    const { ownerAddress, receiverAddress, balance } = undelegateMessage(execution);
    const owner = ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] does not exist`);
    const loan = loanTo(owner, receiverOf(receiverAddress, owner));
    if (loan === undefined) throw invalidContract("delegated Resource does not exist");
    if (balance <= 0n) throw invalidContract("unDelegateBalance must be more than 0 TRX");
    const resource = undelegatedResource(execution);
    const available = returnable(loan, resource, execution.now);
    if (available < balance) {
      throw invalidContract(`${INSUFFICIENT[resource]}, request=${balance}, unlock_balance=${available}`);
    }
  },

  execute(execution) {
    const { ownerAddress, receiverAddress, balance: amount } = undelegateMessage(execution);
    const owner = ownAccount(execution, ownerAddress, "Invalid address");
    const to = receiverOf(receiverAddress, owner);
    takeBack(execution, { owner, to, resource: undelegatedResource(execution), amount });
    return { result: "SUCCESS", fee: 0n };
  },
};

function undelegateMessage({ contract }: Execution): UnDelegateResourceContract {
  return contract.message as UnDelegateResourceContract;
}

function undelegatedResource(execution: Execution): Resource {
  const { resource } = undelegateMessage(execution);
  if (resource === 0) return "bandwidth";
  if (resource === 1) return "energy";
  throw invalidContract("ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]");
}

/**
 * The address of the other side of a delegation.
 *
 * @throws {Refusal} no address, or that of the owner
 */
function receiverOf(address: Uint8Array, owner: Account): Address {
  const receiver = validAddress(address);
  if (receiver === undefined) throw invalidContract("Invalid receiverAddress");
  if (receiver === owner.address) throw invalidContract("receiverAddress must not be the same as ownerAddress");
  return receiver;
}
