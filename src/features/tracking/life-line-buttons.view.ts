import { mayReplace } from "../../core/replacement/safe-replacement.ts";
import { type PossibleAction, possibleActions } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { LifeLineAction, LifeLineButton } from "../../webview-messages/life-line.ts";

/**
 * What may be done now: core decides, this only names it. The first one is the one to take where there is something to decide.
 *
 * @param fallbackUrls - further nodes that the network names
 */
export function describeButtons(
  tracked: TrackedTransaction,
  fallbackUrls: readonly string[],
): readonly LifeLineButton[] {
  const possible = new Set<PossibleAction>(possibleActions(tracked, fallbackUrls));
  const resendable = possible.has("sendSameBytes");
  const decides = tracked.state.kind === "unknown" || tracked.state.kind === "rejected";
  const resend = resendable ? [button("resend", "Send Same Bytes Again", "debug-restart", decides)] : [];
  const replace = possible.has("createReplacement")
    ? [button("replace", "Create Replacement…", "arrow-swap", !resendable)]
    : refusedReplacement(tracked);
  const buttons = [
    ...resend,
    ...replace.filter(({ whyNot }) => whyNot === null),
    ...(possible.has("tryOtherNode") ? [button("another-node", "Send to Another Node…", "remote")] : []),
    ...(possible.has("lookNow") ? [button("look-now", "Look Now", "refresh")] : []),
    ...proofButton(tracked),
    ...(possible.has("exportProof") ? [button("export-proof", "Export Proof…", "export")] : []),
    ...replace.filter(({ whyNot }) => whyNot !== null),
    button("copy-report", "Copy Report", "copy"),
    button("show-in-list", "Show in List", "list-tree"),
  ];
  const first = buttons.find(({ primary }) => primary);
  return buttons.map((it) => ({ ...it, primary: it === first }));
}

/** Where a replacement is what people look for, it is there before it may be created, with the reason. */
function refusedReplacement(tracked: TrackedTransaction): readonly LifeLineButton[] {
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
