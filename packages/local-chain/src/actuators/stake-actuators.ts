import { bytesToHex } from "@finality/tron/primitives";
import type {
  CancelAllUnfreezeV2Contract,
  FreezeBalanceV2Contract,
  UnfreezeBalanceV2Contract,
  WithdrawExpireUnfreezeContract,
} from "@finality/tron/schema";
import type { Account } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { invalidContract } from "../chain/refusal.ts";
import { dueTime, MAX_UNSTAKING, PURPOSES, type StakePurpose, SUN_PER_COIN } from "../chain/stake.ts";
import { cancelUnstaking, splitUnstaking, stakeCoins, unstakeCoins, withdrawDue } from "../chain/staking.ts";
import { validAddress } from "../chain/transaction.ts";

/** Stakes coins for bandwidth, energy or votes (FreezeBalanceV2Actuator). */
export const freezeBalance: Actuator = {
  validate(execution) {
    requireStaking(execution, "FreezeV2");
    const { ownerAddress, frozenBalance } = freezeMessage(execution);
    const account = ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
    checkFrozenBalance(frozenBalance, account.balance);
    freezePurpose(execution);
  },

  execute(execution) {
    const { ownerAddress, frozenBalance } = freezeMessage(execution);
    const account = ownAccount(execution, ownerAddress, "Invalid address");
    stakeCoins(execution.ledger, account, freezePurpose(execution), frozenBalance);
    return { result: "SUCCESS", fee: 0n };
  },
};

/**
 * The checks of an amount that is to be staked. The closed first version of staking has them too.
 *
 * @throws {Refusal}
 */
export function checkFrozenBalance(amount: bigint, balance: bigint): void {
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

/** What is said of a stake that is not there, in both versions of staking. */
export const NOTHING_STAKED = {
  bandwidth: "no frozenBalance(BANDWIDTH)",
  energy: "no frozenBalance(Energy)",
  tronPower: "no frozenBalance(TronPower)",
};

/** Starts to take back a stake, and takes what is due by now (UnfreezeBalanceV2Actuator). */
export const unfreezeBalance: Actuator = {
  validate(execution) {
    requireStaking(execution, "UnfreezeV2");
    const { ownerAddress, unfreezeBalance: amount } = unfreezeMessage(execution);
    const account = ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] does not exist`);
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
    const account = ownAccount(execution, ownerAddress, "Invalid address");
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

/** Takes what is due of a stake that was taken back (WithdrawExpireUnfreezeActuator). */
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
  return ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
}

/** Stakes again what is on its way back, and takes what is due (CancelAllUnfreezeV2Actuator). */
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
  return ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
}

/** @throws {Refusal} staking of the second version is switched off: without a delay for taking back there is none */
function requireStaking({ parameters }: Execution, name: string): void {
  if (parameters.getUnfreezeDelayDays > 0) return;
  throw invalidContract(`Not support ${name} transaction, need to be opened by the committee`);
}

/**
 * The account that a contract acts for.
 *
 * @param unknown - what is said when the chain does not know it
 * @throws {Refusal}
 */
export function ownAccount({ ledger }: Execution, ownerAddress: Uint8Array, unknown: string): Account {
  const owner = validAddress(ownerAddress);
  if (owner === undefined) throw invalidContract("Invalid address");
  const account = ledger.account(owner);
  if (account === undefined) throw invalidContract(unknown);
  return account;
}
