import type { DecodedField } from "../../core/explain/explanation.ts";
import { parseTxId, type TxId } from "../../core/primitives/hash.ts";
import { type PossibleAction, possibleActions } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
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
): readonly DecoderButton[] {
  if (txId === undefined) return [];
  if (tracked === undefined) return [{ ...FIND, txId, primary: true }];
  const possible = possibleActions(tracked, fallbackUrls);
  const named = NAMED.filter(({ possible: one }) => possible.includes(one));
  return [...named, ...LOOKS].map(({ action, label, icon }, index) => ({
    ...{ action, label, icon, txId },
    primary: index === 0,
  }));
}

type Look = Pick<DecoderButton, "action" | "label" | "icon">;

const FIND: Look = { action: "track", label: "Find Transaction", icon: "search" };

const LOOKS: readonly Look[] = [
  { action: "life-line", label: "Show Life Line", icon: "pulse" },
  { action: "show-in-list", label: "Show in List", icon: "list-tree" },
];

const NAMED: readonly (Look & { readonly possible: PossibleAction })[] = [
  { possible: "sendSameBytes", action: "resend", label: "Send Same Bytes Again", icon: "debug-restart" },
  { possible: "createReplacement", action: "replace", label: "Create Replacement…", icon: "arrow-swap" },
  { possible: "tryOtherNode", action: "another-node", label: "Send to Another Node…", icon: "remote" },
  { possible: "lookNow", action: "look-now", label: "Look Now", icon: "refresh" },
  { possible: "exportProof", action: "export-proof", label: "Export Proof…", icon: "export" },
];
