import { mayReplace } from "../../core/replacement/safe-replacement.ts";
import { isAlive, isReplaceable, isResendable } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { LifeLineAction, LifeLineButton } from "../../webview-messages/life-line.ts";

/**
 * What may be done now: core decides, this only names it. The first one is the one to take where there is something to decide.
 *
 * @param otherNodes - how many further nodes the network names
 */
export function describeButtons(tracked: TrackedTransaction, otherNodes: number): readonly LifeLineButton[] {
  const resendable = isResendable(tracked);
  const decides = tracked.state.kind === "unknown" || tracked.state.kind === "rejected";
  const resend = resendable ? [button("resend", "Send Same Bytes Again", "debug-restart", decides)] : [];
  const replace = replaceButton(tracked, !resendable);
  const buttons = [
    ...resend,
    ...replace.filter(({ whyNot }) => whyNot === null),
    ...(resendable && otherNodes > 0 ? [button("another-node", "Send to Another Node…", "remote")] : []),
    ...(isAlive(tracked) ? [button("look-now", "Look Now", "refresh")] : []),
    ...proofButton(tracked),
    ...(tracked.absence === undefined ? [] : [button("export-proof", "Export Proof…", "export")]),
    ...replace.filter(({ whyNot }) => whyNot !== null),
    button("copy-report", "Copy Report", "copy"),
    button("show-in-list", "Show in List", "list-tree"),
  ];
  const first = buttons.find(({ primary }) => primary);
  return buttons.map((it) => ({ ...it, primary: it === first }));
}

/** Where a replacement is what people look for, it is there before it may be created, with the reason. */
function replaceButton(tracked: TrackedTransaction, primary: boolean): readonly LifeLineButton[] {
  if (isReplaceable(tracked)) return [button("replace", "Create Replacement…", "arrow-swap", primary)];
  const verdict = mayReplace(tracked);
  if (verdict.kind !== "not-yet") return [];
  return [{ ...button("replace", "Create Replacement…", "arrow-swap"), whyNot: verdict.why }];
}

/** A search that stopped goes on by itself after a while; a person need not wait, and goes on with what she stopped. */
function proofButton({ proving }: TrackedTransaction): readonly LifeLineButton[] {
  switch (proving?.kind) {
    case undefined:
      return [];
    case "scanning":
      return [button("stop-proof", "Stop Proof", "debug-stop")];
    case "stopped":
      return [button("resume-proof", "Resume Proof", "debug-continue")];
  }
}

function button(action: LifeLineAction, label: string, icon: string, primary = false): LifeLineButton {
  return { action, label, icon, primary, whyNot: null };
}
