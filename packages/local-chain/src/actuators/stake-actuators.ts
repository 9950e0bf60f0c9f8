import { type Address, BLOCK_INTERVAL_MS, bytesToHex, equalBytes } from "@finality/tron/primitives";
import type {
  CancelAllUnfreezeV2Contract,
  DelegateResourceContract,
  FreezeBalanceContract,
  FreezeBalanceV2Contract,
  UnDelegateResourceContract,
  UnfreezeBalanceContract,
  UnfreezeBalanceV2Contract,
  WithdrawExpireUnfreezeContract,
} from "@finality/tron/schema";
import type { Account } from "../chain/account.ts";
import {
  DEFAULT_LOCK_PERIOD,
  delegatable,
  delegate,
  delegationTo,
  undelegatable,
  undelegate,
} from "../chain/delegation.ts";
import type { Actuator, Execution } from "../chain/execution.ts";
import { invalidContract } from "../chain/refusal.ts";
import {
  dueTime,
  MAX_UNSTAKING,
  PURPOSE_NAMES,
  PURPOSES,
  type Resource,
  type StakePurpose,
  SUN_PER_COIN,
} from "../chain/stake.ts";
import { cancelUnstaking, splitUnstaking, stakeCoins, unstakeCoins, withdrawDue } from "../chain/staking.ts";
import { validAddress } from "../chain/transaction.ts";

/** Stakes coins for bandwidth, energy or votes (FreezeBalanceV2Actuator). */
export const freezeBalance: Actuator = {
  validate(execution) {
    requireStaking(execution, "FreezeV2");
    const { ownerAddress, frozenBalance } = freezeMessage(execution);
    const account = ownerAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
    checkFrozenBalance(frozenBalance, account.balance);
    freezePurpose(execution);
  },

  execute(execution) {
    const { ownerAddress, frozenBalance } = freezeMessage(execution);
    const account = ownerAccount(execution, ownerAddress, "Invalid address");
    stakeCoins(execution.ledger, account, freezePurpose(execution), frozenBalance);
    return { result: "SUCCESS", fee: 0n };
  },
};

/** Checks an amount to stake. The closed Stake 1.0 makes the same checks. @throws {Refusal} */
function checkFrozenBalance(amount: bigint, balance: bigint): void {
  if (amount <= 0n) throw invalidContract("frozenBalance must be positive");
  if (amount < SUN_PER_COIN) throw invalidContract("frozenBalance must be greater than or equal to 1 TRX");
  if (amount > balance) throw invalidContract("frozenBalance must be less than or equal to accountBalance");
}

function freezeMessage({ contract }: Execution): FreezeBalanceV2Contract {
  return contract.message as FreezeBalanceV2Contract;
}

function freezePurpose(execution: Execution): StakePurpose {
  const votes = execution.parameters.getAllowNewResourceModel === 1;
  const purpose = PURPOSES[freezeMessage(execution).resource];
  if (purpose !== undefined && (purpose !== "tronPower" || votes)) return purpose;
  throw invalidContract(`ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY${votes ? "、TRON_POWER" : ""}]`);
}

/** Messages for a missing stake, in both versions of staking. */
const NOTHING_STAKED = {
  bandwidth: "no frozenBalance(BANDWIDTH)",
  energy: "no frozenBalance(Energy)",
  tronPower: "no frozenBalance(TronPower)",
};

