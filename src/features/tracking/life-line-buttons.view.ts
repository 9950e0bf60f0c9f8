import {
  hasEnoughSignatures,
  judge,
  type ReplacementPermission,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { t } from "@vscode/l10n";
import { sendTitle } from "../../labels/transactions.ts";
import type { LifeLineAction, LifeLineButton } from "../../webview-messages/life-line.ts";

/**
 * What may be done now: core decides, this only names it. The first one is the one to take where there is something to
 * decide.
 *
 * @param fallbackUrls - further nodes that the network names
 */
export function describeButtons(
  tracked: TrackedTransaction,
  fallbackUrls: readonly string[],
): readonly LifeLineButton[] {
  const judgement = judge(tracked, { otherUrls: fallbackUrls });
  const { createReplacement, doItAgain, sendToAnotherNode, lookNow, exportProof } = judgement;
  const resendable = judgement.sendSameBytes.allowed;
  const { state, signed } = tracked;
  const isComplete = state.kind === "signed" && signed !== undefined && hasEnoughSignatures(signed);
  const decides = isComplete || state.kind === "unknown" || state.kind === "rejected";
  const icon = state.kind === "signed" ? "send" : "debug-restart";
  const resend = resendable ? [button("resend", sendTitle(tracked), icon, decides)] : [];
  const replace = createReplacement.allowed
    ? [button("replace", t`Create Replacement…`, "arrow-swap", !resendable)]
    : refusedReplacement(createReplacement);
  const buttons = [
    ...resend,
    ...replace.filter(({ whyNot }) => whyNot === null),
    ...(judgement.signAgain.allowed ? [button("sign", signTitle(tracked), "edit", true)] : []),
    ...(doItAgain.allowed ? [button("again", t`Do It Again…`, "redo", true)] : []),
    ...(sendToAnotherNode.allowed ? [button("another-node", t`Send to Another Node…`, "remote")] : []),
    ...(lookNow.allowed ? [button("look-now", t`Look Now`, "refresh")] : []),
    ...proofButton(tracked),
    ...(exportProof.allowed ? [button("export-proof", t`Export Proof…`, "export")] : []),
    ...replace.filter(({ whyNot }) => whyNot !== null),
    button("copy-report", t`Copy Report`, "copy"),
    button("show-in-list", t`Show in List`, "list-tree"),
  ];
  const first = buttons.find(({ primary }) => primary);
  return buttons.map((it) => ({ ...it, primary: it === first }));
}

function signTitle({ state }: TrackedTransaction): string {
  return state.kind === "signed" ? t`Add Signature…` : t`Sign Again…`;
}

/** Where a replacement is what people look for, it is there before it may be created, with the reason. */
function refusedReplacement(permission: ReplacementPermission): readonly LifeLineButton[] {
  if (permission.allowed || permission.when === undefined) return [];
  return [{ ...button("replace", t`Create Replacement…`, "arrow-swap"), whyNot: permission.why }];
}

/** A search that stopped goes on by itself after a while; a person need not wait, and goes on with what she stopped. */
function proofButton({ proving }: TrackedTransaction): readonly LifeLineButton[] {
  switch (proving?.kind) {
    case undefined:
      return [];
    case "scanning":
      return [button("stop-proof", t`Stop Proof`, "debug-stop")];
    case "stopped":
      return [button("resume-proof", t`Resume Proof`, "debug-continue")];
  }
}

function button(action: LifeLineAction, label: string, icon: string, primary = false): LifeLineButton {
  return { action, label, icon, primary, whyNot: null };
}
