import { describeIntent, type NameOf, shortTxId } from "../transaction/describe-intent.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** What a transaction does; a name that a person gave comes first. */
export function transactionLabel({ label, signed, txId }: TrackedTransaction, nameOf: NameOf): string {
  const what = signed === undefined ? shortTxId(txId) : describeIntent(signed.intent, nameOf);
  return label === undefined ? what : `${label} · ${what}`;
}
