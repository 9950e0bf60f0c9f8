import { isAlive, isResendable } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import { describeValidity } from "../../core/tracking/validity.ts";
import { whyNotAgain } from "../../core/tracking/why-not-again.ts";

/** What is known of a transaction beside the text that names it. */
export interface LiveTransaction {
  readonly tracked: TrackedTransaction;
  /** Chain time about now, ms; absent when no head was read for a while. */
  readonly chainTime?: number | undefined;
}

/** Something that a person can do with it now. */
export interface LiveAction {
  readonly title: string;
  readonly command: "finality.sendSameBytesAgain" | "finality.lookNow" | "finality.showTransaction";
}

/** Where it stands, in few words. */
export function describeStanding({ tracked: { state } }: LiveTransaction): string {
  switch (state.kind) {
    case "signed":
      return "signed, not sent";
    case "unknown":
      return "outcome unknown: it may still be executed";
    case "pending":
      return "accepted, not final";
    case "included":
      return `in block ${state.block.number}, not final`;
    case "solidified":
      return state.outcome.kind === "success"
        ? `final in block ${state.block.number}`
        : `final in block ${state.block.number}, and failed: ${state.outcome.result}`;
    case "rejected":
      return `refused: ${state.code}`;
    case "proven-absent":
      return "expired and proven absent";
    case "replaced":
      return `replaced by ${state.by}`;
  }
}

/**
 * Whether the same bytes may be sent again, as the retry rules say for a tracked transaction, and for how long.
 *
 * @param condition - what the answer itself says has to happen first
 */
export function describeLiveRetry(live: LiveTransaction, condition: string | undefined): string {
  const why = whyNotAgain(live.tracked);
  if (why !== undefined) return `no. ${why}`;
  const validity = describeValidity(live.tracked, live.chainTime);
  const isRefused = live.tracked.state.kind === "rejected" && condition !== undefined;
  return `${isRefused ? `yes, ${condition}` : "yes, that is harmless"}${validity === undefined ? "" : ` (${validity})`}`;
}

export function liveActions({ tracked }: LiveTransaction): readonly LiveAction[] {
  return [
    ...(isResendable(tracked)
      ? [{ title: "Send Same Bytes Again", command: "finality.sendSameBytesAgain" } as const]
      : []),
    ...(isAlive(tracked) ? [{ title: "Look Now", command: "finality.lookNow" } as const] : []),
    { title: "Show Transaction", command: "finality.showTransaction" },
  ];
}