/** Starts to unstake, and withdraws amounts that are due (UnfreezeBalanceV2Actuator). */
export const unfreezeBalance: Actuator = {
  validate(execution) {
    requireStaking(execution, "UnfreezeV2");
    const { ownerAddress, unfreezeBalance: amount } = unfreezeMessage(execution);
    const account = ownerAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] does not exist`);
    const purpose = unfreezePurpose(execution);
    const staked = account.stake[purpose];
    if (staked === 0n) throw invalidContract(NOTHING_STAKED[purpose]);
    if (amount <= 0n || amount > staked) throw invalidContract(`Invalid unfreeze_balance, [${amount}] is error`);
    if (splitUnstaking(account, execution.now).waiting.length >= MAX_UNSTAKING) {
      throw invalidContract("Invalid unfreeze operation, unfreezing times is over limit");
    }
  },

  execute(execution) {
    const { ledger, parameters, now } = execution;
    const { ownerAddress, unfreezeBalance: amount } = unfreezeMessage(execution);
    const account = ownerAccount(execution, ownerAddress, "Invalid address");
    const part = { purpose: unfreezePurpose(execution), amount, due: dueTime(now, parameters) };
    const withdrawn = unstakeCoins(ledger, account, part, now);
    return { result: "SUCCESS", fee: 0n, stake: { withdrawn } };
  },
};

function unfreezeMessage({ contract }: Execution): UnfreezeBalanceV2Contract {
  return contract.message as UnfreezeBalanceV2Contract;
}

function unfreezePurpose(execution: Execution): StakePurpose {
  const votes = execution.parameters.getAllowNewResourceModel === 1;
  const purpose = PURPOSES[unfreezeMessage(execution).resource];
  if (purpose !== undefined && (purpose !== "tronPower" || votes)) return purpose;
  throw invalidContract(`ResourceCode error.valid ResourceCode[BANDWIDTH、Energy${votes ? "、TRON_POWER" : ""}]`);
}

/** Withdraws unstaked amounts that are due (WithdrawExpireUnfreezeActuator). */
export const withdrawExpireUnfreeze: Actuator = {
  validate(execution) {
    requireStaking(execution, "WithdrawExpireUnfreeze");
    const { due } = splitUnstaking(withdrawingAccount(execution), execution.now);
    if (due <= 0n) throw invalidContract("no unFreeze balance to withdraw ");
  },

  execute(execution) {
    const withdrawn = withdrawDue(execution.ledger, withdrawingAccount(execution), execution.now);
    return { result: "SUCCESS", fee: 0n, stake: { withdrawn } };
  },
};

function withdrawingAccount(execution: Execution): Account {
  const { ownerAddress } = execution.contract.message as WithdrawExpireUnfreezeContract;
  return ownerAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
}

/** Cancels all pending unstaking, and withdraws amounts that are due (CancelAllUnfreezeV2Actuator). */
export const cancelAllUnfreeze: Actuator = {
  validate(execution) {
    const { getUnfreezeDelayDays, getAllowCancelAllUnfreezeV2 } = execution.parameters;
    if (getUnfreezeDelayDays === 0 || getAllowCancelAllUnfreezeV2 !== 1) {
      throw invalidContract("Not support CancelAllUnfreezeV2 transaction, need to be opened by the committee");
    }
    if (cancellingAccount(execution).unstaking.length === 0) throw invalidContract("No unfreezeV2 list to cancel");
  },

  execute(execution) {
    const stake = cancelUnstaking(execution.ledger, cancellingAccount(execution), execution.now);
    return { result: "SUCCESS", fee: 0n, stake };
  },
};

function cancellingAccount(execution: Execution): Account {
  const { ownerAddress } = execution.contract.message as CancelAllUnfreezeV2Contract;
  return ownerAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
}

/** @throws {Refusal} staking of the second version is switched off: without a delay for taking back there is none */
function requireStaking({ parameters }: Execution, name: string): void {
  if (parameters.getUnfreezeDelayDays > 0) return;
  throw invalidContract(`Not support ${name} transaction, need to be opened by the committee`);
}

/**
 * Returns the owner account of a contract.
 *
 * @param unknown - what is said when the chain does not know it
 * @throws {Refusal}
 */
export function ownerAccount({ ledger }: Execution, ownerAddress: Uint8Array, unknown: string): Account {
  const owner = validAddress(ownerAddress);
  if (owner === undefined) throw invalidContract("Invalid address");
  const account = ledger.account(owner);
  if (account === undefined) throw invalidContract(unknown);
  return account;
}

/** In days: the only duration that the node accepts. */
const DURATION = 3n;

/**
 * Stake 1.0, which is closed since Stake 2.0. Other errors are reported first, as on the node (FreezeBalanceActuator).
 */
export const freezeBalanceV1: Actuator = {
  validate(execution) {
    const message = execution.contract.message as FreezeBalanceContract;
    const account = ownerAccount(
      execution,
      message.ownerAddress,
      `Account[${bytesToHex(message.ownerAddress)}] not exists`,
    );
    checkFrozenBalance(message.frozenBalance, account.balance);
    if (message.frozenDuration !== DURATION) {
      throw invalidContract(`frozenDuration must be less than ${DURATION} days and more than ${DURATION} days`);
    }
    checkPurpose(execution, message);
    if (delegatesToOther(execution, message)) checkReceiver(execution, message);
    throw invalidContract("freeze v2 is open, old freeze is closed");
  },

  execute: stakingV1Closed,
};

function checkPurpose({ parameters }: Execution, { resource, receiverAddress }: FreezeBalanceContract): void {
  const votes = parameters.getAllowNewResourceModel === 1;
  const purpose = PURPOSES[resource];
  if (purpose === undefined || (purpose === "tronPower" && !votes)) {
    throw invalidContract(`ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY${votes ? "、TRON_POWER" : ""}]`);
  }
  if (purpose === "tronPower" && receiverAddress.length > 0) {
    throw invalidContract("TRON_POWER is not allowed to delegate to other accounts.");
  }
}

type FirstStakeDelegation = Pick<FreezeBalanceContract, "ownerAddress" | "receiverAddress">;

function delegatesToOther({ parameters }: Execution, { receiverAddress }: FirstStakeDelegation): boolean {
  return receiverAddress.length > 0 && parameters.getAllowDelegateResource === 1;
}

function checkReceiver({ ledger, parameters }: Execution, delegation: FirstStakeDelegation): void {
  checkReceiverAddress(delegation);
  const address = validAddress(delegation.receiverAddress);
  const receiver = address && ledger.account(address);
  if (receiver === undefined) {
    throw invalidContract(`Account[${bytesToHex(delegation.receiverAddress)}] not exists`);
  }
  if (parameters.getAllowTvmConstantinople === 1 && receiver.kind === "Contract") {
    throw invalidContract("Do not allow delegate resources to contract addresses");
  }
}

function checkReceiverAddress({ ownerAddress, receiverAddress }: FirstStakeDelegation): void {
  if (equalBytes(ownerAddress, receiverAddress)) {
    throw invalidContract("receiverAddress must not be the same as ownerAddress");
  }
  if (validAddress(receiverAddress) === undefined) throw invalidContract("Invalid receiverAddress");
}

/** Unfreezes a stake of Stake 1.0; no account has one (UnfreezeBalanceActuator). */
export const unfreezeBalanceV1: Actuator = {
  validate(execution) {
    const message = execution.contract.message as UnfreezeBalanceContract;
    ownerAccount(execution, message.ownerAddress, `Account[${bytesToHex(message.ownerAddress)}] does not exist`);
    if (delegatesToOther(execution, message)) {
      checkReceiverAddress(message);
      throw invalidContract("delegated Resource does not exist");
    }
    const votes = execution.parameters.getAllowNewResourceModel === 1;
    const purpose = PURPOSES[message.resource];
    if (purpose === undefined || (purpose === "tronPower" && !votes)) {
      throw invalidContract(`ResourceCode error.valid ResourceCode[BANDWIDTH、Energy${votes ? "、TRON_POWER" : ""}]`);
    }
    throw invalidContract(NOTHING_STAKED[purpose]);
  },

  execute: stakingV1Closed,
};

/** Unreachable: validation refuses every transaction. */
function stakingV1Closed(): never {
  throw invalidContract("freeze v2 is open, old freeze is closed");
}

/** Delegates resources to another account (DelegateResourceActuator). */
export const delegateResource: Actuator = {
  validate(execution) {
    checkSwitches(execution);
    const { ownerAddress } = delegateMessage(execution);
    const owner = ownerAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
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
    const owner = ownerAccount(execution, ownerAddress, "Invalid address");
    const receiver = execution.ledger.account(receiverOf(receiverAddress, owner));
    if (receiver === undefined) throw invalidContract("Invalid receiverAddress");
    const until = lock ? now + lockPeriod(execution) * BLOCK_INTERVAL_MS : undefined;
    delegate(ledger, { owner, receiver, resource: delegatedResource(execution), amount }, now, until);
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
  if (delegatable(execution, owner, resource, execution.transaction === undefined) < balance) {
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

/** Rejects a lock that would end before an earlier one. */
function checkLock(execution: Execution, { owner, receiver, resource }: Parties): void {
  const { getMaxDelegateLockPeriod: max } = execution.parameters;
  const blocks = delegateMessage(execution).lockPeriod;
  if (blocks < 0n || blocks > BigInt(max)) {
    throw invalidContract(`The lock period of delegate resource cannot be less than 0 and cannot exceed ${max}!`);
  }
  const last = delegationTo(owner, receiver.address)?.locked[resource].until ?? 0;
  const remaining = last - execution.now;
  if (lockPeriod(execution) * BLOCK_INTERVAL_MS >= remaining) return;
  const name = PURPOSE_NAMES[resource === "bandwidth" ? 0 : 1];
  throw invalidContract(
    `The lock period for ${name} this time cannot be less than the remaining time[${remaining}ms] of the last lock period for ${name}!`,
  );
}

/** In blocks. */
function lockPeriod(execution: Execution): number {
  const blocks = Number(delegateMessage(execution).lockPeriod);
  return longLocks(execution) && blocks !== 0 ? blocks : DEFAULT_LOCK_PERIOD;
}

/** Returns whether locks may be longer than three days. */
function longLocks({ parameters }: Execution): boolean {
  return parameters.getMaxDelegateLockPeriod > DEFAULT_LOCK_PERIOD;
}

const INSUFFICIENT = {
  bandwidth: "insufficient delegatedFrozenBalance(BANDWIDTH)",
  energy: "insufficient delegateFrozenBalance(Energy)",
};

/** Takes delegated resources back (UnDelegateResourceActuator). */
export const undelegateResource: Actuator = {
  validate(execution) {
    const { getAllowDelegateResource, getUnfreezeDelayDays } = execution.parameters;
    if (getAllowDelegateResource !== 1) throw invalidContract("No support for resource delegate");
    if (getUnfreezeDelayDays === 0) {
      throw invalidContract("Not support unDelegate resource transaction, need to be opened by the committee");
    }
    const { ownerAddress, receiverAddress, balance } = undelegateMessage(execution);
    const owner = ownerAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] does not exist`);
    const delegation = delegationTo(owner, receiverOf(receiverAddress, owner));
    if (delegation === undefined) throw invalidContract("delegated Resource does not exist");
    if (balance <= 0n) throw invalidContract("unDelegateBalance must be more than 0 TRX");
    const resource = undelegatedResource(execution);
    const available = undelegatable(delegation, resource, execution.now);
    if (available < balance) {
      throw invalidContract(`${INSUFFICIENT[resource]}, request=${balance}, unlock_balance=${available}`);
    }
  },

  execute(execution) {
    const { ownerAddress, receiverAddress, balance: amount } = undelegateMessage(execution);
    const owner = ownerAccount(execution, ownerAddress, "Invalid address");
    const to = receiverOf(receiverAddress, owner);
    undelegate(execution, { owner, to, resource: undelegatedResource(execution), amount });
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

/** Returns the address of the receiver of a delegation. @throws {Refusal} no address, or that of the owner */
function receiverOf(address: Uint8Array, owner: Account): Address {
  const receiver = validAddress(address);
  if (receiver === undefined) throw invalidContract("Invalid receiverAddress");
  if (receiver === owner.address) throw invalidContract("receiverAddress must not be the same as ownerAddress");
  return receiver;
}
