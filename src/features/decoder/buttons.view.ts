import type { DecodedField } from "@finality/client/explain";
import { type Action, allowedActions, type TrackedTransaction } from "@finality/client/tracking";
import { parseTxId, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { sendTitle } from "../../labels/transactions.ts";
import type { DecoderButton } from "../../webview-messages/decoder.ts";

/** The first transaction that the decoded values name. */
export function txIdIn(decoded: readonly DecodedField[]): TxId | undefined {
  for (const { kind, value, children = [] } of decoded) {
    const found = (kind === "tx-id" ? parseTxId(value) : undefined) ?? txIdIn(children);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What may be done with the transaction now: core decides, this only names it. */
export function describeButtons(
  txId: TxId | undefined,
  tracked: TrackedTransaction | undefined,
  fallbackUrls: readonly string[],
  chainTime?: number,
): readonly DecoderButton[] {
  if (txId === undefined) return [];
  if (tracked === undefined) {
    return [
      { ...FIND, txId, primary: true },
      { ...DECODE, txId, primary: false },
    ];
  }
  const possible = allowedActions(tracked, { otherUrls: fallbackUrls, chainTime });
  const named = NAMED.filter(({ possible: one }) => possible.includes(one)).map((it) =>
    it.action === "resend" && tracked.state.kind === "signed" ? { ...it, label: sendTitle(tracked), icon: "send" } : it,
  );
  return [...named, ...LOOKS, DECODE].map(({ action, label, icon }, index) => ({
    action,
    label,
    icon,
    txId,
    primary: index === 0,
  }));
}

type Look = Pick<DecoderButton, "action" | "label" | "icon">;

const FIND: Look = { action: "track", label: t`Find Transaction`, icon: "search" };

/** Asks a node for it. */
const DECODE: Look = { action: "decode-transaction", label: t`Decode This Transaction`, icon: "symbol-ruler" };

const LOOKS: readonly Look[] = [
  { action: "life-line", label: t`Show Life Line`, icon: "pulse" },
  { action: "show-in-list", label: t`Show in List`, icon: "list-tree" },
];

const NAMED: readonly (Look & { readonly possible: Action })[] = [
  { possible: "sendSameBytes", action: "resend", label: t`Send Same Bytes Again`, icon: "debug-restart" },
  { possible: "createReplacement", action: "replace", label: t`Create Replacement…`, icon: "arrow-swap" },
  { possible: "doItAgain", action: "again", label: t`Do It Again…`, icon: "redo" },
  { possible: "signAgain", action: "sign", label: t`Sign Again…`, icon: "edit" },
  { possible: "sendToAnotherNode", action: "another-node", label: t`Send to Another Node…`, icon: "remote" },
  { possible: "lookNow", action: "look-now", label: t`Look Now`, icon: "refresh" },
  { possible: "exportProof", action: "export-proof", label: t`Export Proof…`, icon: "export" },
];
