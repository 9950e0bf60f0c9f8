import { ownKeyAlone } from "../../../packages/client/src/permissions/permissions.ts";
import type {
  SignedPart,
  TrackedTransaction,
} from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { BlockId, BlockReference } from "../../../packages/tron/src/primitives/block.ts";
import type { Hex, TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import type { SigningPlan } from "../../../src/sending/signing-plan.ts";

export const ALICE: Address = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
export const BOB: Address = parseAddress("410000000000000000000000000000000000000b0b");

/** The names that a test's people have. */
export function nameOf(address: Address): string | undefined {
  if (address === ALICE) return "Alice";
  return address === BOB ? "Bob" : undefined;
}

/** Of a test whose failures have no reasons. */
export const noReasons = (): undefined => undefined;

export const TRANSFER: Intent = { kind: "transfer", owner: ALICE, to: BOB, amount: sun(1_500_000n) };

export function txId(digit: string): TxId {
  return digit.repeat(64).slice(0, 64) as TxId;
}

export function blockReference(number: number, timestamp = 1_000_000): BlockReference {
  return { number, timestamp, id: number.toString(16).padStart(64, "0") as BlockId };
}

export function signedPart(intent: Intent = TRANSFER): SignedPart {
  return { intent, rawDataHex: "00" as Hex, signatures: ["00" as Hex], expiration: 1_060_000, solidHeight: 100 };
}

/** A transaction of our own, signed at 1,000 ms, with everything else as a test says. */
export function tracked(changes: Partial<TrackedTransaction> = {}): TrackedTransaction {
  return {
    txId: txId("7f"),
    network: "Local chain",
    state: { kind: "signed" },
    signed: signedPart(),
    attempts: [],
    createdAt: 1_000,
    changedAt: 1_000,
    hidden: false,
    ...changes,
  };
}

/** A foreign transaction, followed by its txID. */
export function adopted(changes: Partial<TrackedTransaction> = {}): TrackedTransaction {
  const { signed: _signed, ...rest } = tracked(changes);
  return rest;
}

/** Signing facts of the account's own key, which decides alone. */
export function ownKeySigns<I extends Pick<Intent, "owner">>(intent: I): Omit<SigningPlan, "intent"> & { intent: I } {
  const { owner } = intent;
  const here = { ours: new Set<Address>([owner]), nameOf: () => undefined };
  return { intent, permission: ownKeyAlone(owner).owner, signers: [owner], isUsual: true, here };
}
