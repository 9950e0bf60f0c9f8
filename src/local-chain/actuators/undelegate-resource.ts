import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { UnDelegateResourceContract } from "../../core/transaction/gen/transaction_pb.js";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { loanTo, returnable, takeBack } from "../chain/lending.ts";
import { invalidContract } from "../chain/refusal.ts";
import type { Resource } from "../chain/stake.ts";
import { receiverOf } from "./delegation.ts";
import { ownAccount } from "./stake-owner.ts";

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
    const { ownerAddress, receiverAddress, balance } = messageOf(execution);
    const owner = ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] does not exist`);
    const loan = loanTo(owner, receiverOf(receiverAddress, owner));
    if (loan === undefined) throw invalidContract("delegated Resource does not exist");
    if (balance <= 0n) throw invalidContract("unDelegateBalance must be more than 0 TRX");
    const resource = resourceOf(execution);
    const available = returnable(loan, resource, execution.now);
    if (available < balance) {
      throw invalidContract(`${INSUFFICIENT[resource]}, request=${balance}, unlock_balance=${available}`);
    }
  },

  execute(execution) {
    const { ownerAddress, receiverAddress, balance: amount } = messageOf(execution);
    const owner = ownAccount(execution, ownerAddress, "Invalid address");
    const to = receiverOf(receiverAddress, owner);
    takeBack(execution, { owner, to, resource: resourceOf(execution), amount });
    return { result: "SUCCESS", fee: 0n };
  },
};

function messageOf({ contract }: Execution): UnDelegateResourceContract {
  return contract.message as UnDelegateResourceContract;
}

function resourceOf(execution: Execution): Resource {
  const { resource } = messageOf(execution);
  if (resource === 0) return "bandwidth";
  if (resource === 1) return "energy";
  throw invalidContract("ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]");
}
