import type { TrackedTransaction } from "@finality/client/tracking";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../../host/prompts/notify.ts";
import type { TrackingServices } from "./commands.ts";
import { describeOutage } from "./notifications.view.ts";
import { Outage } from "./outage.ts";

const SHOW_LOG = t`Show Log`;

/** What says that a gateway does not answer. @param isInSight - whether the list shows it already */
export function outageOf(
  { transactions, sleep }: Pick<TrackingServices, "transactions" | "sleep">,
  isInSight: () => boolean,
): Outage {
  return new Outage({
    unanswered: () => transactions.unanswered,
    isQuiet: () => isInSight() || !transactions.list().some((it) => !it.hidden && isWaiting(it)),
    sleep,
    say: (networks) => void say(networks),
  });
}

function isWaiting({ state }: TrackedTransaction): boolean {
  return state.kind === "unknown" || state.kind === "pending" || state.kind === "included";
}

async function say(networks: readonly string[]): Promise<void> {
  const chosen = await notify("warning", describeOutage(networks), SHOW_LOG);
  if (chosen !== undefined) await vscode.commands.executeCommand("finality.showLog");
}
