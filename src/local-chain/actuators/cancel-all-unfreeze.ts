import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { CancelAllUnfreezeV2Contract } from "../../core/transaction/gen/transaction_pb.js";
import type { Account } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { invalidContract } from "../chain/refusal.ts";
import { cancelUnstaking } from "../chain/staking.ts";
import { ownAccount } from "./stake-owner.ts";

/** Stakes again what is on its way back, and takes what is due (CancelAllUnfreezeV2Actuator). */
export const cancelAllUnfreeze: Actuator = {
  validate(execution) {
    const { getUnfreezeDelayDays, getAllowCancelAllUnfreezeV2 } = execution.parameters;
    if (getUnfreezeDelayDays === 0 || getAllowCancelAllUnfreezeV2 !== 1) {
      throw invalidContract("Not support CancelAllUnfreezeV2 transaction, need to be opened by the committee");
    }
    if (accountOf(execution).unstaking.length === 0) throw invalidContract("No unfreezeV2 list to cancel");
  },

  execute(execution) {
    const stake = cancelUnstaking(execution.ledger, accountOf(execution), execution.now);
    return { result: "SUCCESS", fee: 0n, stake };
  },
};

function accountOf(execution: Execution): Account {
  const { ownerAddress } = execution.contract.message as CancelAllUnfreezeV2Contract;
  return ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
}
