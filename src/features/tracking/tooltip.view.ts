import type { FailureReason } from "@finality/client/explain";
import { isSending, type TrackedTransaction } from "@finality/client/tracking";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { transactionLabel } from "../../labels/transactions.ts";
import { adviceFor } from "./advice.view.ts";
import { describeLife } from "./life-line.view.ts";
import { describeState } from "./state.view.ts";
import { networkText, type ViewContext } from "./tracked-transaction.view.ts";

/** The lines of the tooltip: state, network, txID, then the life. Plain text, which the caller must escape. */
export function describeTooltip(tracked: TrackedTransaction, context: ViewContext): Tooltip {
  const { nameOf, sessionStart, reasonOf } = context;
  const { spoken } = describeState(tracked, context);
  const advice = isSending(tracked, sessionStart) ? undefined : adviceFor(tracked);
  return {
    title: transactionLabel(tracked, nameOf),
    state: spoken,
    ...(advice === undefined ? {} : { advice }),
    notes: notesOn(reasonOf(tracked)),
    network: networkText(tracked, context),
    txId: tracked.txId,
    life: describeLife(tracked, context).map(({ sentence }) => sentence),
  };
}

/** What else is known of why it failed, and who names it. */
function notesOn(reason: FailureReason | undefined): readonly string[] {
  if (reason === undefined) return [];
  const { detail, source } = reason;
  return [
    ...(detail === undefined ? [] : [detail]),
    ...(source === undefined ? [] : [t`Named by ${visibleLine(source)}`]),
  ];
}

export interface Tooltip {
  readonly title: string;
  readonly state: string;
  /** On why it failed. */
  readonly notes: readonly string[];
  readonly advice?: string;
  readonly network: string;
  readonly txId: string;
  readonly life: readonly string[];
}
