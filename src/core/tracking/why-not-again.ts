import type { TrackedTransaction } from "./tracked-transaction.ts";
import type { TrackingState } from "./tracking-state.ts";

/** Why the same bytes must not, or need not, be sent again, as a sentence; undefined when they may. */
export function whyNotAgain(tracked: TrackedTransaction | undefined): string | undefined {
  if (tracked === undefined) return "This transaction is not tracked.";
  if (tracked.signed === undefined) return "Only its txID is known here, not its signed bytes.";
  const { state, replacedBy } = tracked;
  if (replacedBy !== undefined && state.kind !== "solidified") return replacedSentence(replacedBy);
  switch (state.kind) {
    case "signed":
    case "unknown":
    case "pending":
      return undefined;
    case "included":
      return `Block ${state.block.number} holds it already: it cannot be executed a second time.`;
    case "solidified":
      return `It is final in block ${state.block.number}: it cannot be executed a second time.`;
    case "proven-absent":
      return "It expired and is proven to be in no block: it can never be accepted any more. Create a new transaction.";
    case "replaced":
      return replacedSentence(state.by);
    case "rejected":
      return afterRejection(state);
  }
}

function replacedSentence(by: string): string {
  return `It was replaced by ${by}: sending it now could pay twice.`;
}

function afterRejection({ retry, message }: Extract<TrackingState, { kind: "rejected" }>): string | undefined {
  switch (retry) {
    case "sign-again":
      return `Its signatures were refused (${message}). Sign the same transaction again: its txID stays the same.`;
    case "rebuild":
      return `It can never be accepted any more (${message}). Create a new transaction.`;
    case "same-bytes-after-funding":
    case "same-bytes-later":
    case "another-node":
    case "fix-request":
      return undefined;
  }
}
