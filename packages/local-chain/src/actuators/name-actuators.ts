import { bytesToHex } from "@finality/tron/primitives";
import type { AccountUpdateContract, SetAccountIdContract } from "@finality/tron/schema";
import type { Account } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { idKey, isReadable } from "../chain/names.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

const MAX_NAME_BYTES = 200;
const MIN_ID_BYTES = 8;
const MAX_ID_BYTES = 32;

/** Gives an account a name that nobody else has (UpdateAccountActuator). */
export const nameAccount: Actuator = {
  validate(execution) {
    const { accountName } = execution.contract.message as AccountUpdateContract;
    if (accountName.length > MAX_NAME_BYTES) throw invalidContract("Invalid accountName");
    const account = ownAccount(execution, "Account does not exist");
    if (execution.parameters.getAllowUpdateAccountName !== 0) return;
    if (account.identity.name !== "") throw invalidContract("This account name is already existed");
    if (execution.ledger.tables.names.get(bytesToHex(accountName)) !== undefined) {
      throw invalidContract("This name is existed");
    }
  },

  execute(execution) {
    const { accountName } = execution.contract.message as AccountUpdateContract;
    const account = ownAccount(execution, "Account does not exist");
    const name = bytesToHex(accountName);
    execution.ledger.put({ ...account, identity: { ...account.identity, name } });
    execution.ledger.tables.names.set(name, account.address);
    return { result: "SUCCESS", fee: 0n };
  },
};

/** Gives an account an id, by which it can be looked up (SetAccountIdActuator). */
export const setAccountId: Actuator = {
  validate(execution) {
    const { accountId } = execution.contract.message as SetAccountIdContract;
    if (!isReadable(accountId, MAX_ID_BYTES) || accountId.length < MIN_ID_BYTES) {
      throw invalidContract("Invalid accountId");
    }
    const account = ownAccount(execution, "Account has not existed");
    if (account.identity.id !== "") throw invalidContract("This account id already set");
    if (execution.ledger.tables.ids.get(idKey(accountId)) !== undefined) throw invalidContract("This id has existed");
  },

  execute(execution) {
    const { accountId } = execution.contract.message as SetAccountIdContract;
    const account = ownAccount(execution, "Account has not existed");
    execution.ledger.put({ ...account, identity: { ...account.identity, id: bytesToHex(accountId) } });
    execution.ledger.tables.ids.set(idKey(accountId), account.address);
    return { result: "SUCCESS", fee: 0n };
  },
};

/** @throws {Refusal} no address, or one that the chain does not know */
function ownAccount({ ledger, contract }: Execution, unknown: string): Account {
  const owner = validAddress((contract.message as AccountUpdateContract | SetAccountIdContract).ownerAddress);
  if (owner === undefined) throw invalidContract("Invalid ownerAddress");
  const account = ledger.account(owner);
  if (account === undefined) throw invalidContract(unknown);
  return account;
}
