import { RETRIES } from "../../../packages/client/src/retry/retry-policy.ts";
import type { RecordedOutcome } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import type {
  TrackedTransaction,
  TrackingState,
} from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { ACCEPTED, DUPLICATE, rejected, TIMED_OUT, turnedAway } from "./journal-entries.ts";
import { evidence } from "./proven.ts";
import { adopted, blockReference, signedPart, tracked, txId } from "./tracked.ts";

const CODE = "CONTRACT_VALIDATE_ERROR";
const REFUSED = rejected(CODE, "refused");

const STATES: readonly TrackingState[] = [
  { kind: "signed" } as const,
  { kind: "unknown", reason: "no answer" } as const,
  { kind: "pending" } as const,
  { kind: "included", block: blockReference(7) },
  { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } },
  { kind: "solidified", block: blockReference(7), outcome: { kind: "failed", result: "REVERT", message: "" } },
  ...RETRIES.map((retry) => ({ kind: "rejected", code: CODE, message: "refused", retry }) as const),
  { kind: "proven-absent", from: 101, to: 121 } as const,
  { kind: "replaced", by: txId("1") } as const,
];

/** Outcomes of earlier submissions; undefined is a missing answer. */
const ANSWERS: readonly (readonly (RecordedOutcome | undefined)[])[] = [
  [],
  [undefined],
  [ACCEPTED],
  [REFUSED],
  [DUPLICATE],
  [TIMED_OUT],
  [turnedAway("GATEWAY_RATE_LIMITED")],
  [REFUSED, REFUSED],
  [REFUSED, DUPLICATE],
  [turnedAway("GATEWAY_UNAUTHORIZED"), REFUSED],
  [rejected("NOT_SENT")],
];

const PARTICULARS: readonly Partial<TrackedTransaction>[] = [
  {},
  { signed: { ...signedPart(), shared: true } },
  { signed: { ...signedPart(), renewed: true } },
  { signed: { ...signedPart(), signatures: [] } },
  { absence: { ...evidence(), provenAt: 5 } },
  { notFoundAt: 5 },
  { replacedBy: txId("1") },
  { outcomeElsewhere: { endpoint: "https://other.test", outcome: { kind: "success" } } },
];

/**
 * Every state after every history that these make, of our own and of others. Many cannot come about, and have to agree
 * all the same.
 */
export const EVERY_HISTORY: readonly TrackedTransaction[] = STATES.flatMap((state) =>
  ANSWERS.flatMap((answers) => {
    const attempts = answers.map((outcome, index) => ({
      number: index + 1,
      endpoint: "https://gateway.test",
      startedAt: index,
      ...(outcome === undefined ? {} : { answeredAt: index, outcome }),
    }));
    return PARTICULARS.flatMap((it) => [tracked, adopted].map((make) => make({ ...it, state, attempts })));
  }),
);
