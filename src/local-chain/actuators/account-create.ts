import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { AccountCreateContract } from "../../core/transaction/gen/transaction_pb.js";
import { newAccount } from "../chain/account.ts";
import type { Actuator } from "../chain/actuator.ts";
import { burn } from "../chain/ledger.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

/** Creates an account without coins (CreateAccountActuator). */
export const accountCreate: Actuator = {
  validate({ ledger, contract, parameters }) {
    const { ownerAddress, accountAddress } = contract.message as AccountCreateContract;
    const owner = validAddress(ownerAddress);
    if (owner === undefined) throw invalidContract("Invalid ownerAddress");
    const payer = ledger.account(owner);
    if (payer === undefined) throw invalidContract(`Account[${bytesToHex(ownerAddress)}] not exists`);
    if (payer.balance < BigInt(parameters.getCreateNewAccountFeeInSystemContract)) {
      throw invalidContract("Validate CreateAccountActuator error, insufficient fee.");
    }
    const address = validAddress(accountAddress);
    if (address === undefined) throw invalidContract("Invalid account address");
    if (ledger.account(address) !== undefined) throw invalidContract("Account has existed");
  },

  execute({ ledger, contract, parameters, now }) {
    const { ownerAddress, accountAddress } = contract.message as AccountCreateContract;
    const [owner, address] = [validAddress(ownerAddress), validAddress(accountAddress)];
    const payer = owner && ledger.account(owner);
    if (payer === undefined || address === undefined) throw invalidContract("Invalid account address");
    const fee = BigInt(parameters.getCreateNewAccountFeeInSystemContract);
    burn(ledger, payer, fee);
    ledger.put(newAccount(address, now));
    return { result: "SUCCESS", fee };
  },
};
