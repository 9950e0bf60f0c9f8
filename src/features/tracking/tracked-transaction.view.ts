import { transactionLabel } from "../../core/tracking/describe-tracked.ts";
import { hasDeployed, isAlive, isReplaceable, isResendable } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { TimeOf } from "./life-line.view.ts";
import { describeState, type StateLook } from "./state.view.ts";

/** A row of the tree, complete in words and icons. */
export interface TransactionRow extends Omit<StateLook, "spoken"> {
  readonly label: string;
  readonly contextValue: string;
  /** For screen readers: what it does, then where it stands. */
  readonly spoken: string;
}

/** What the tree knows beside the journal. */
export interface ViewContext {
  readonly nameOf: NameOf;
  readonly timeOf: TimeOf;
  /** When this window began, local clock, Unix ms. */
  readonly sessionStart: number;
}

export function describeTransaction(
  tracked: TrackedTransaction,
  { nameOf, sessionStart }: ViewContext,
): TransactionRow {
  const { spoken, ...look } = describeState(tracked, sessionStart);
  const label = transactionLabel(tracked, nameOf);
  return { ...look, label, contextValue: contextValue(tracked), spoken: `${label.replace("→", "to")}. ${spoken}.` };
}

/**
 * `tx.<state>` and a flag for each thing that may be done, as menus match them: `+resendable`, `+replaceable`, `+proven`,
 * `+moving`, `+removable`, `+code` for calls and deployments that are in a block, `+contract` for a contract that can be called.
 */
export function contextValue(tracked: TrackedTransaction): string {
  const flags = [
    ...(isResendable(tracked) ? ["resendable"] : []),
    ...(isReplaceable(tracked) ? ["replaceable"] : []),
    ...(tracked.absence === undefined ? [] : ["proven"]),
    ...(isAlive(tracked) ? ["moving"] : []),
    ...(isAlive(tracked) ? [] : ["removable"]),
    ...(hasCode(tracked) ? ["code"] : []),
    ...(hasDeployed(tracked) ? ["contract"] : []),
  ];
  return [`tx.${tracked.state.kind}`, ...flags].join("+");
}

function hasCode({ signed, state }: TrackedTransaction): boolean {
  const kind = signed?.intent.kind;
  const isInBlock = state.kind === "included" || state.kind === "solidified";
  return isInBlock && (kind === "contract-call" || kind === "contract-creation");
}

/** What to do next, where something is to be done. */
export function adviceFor({ state, signed }: TrackedTransaction): string | undefined {
  switch (state.kind) {
    case "unknown":
      return signed === undefined
        ? undefined
        : `It may still be executed (${state.reason}). Sending the same bytes again is harmless; a new payment is not.`;
    case "rejected":
      return RETRY_ADVICE[state.retry];
    case "included":
      return "A reorganisation of the chain may still take it back.";
    case "signed":
      return "The signed bytes are kept in the journal. Send them when you are ready.";
    case "proven-absent":
      return "It can never be executed any more. It is safe to send a new one.";
    case "pending":
    case "solidified":
    case "replaced":
      return undefined;
  }
}

const RETRY_ADVICE = {
  "same-bytes-after-funding": "Top up the sender, then send the same signed bytes again.",
  "same-bytes-later": "Wait a little, then send the same signed bytes again.",
  "sign-again": "Check the signing key. The signature was not accepted, so these bytes can never be executed.",
  rebuild: "Nothing was executed. Send it anew.",
  "another-node": "This node has seen these bytes and gives no reason. Another node may show one.",
  "fix-request": "Nothing was executed. Correct the request and send it anew.",
} as const;
