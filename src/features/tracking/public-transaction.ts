import type { RecordedOutcome } from "../../core/life/journal-entry.ts";
import type { Attempt, TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { type Address, toBase58 } from "../../core/primitives/address.ts";
import type { Intent } from "../../core/transaction/intent.ts";
import type * as api from "../../public/api.ts";

/** What other extensions may see of a transaction: no signature, no signed bytes, and JSON can hold it. */
export function toPublic(tracked: TrackedTransaction): api.TrackedTransaction {
  const { txId, network, label, state, signed, attempts, createdAt, changedAt } = tracked;
  return {
    txId,
    network,
    state,
    createdAt,
    changedAt,
    ...(label === undefined ? {} : { label }),
    ...(signed === undefined ? {} : { intent: publicIntent(signed.intent) }),
    attempts: attempts.map(publicAttempt),
  };
}

function publicIntent(intent: Intent): NonNullable<api.TrackedTransaction["intent"]> {
  const to = recipientOf(intent);
  return {
    kind: intent.kind,
    owner: toBase58(intent.owner),
    ...(to === undefined ? {} : { to: toBase58(to) }),
    ...("amount" in intent ? { amount: intent.amount.toString() } : {}),
  };
}

function recipientOf(intent: Intent): Address | undefined {
  if ("to" in intent) return intent.to;
  if ("receiver" in intent) return intent.receiver;
  return "contract" in intent ? intent.contract : undefined;
}

function publicAttempt({ number, endpoint, startedAt, answeredAt, outcome }: Attempt): api.TransactionAttempt {
  return {
    number,
    endpoint,
    startedAt,
    ...(answeredAt === undefined ? {} : { answeredAt }),
    ...(outcome === undefined ? {} : { answer: publicAnswer(outcome) }),
  };
}

function publicAnswer(outcome: RecordedOutcome): NonNullable<api.TransactionAttempt["answer"]> {
  switch (outcome.kind) {
    case "accepted":
      return { kind: "accepted" };
    case "already-known":
      return { kind: "already-known", message: outcome.message };
    case "rejected":
    case "unknown":
      return { kind: outcome.kind, code: outcome.code, message: outcome.message };
  }
}
