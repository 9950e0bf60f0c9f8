import type { Account } from "../chain/account.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";
import type { Execution } from "./actuator.ts";

/**
 * The other side of a delegation, or undefined when the chain does not know it.
 *
 * @throws {Refusal} no address, or that of the owner
 */
export function receiverAccount({ ledger }: Execution, address: Uint8Array, owner: Account): Account | undefined {
  const receiver = validAddress(address);
  if (receiver === undefined) throw invalidContract("Invalid receiverAddress");
  if (receiver === owner.address) throw invalidContract("receiverAddress must not be the same as ownerAddress");
  return ledger.account(receiver);
}
