import { transactionLabel } from "../../core/tracking/describe-tracked.ts";
import { hasDeployed, type PossibleAction, possibleActions } from "../../core/tracking/possible-actions.ts";
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

const FLAGS: { readonly [A in PossibleAction]?: string } = {
  sendSameBytes: "resendable",
  createReplacement: "replaceable",
  exportProof: "proven",
  lookNow: "moving",
  remove: "removable",
};

/**
 * `tx.<state>` and a flag for each thing that may be done, as menus match them: `+resendable`, `+replaceable`, `+proven`,
 * `+moving`, `+removable`, `+code` for calls and deployments that are in a block, `+contract` for a contract that can be called.
 */
export function contextValue(tracked: TrackedTransaction): string {
  const flags = [
    ...possibleActions(tracked).flatMap((it) => FLAGS[it] ?? []),
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
