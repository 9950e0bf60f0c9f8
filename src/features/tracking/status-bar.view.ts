import { t } from "@vscode/l10n";
import { isSending } from "../../core/life/is-sending.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";

/** The one status bar item: where transactions go, and how many are still moving. */
export interface StatusBarLook {
  readonly text: string;
  readonly tooltip: string;
  readonly spoken: string;
  /** A background colour of the status bar, only when an outcome is unknown. */
  readonly background?: string;
}

export interface ShownNetwork {
  readonly name: string;
  readonly local: boolean;
  readonly production: boolean;
}

export function describeStatusBar(
  network: ShownNetwork | undefined,
  transactions: readonly TrackedTransaction[],
  sessionStart: number,
): StatusBarLook {
  const shown = transactions.filter((it) => !it.hidden);
  const sending = shown.filter((it) => isSending(it, sessionStart)).length;
  const open = shown.filter((it) => it.state.kind === "unknown" && it.signed !== undefined);
  const unknown = open.filter((it) => !isSending(it, sessionStart)).length;
  const waiting = sending + shown.filter((it) => it.state.kind === "pending" || it.state.kind === "included").length;
  const counts = [
    ...(unknown > 0 ? [{ short: `$(question) ${unknown}`, long: t`${unknown} with an unknown outcome` }] : []),
    ...(waiting > 0 ? [{ short: `$(clockface) ${waiting}`, long: t`${waiting} not final yet` }] : []),
  ];
  const name = network === undefined ? t`No network` : network.name;
  const sentence = [
    "Finality",
    network === undefined ? t`no network yet` : networkWords(network),
    ...counts.map((it) => it.long),
  ];
  return {
    text: [`${networkIcon(network)} ${name}`, ...counts.map((it) => it.short)].join(" · "),
    tooltip: t`${sentence.join(" · ")}\nClick to switch the network.`,
    spoken: sentence.join(", "),
    ...(unknown > 0 ? { background: "statusBarItem.warningBackground" } : {}),
  };
}

function networkIcon(network: ShownNetwork | undefined): string {
  if (network === undefined) return "$(debug-disconnect)";
  return network.local ? "$(beaker)" : "$(broadcast)";
}

function networkWords({ name, production }: ShownNetwork): string {
  return production ? t`${name}, real money` : name;
}
