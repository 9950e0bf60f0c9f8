import type { ReasonOf } from "@finality/client/explain";
import { isDisputed, type TrackedTransaction } from "@finality/client/tracking";
import { grouped, shortTxId } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { describeDispute } from "../../labels/transactions.ts";
import type { DecoderSaying } from "../../webview-messages/decoder.ts";

/** Where a transaction stands, in few words. */
export function describeStanding(tracked: TrackedTransaction, reasonOf: ReasonOf): Omit<DecoderSaying, "detail"> {
  const { state } = tracked;
  switch (state.kind) {
    case "signed":
      return { icon: "lock", tone: "neutral", text: t`Signed, not sent` };
    case "unknown":
      return { icon: "question", tone: "warning", text: t`Outcome unknown: it may still be executed` };
    case "pending":
      return { icon: "clockface", tone: "moving", text: t`Accepted by the node, not final` };
    case "included":
      return { icon: "package", tone: "moving", text: t`In block ${grouped(state.block.number)}, not final` };
    case "solidified":
      return state.outcome.kind === "success"
        ? { icon: "verified-filled", tone: "good", text: t`Final in block ${grouped(state.block.number)}` }
        : failed(tracked, visibleLine(reasonOf(tracked)?.text ?? state.outcome.result, 200));
    case "rejected":
      return { icon: "circle-slash", tone: "bad", text: t`Refused: ${visibleLine(state.code)}` };
    case "proven-absent":
      return { icon: "history", tone: "neutral", text: t`Expired and proven absent: safe to replace` };
    case "replaced":
      return { icon: "arrow-swap", tone: "neutral", text: t`Replaced by ${shortTxId(state.by)}` };
  }
}

function failed(tracked: TrackedTransaction, reason: string): Omit<DecoderSaying, "detail"> {
  if (isDisputed(tracked)) return { icon: "question", tone: "warning", text: describeDispute(tracked, reason) };
  return { icon: "error", tone: "bad", text: t`Final, but failed: ${reason}` };
}
