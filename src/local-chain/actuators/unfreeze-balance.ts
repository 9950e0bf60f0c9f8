import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { UnfreezeBalanceV2Contract } from "../../core/transaction/gen/transaction_pb.js";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { invalidContract } from "../chain/refusal.ts";
import { dueTime, MAX_UNSTAKING, PURPOSES, type StakePurpose } from "../chain/stake.ts";
import { splitUnstaking, unstakeCoins } from "../chain/staking.ts";
import { ownAccount, requireStaking } from "./stake-owner.ts";

const NOTHING_STAKED = {
  bandwidth: "no frozenBalance(BANDWIDTH)",
  energy: "no frozenBalance(Energy)",
  tronPower: "no frozenBalance(TronPower)",
};

/** Starts to take back a stake, and takes what is due by now (UnfreezeBalanceV2Actuator). */
export const unfreezeBalance: Actuator = {
  validate(execution) {
    requireStaking(execution, "UnfreezeV2");
    const { ownerAddress, unfreezeBalance: amount } = messageOf(execution);
    const account = ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] does not exist`);
    const purpose = purposeOf(execution);
    const staked = account.stake[purpose];
    if (staked === 0n) throw invalidContract(NOTHING_STAKED[purpose]);
    if (amount <= 0n || amount > staked) throw invalidContract(`Invalid unfreeze_balance, [${amount}] is error`);
    if (splitUnstaking(account, execution.now).waiting.length >= MAX_UNSTAKING) {
      throw invalidContract("Invalid unfreeze operation, unfreezing times is over limit");
    }
  },

  execute(execution) {
    const { ledger, parameters, now } = execution;
    const { ownerAddress, unfreezeBalance: amount } = messageOf(execution);
    const account = ownAccount(execution, ownerAddress, "Invalid address");
    const part = { purpose: purposeOf(execution), amount, due: dueTime(now, parameters) };
    const withdrawn = unstakeCoins(ledger, account, part, now);
    return { result: "SUCCESS", fee: 0n, stake: { withdrawn } };
  },
};

function messageOf({ contract }: Execution): UnfreezeBalanceV2Contract {
  return contract.message as UnfreezeBalanceV2Contract;
}

function purposeOf(execution: Execution): StakePurpose {
  const votes = execution.parameters.getAllowNewResourceModel === 1;
  const purpose = PURPOSES[messageOf(execution).resource];
  if (purpose !== undefined && (purpose !== "tronPower" || votes)) return purpose;
  throw invalidContract(`ResourceCode error.valid ResourceCode[BANDWIDTH、Energy${votes ? "、TRON_POWER" : ""}]`);
}
