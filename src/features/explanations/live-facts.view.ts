import type { FailureReason } from "@finality/client/explain";
import {
  hasEnoughSignatures,
  isDisputed,
  judge,
  type SignedPart,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { describeDispute, describeValidity, sendTitle, signaturesText } from "../../labels/transactions.ts";

/** What is known of a transaction beside the text that names it. */
export interface LiveTransaction {
  readonly tracked: TrackedTransaction;
  /** Chain time about now, ms; absent when no head was read for a while. */
  readonly chainTime?: number | undefined;
  /** Why it failed. */
  readonly reason?: FailureReason | undefined;
}

/** Something that a person can do with it now. */
export interface LiveAction {
  readonly title: string;
  readonly command: "finality.sendSameBytesAgain" | "finality.lookNow" | "finality.showTransaction";
}

/** Where it stands, in few words. */
export function describeStanding({ tracked, reason }: LiveTransaction): string {
  const { state } = tracked;
  switch (state.kind) {
    case "signed":
      return describeSigned(tracked.signed);
    case "unknown":
      return t`outcome unknown: it may still be executed`;
    case "pending":
      return t`accepted, not final`;
    case "included":
      return t`in block ${state.block.number}, not final`;
    case "solidified":
      return state.outcome.kind === "success"
        ? t`final in block ${state.block.number}`
        : t`final in block ${state.block.number}${failed(tracked, visibleLine(reason?.text ?? state.outcome.result, 200))}`;
    case "rejected":
      return t`refused: ${state.code}`;
    case "proven-absent":
      return t`expired and proven absent`;
    case "replaced":
      return t`replaced by ${state.by}`;
  }
}

function describeSigned(signed: SignedPart | undefined): string {
  if (signed?.shared !== true) return t`signed, not sent`;
  const signatures = signaturesText(signed);
  return hasEnoughSignatures(signed) ? t`complete: ${signatures}, not sent` : t`collects signatures, ${signatures}`;
}

function failed(tracked: TrackedTransaction, reason: string): string {
  return isDisputed(tracked) ? `. ${describeDispute(tracked, reason)}` : t`, and failed: ${reason}`;
}

/** Whether the same bytes may be sent again, as the judgement of the tracked transaction says, and for how long. */
export function describeLiveRetry({ tracked, chainTime }: LiveTransaction): string {
  const { sendSameBytes, when } = judge(tracked, { chainTime });
  if (!sendSameBytes.allowed) return t`no. ${sendSameBytes.why}`;
  const validity = describeValidity(tracked, chainTime);
  const yes = when === undefined ? t`yes, that is harmless` : t`yes, when ${when}`;
  return validity === undefined ? yes : `${yes} (${validity})`;
}

export function liveActions({ tracked, chainTime }: LiveTransaction): readonly LiveAction[] {
  const { sendSameBytes, lookNow } = judge(tracked, { chainTime });
  return [
    ...(sendSameBytes.allowed ? [{ title: sendTitle(tracked), command: "finality.sendSameBytesAgain" } as const] : []),
    ...(lookNow.allowed ? [{ title: t`Look Now`, command: "finality.lookNow" } as const] : []),
    { title: t`Show Transaction`, command: "finality.showTransaction" },
  ];
}
