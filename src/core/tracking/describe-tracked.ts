import type { RecordedOutcome } from "../journal/journal.ts";
import { describeIntent, type NameOf, shortTxId } from "../transaction/describe-intent.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** What a transaction does; a name that a person gave comes first. */
export function transactionLabel({ label, signed, txId }: TrackedTransaction, nameOf: NameOf): string {
  const what = signed === undefined ? shortTxId(txId) : describeIntent(signed.intent, nameOf);
  return label === undefined ? what : `${label} · ${what}`;
}

/** What a gateway said to one attempt, in full. */
export function describeAnswer(outcome: RecordedOutcome | undefined): string {
  switch (outcome?.kind) {
    case undefined:
      return "no answer is known";
    case "accepted":
      return "accepted";
    case "already-known":
      return `known already: ${outcome.message}`;
    case "rejected":
      return outcome.message === "" ? outcome.code : `${outcome.code}: ${outcome.message}`;
    case "unknown":
      return `no usable answer: ${outcome.message}`;
  }
}

/** Why a node refused, in few words: it begins with what it checked, and what is wrong comes last. */
export function shortReason(code: string, message: string): string {
  const reason = message.replace(/^(contract )?validate error\s*:\s*/i, "").replace(/^validate [\w ]+ error,\s*/i, "");
  return reason === "" ? code : reason.replace(/\.$/, "");
}
