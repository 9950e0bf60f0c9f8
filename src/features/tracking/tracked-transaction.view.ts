import {
  type Action,
  allowedActions,
  hasDeployed,
  hasEnoughSignatures,
  type TrackedTransaction,
} from "@finality/client/tracking";
import type { NameOf } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import { transactionLabel } from "../../labels/transactions.ts";
import type { LifeContext } from "./life-line.view.ts";
import { describeState, type StateContext, type StateLook } from "./state.view.ts";

/** A row of the tree, complete in words and icons. */
export interface TransactionRow extends Omit<StateLook, "spoken"> {
  readonly label: string;
  readonly contextValue: string;
  /** For screen readers: what it does, then where it stands. */
  readonly spoken: string;
}

/** What the tree knows beside the journal. */
export interface ViewContext extends StateContext, LifeContext {
  readonly nameOf: NameOf;
  /** The network through which it is watched now: another one of its chain where its own was renamed or is gone. */
  readonly networkOf?: (tracked: TrackedTransaction) => string;
  /** The other URLs of that network. */
  readonly otherUrlsOf?: (tracked: TrackedTransaction) => readonly string[];
}

/** Its network as it was called when it was signed, and through which one it is watched where that is another one. */
export function networkText(tracked: TrackedTransaction, { networkOf }: Pick<ViewContext, "networkOf">): string {
  const now = networkOf?.(tracked) ?? tracked.network;
  return now === tracked.network ? now : t`${tracked.network}, watched through ${now}`;
}

export function describeTransaction(tracked: TrackedTransaction, context: ViewContext): TransactionRow {
  const { spoken, ...look } = describeState(tracked, context);
  const label = transactionLabel(tracked, context.nameOf);
  const offers = contextValue(tracked, context.otherUrlsOf?.(tracked));
  return { ...look, label, contextValue: offers, spoken: `${label.replace("→", t`to`)}. ${spoken}.` };
}

const FLAGS: { readonly [A in Action]: string } = {
  sendSameBytes: "resendable",
  sendToAnotherNode: "elsewhere",
  createReplacement: "replaceable",
  doItAgain: "again",
  signAgain: "signable",
  exportProof: "proven",
  lookNow: "moving",
};

/**
 * `tx.<state>` and a flag for each thing that may be done, as menus match them: `+sendable`, `+resendable`, `+elsewhere`, `+replaceable`,
 * `+again`, `+signable`, `+proven`, `+moving`, `+result` for what is in a block, `+exportable` for what was not sent, `+collecting` for what may lack signatures, `+contract` for a contract that can be called.
 *
 * @param otherUrls - of the network through which it is watched
 */
export function contextValue(tracked: TrackedTransaction, otherUrls: readonly string[] = []): string {
  const isUnsent = tracked.state.kind === "signed";
  const flags = [
    ...allowedActions(tracked, { otherUrls }).map((it) =>
      it === "sendSameBytes" && isUnsent ? "sendable" : FLAGS[it],
    ),
    ...(isInBlock(tracked) ? ["result"] : []),
    ...(isUnsent && tracked.replacedBy === undefined ? ["exportable"] : []),
    ...(isUnsent && tracked.signed?.shared === true && !hasEnoughSignatures(tracked.signed) ? ["collecting"] : []),
    ...(hasDeployed(tracked) ? ["contract"] : []),
  ];
  return [`tx.${tracked.state.kind}`, ...flags].join("+");
}

function isInBlock({ state }: TrackedTransaction): boolean {
  return state.kind === "included" || state.kind === "solidified";
}
