import { visibleLine } from "../primitives/plain-text.ts";
import { describeIntent, type NameOf, shortTxId } from "../transaction/describe-intent.ts";
import type { RecordedOutcome } from "./journal-entry.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** What a transaction does; a name that a person gave comes first. */
export function transactionLabel({ label, signed, txId }: TrackedTransaction, nameOf: NameOf): string {
  const what = signed === undefined ? shortTxId(txId) : describeIntent(signed.intent, nameOf);
  return label === undefined ? what : `${label} · ${what}`;
}

const LONG = 2_000;

/** What a gateway said to one attempt. Nothing in it is hidden from who reads it. */
export function describeAnswer(outcome: RecordedOutcome | undefined): string {
  switch (outcome?.kind) {
    case undefined:
      return "no answer is known";
    case "accepted":
      return "accepted";
    case "already-known":
      return visibleLine(`known already: ${outcome.message}`, LONG);
    case "rejected":
      return visibleLine(outcome.message === "" ? outcome.code : `${outcome.code}: ${outcome.message}`, LONG);
    case "unknown":
      return visibleLine(`${outcome.turnedAway ? "turned away" : "no usable answer"}: ${outcome.message}`, LONG);
  }
}

/** Why a node refused, in few words: it begins with what it checked, and what is wrong comes last. */
export function shortReason(code: string, message: string): string {
  const reason = message.replace(/^(contract )?validate error\s*:\s*/i, "").replace(/^validate [\w ]+ error,\s*/i, "");
  return visibleLine(reason === "" ? code : reason).replace(/\.$/, "");
}
