import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { WithdrawExpireUnfreezeContract } from "../../core/transaction/gen/transaction_pb.js";
import type { Account } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { invalidContract } from "../chain/refusal.ts";
import { splitUnstaking, withdrawDue } from "../chain/staking.ts";
import { ownAccount, requireStaking } from "./stake-owner.ts";

/** Takes what is due of a stake that was taken back (WithdrawExpireUnfreezeActuator). */
export const withdrawExpireUnfreeze: Actuator = {
  validate(execution) {
    requireStaking(execution, "WithdrawExpireUnfreeze");
    const { due } = splitUnstaking(accountOf(execution), execution.now);
    if (due <= 0n) throw invalidContract("no unFreeze balance to withdraw ");
  },

  execute(execution) {
    const withdrawn = withdrawDue(execution.ledger, accountOf(execution), execution.now);
    return { result: "SUCCESS", fee: 0n, stake: { withdrawn } };
  },
};

function accountOf(execution: Execution): Account {
  const { ownerAddress } = execution.contract.message as WithdrawExpireUnfreezeContract;
  return ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
}
