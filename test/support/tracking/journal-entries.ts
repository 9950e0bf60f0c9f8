import { type EntryOf, foldEntries } from "../../../packages/client/src/transaction-state/history.ts";
import type { JournalEntry, RecordedOutcome } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { trackedFromHistory } from "../../../packages/client/src/transaction-state/tracked-from-history.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { BlockId, BlockReference } from "../../../packages/tron/src/primitives/block.ts";
import { type Hex, hexToBytes, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";

export const ENDPOINT = "http://fake.test";
export const ALICE = parseAddress(`41${"a1".repeat(20)}`);
export const BOB = parseAddress(`41${"b0".repeat(20)}`);
export const TRANSFER: Intent = { kind: "transfer", owner: ALICE, to: BOB, amount: sun(1_500_000n) };

/** Bytes that are never decoded, and their txID. */
export function fakeBytes(number: number): { readonly rawDataHex: Hex; readonly txId: TxId } {
  const rawDataHex = number.toString(16).padStart(8, "0") as Hex;
  return { rawDataHex, txId: transactionId(hexToBytes(rawDataHex)) };
}

export function signedEntry(number: number, change: Partial<EntryOf<"signed">> = {}): EntryOf<"signed"> {
  return {
    kind: "signed",
    ...fakeBytes(number),
    at: 1_000,
    network: "test",
    intent: TRANSFER,
    signatures: ["ab" as Hex],
    expiration: 1_767_225_660_000,
    solidHeight: 0,
    ...change,
  };
}

export function startedEntry(txId: TxId, attempt = 1, at = 1_001): EntryOf<"broadcast-started"> {
  return { kind: "broadcast-started", txId, at, attempt, endpoint: ENDPOINT };
}

export function answeredEntry(
  txId: TxId,
  outcome: RecordedOutcome,
  change: Partial<EntryOf<"broadcast-answered">> = {},
): EntryOf<"broadcast-answered"> {
  return { kind: "broadcast-answered", txId, at: 1_002, attempt: 1, endpoint: ENDPOINT, outcome, ...change };
}

/** Refusal by a proxy before the node, with a 4xx status. */
export function turnedAway(code: string, message = code): RecordedOutcome {
  return { kind: "unknown", code, message, turnedAway: true };
}

export function rejected(code: string, message = code): RecordedOutcome {
  return { kind: "rejected", code, message };
}

export const ACCEPTED: RecordedOutcome = { kind: "accepted" };
export const DUPLICATE: RecordedOutcome = { kind: "already-known", message: "Dup transaction." };
export const TIMED_OUT: RecordedOutcome = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "No answer." };

export function blockReference(number: number): BlockReference {
  return {
    number,
    id: number.toString(16).padStart(64, "0") as BlockId,
    timestamp: 1_767_225_600_000 + 3_000 * number,
  };
}

/** A transaction as the tracker has it after it read these lines; undefined when none of them is about it. */
export function trackedFromEntries(entries: Iterable<JournalEntry>, txId: TxId): TrackedTransaction | undefined {
  const history = foldEntries(entries).get(txId);
  return history && trackedFromHistory(history);
}
