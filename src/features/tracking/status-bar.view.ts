import { networkLabel } from "@finality/client/gateway";
import { isSending, type TrackedTransaction } from "@finality/client/tracking";
import { t } from "@vscode/l10n";

/** Status bar item: the active network, and the number of pending transactions. */
export interface StatusBarContent {
  readonly text: string;
  readonly tooltip: string;
  readonly spoken: string;
  /** Background color, set only for unknown outcomes. */
  readonly background?: string;
}

export interface ShownNetwork {
  readonly name: string;
  readonly local: boolean;
  readonly production: boolean;
}

/**
 * Reason why no network is active. `stopped`: the chosen local chain does not run; `disconnected`: it runs, but this
 * window does not use it.
 */
export type NoNetwork = "none" | "not chosen" | "stopped" | "disconnected";

export function describeStatusBar(
  network: ShownNetwork | NoNetwork,
  transactions: readonly TrackedTransaction[],
  sessionStart: number,
): StatusBarContent {
  const shown = transactions.filter((it) => !it.hidden);
  const sending = shown.filter((it) => isSending(it, sessionStart)).length;
  const open = shown.filter((it) => it.state.kind === "unknown" && it.signed !== undefined);
  const unknown = open.filter((it) => !isSending(it, sessionStart)).length;
  const waiting = sending + shown.filter((it) => it.state.kind === "pending" || it.state.kind === "included").length;
  const counts = [
    ...(unknown > 0 ? [{ short: `$(question) ${unknown}`, long: t`${unknown} with an unknown outcome` }] : []),
    ...(waiting > 0 ? [{ short: `$(clockface) ${waiting}`, long: t`${waiting} not final yet` }] : []),
  ];
  const [name, words] = networkTexts(network);
  const message = ["Finality", words, ...counts.map((it) => it.long)];
  return {
    text: [`${networkIcon(network)} ${name}`, ...counts.map((it) => it.short)].join(" · "),
    tooltip: t`${message.join(" · ")}\nClick to show the menu.`,
    spoken: message.join(", "),
    ...(unknown > 0 ? { background: "statusBarItem.warningBackground" } : {}),
  };
}

function networkIcon(network: ShownNetwork | string): string {
  if (typeof network === "string") return "$(debug-disconnect)";
  return network.local ? "$(beaker)" : "$(broadcast)";
}

const DISCONNECTED = t`Disconnected from local chain`;

/** Name and tooltip of the status bar item. */
function networkTexts(network: ShownNetwork | NoNetwork): readonly [string, string] {
  if (network === "stopped") return [t`Local chain is not running`, t`the local chain is not running`];
  if (network === "disconnected") return [DISCONNECTED, DISCONNECTED];
  if (network === "none") return [t`No network`, t`no network yet`];
  if (network === "not chosen") return [t`Choose a network`, t`no network is active`];
  const { production } = network;
  const name = networkLabel(network.name);
  return [name, production ? t`${name}, real money` : name];
}
