import type { Account } from "../chain/account.ts";
import type { Execution } from "../chain/actuator.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

/** @throws {Refusal} staking of the second version is switched off: without a delay for taking back there is none */
export function requireStaking({ parameters }: Execution, name: string): void {
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
