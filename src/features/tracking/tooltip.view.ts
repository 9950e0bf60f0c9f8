import { isSending } from "../../core/life/is-sending.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { transactionLabel } from "../../words/sentences/transactions.ts";
import { adviceFor } from "./advice.view.ts";
import { describeLife } from "./life-line.view.ts";
import { describeState } from "./state.view.ts";
import { networkText, type ViewContext } from "./tracked-transaction.view.ts";

/** The lines of the tooltip: state, network, txID, then the life. Plain text, which the caller must escape. */
export function describeTooltip(tracked: TrackedTransaction, context: ViewContext): Tooltip {
  const { nameOf, timeOf, sessionStart } = context;
  const { spoken } = describeState(tracked, sessionStart);
  const advice = isSending(tracked, sessionStart) ? undefined : adviceFor(tracked);
  return {
    title: transactionLabel(tracked, nameOf),
    state: spoken,
    ...(advice === undefined ? {} : { advice }),
    network: networkText(tracked, context),
    txId: tracked.txId,
    life: describeLife(tracked, timeOf).map(({ sentence }) => sentence),
  };
}

export interface Tooltip {
  readonly title: string;
  readonly state: string;
  readonly advice?: string;
  readonly network: string;
  readonly txId: string;
  readonly life: readonly string[];
}
