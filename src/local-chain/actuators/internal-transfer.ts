import type { Address } from "../../core/primitives/address.ts";
import type { Ledger } from "../chain/ledger.ts";
import { invalidContract } from "../chain/refusal.ts";

export interface InternalTransfer {
  readonly from: Address;
  readonly to: Address;
  /** Sun. */
  readonly value: bigint;
}

/** @throws {Refusal} the coins that are sent along with a call are not there */
export function checkInternalTransfer(ledger: Ledger, { from, to, value }: InternalTransfer): void {
  if (value === 0n) return;
  if (from === to) throw invalidContract("Cannot transfer TRX to yourself.");
  const account = ledger.account(from);
  if (account === undefined) throw invalidContract("Validate InternalTransfer error, no OwnerAccount.");
  if (account.balance < value) {
    throw invalidContract("Validate InternalTransfer error, balance is not sufficient.");
  }
}
