import { bytesToHex, equalBytes } from "@finality/tron/primitives";
import type { FreezeBalanceContract, UnfreezeBalanceContract } from "@finality/tron/schema";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { invalidContract } from "../chain/refusal.ts";
import { PURPOSES } from "../chain/stake.ts";
import { validAddress } from "../chain/transaction.ts";
import { checkFrozenBalance, NOTHING_STAKED, ownAccount } from "./stake-actuators.ts";

/** Days: the only time that coins could be staked for. */
const DURATION = 3n;

/**
 * Staking of the first version. It has ended with the beginning of the second; what else is wrong is said first
 * (FreezeBalanceActuator).
 */
export const freezeOfFirstVersion: Actuator = {
  validate(execution) {
    const message = execution.contract.message as FreezeBalanceContract;
    const account = ownAccount(
      execution,
      message.ownerAddress,
      `Account[${bytesToHex(message.ownerAddress)}] not exists`,
    );
    checkFrozenBalance(message.frozenBalance, account.balance);
    if (message.frozenDuration !== DURATION) {
      throw invalidContract(`frozenDuration must be less than ${DURATION} days and more than ${DURATION} days`);
    }
    checkPurpose(execution, message);
    if (lendsToOther(execution, message)) checkReceiver(execution, message);
    throw invalidContract("freeze v2 is open, old freeze is closed");
  },

  execute: ended,
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

type Lending = Pick<FreezeBalanceContract, "ownerAddress" | "receiverAddress">;

function lendsToOther({ parameters }: Execution, { receiverAddress }: Lending): boolean {
  return receiverAddress.length > 0 && parameters.getAllowDelegateResource === 1;
}

function checkReceiver({ ledger, parameters }: Execution, lending: Lending): void {
  checkReceiverAddress(lending);
  const address = validAddress(lending.receiverAddress);
  const receiver = address && ledger.account(address);
  if (receiver === undefined) {
    throw invalidContract(`Account[${bytesToHex(lending.receiverAddress)}] not exists`);
  }
  if (parameters.getAllowTvmConstantinople === 1 && receiver.kind === "Contract") {
    throw invalidContract("Do not allow delegate resources to contract addresses");
  }
}

function checkReceiverAddress({ ownerAddress, receiverAddress }: Lending): void {
  if (equalBytes(ownerAddress, receiverAddress)) {
    throw invalidContract("receiverAddress must not be the same as ownerAddress");
  }
  if (validAddress(receiverAddress) === undefined) throw invalidContract("Invalid receiverAddress");
}

/** Takes back a stake of the first version: nobody has any (UnfreezeBalanceActuator). */
export const unfreezeOfFirstVersion: Actuator = {
  validate(execution) {
    const message = execution.contract.message as UnfreezeBalanceContract;
    ownAccount(execution, message.ownerAddress, `Account[${bytesToHex(message.ownerAddress)}] does not exist`);
    if (lendsToOther(execution, message)) {
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

  execute: ended,
};

/** No transaction gets here. */
function ended(): never {
  throw invalidContract("freeze v2 is open, old freeze is closed");
}
