import type { Address } from "../../core/primitives/address.ts";
import type { Account } from "../chain/account.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

/**
 * The address of the other side of a delegation.
 *
 * @throws {Refusal} no address, or that of the owner
 */
export function receiverOf(address: Uint8Array, owner: Account): Address {
  const receiver = validAddress(address);
  if (receiver === undefined) throw invalidContract("Invalid receiverAddress");
  if (receiver === owner.address) throw invalidContract("receiverAddress must not be the same as ownerAddress");
  return receiver;
}
