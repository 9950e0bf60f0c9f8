import { noticeText, visibleLine } from "../../core/primitives/plain-text.ts";
import { isResendable } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import { describeIntent, type NameOf } from "../../core/transaction/describe-intent.ts";
import { adviceFor } from "./advice.view.ts";
import { describeFailure, isSending } from "./state.view.ts";

export type NoticeAction = "resend" | "keep-watching" | "show";

/** Something that must not stay unseen. All other news is in the tree alone. */
export interface Notice {
  readonly severity: "warning" | "error";
  readonly message: string;
  readonly actions: readonly { readonly title: string; readonly action: NoticeAction }[];
}

const RESEND = { title: "Send Same Bytes Again", action: "resend" } as const;
const WATCH = { title: "Keep Watching", action: "keep-watching" } as const;
const SHOW = { title: "Show", action: "show" } as const;

export interface NoticeContext {
  readonly nameOf: NameOf;
  /** When this window began, local clock, Unix ms. */
  readonly sessionStart: number;
}

const LONG = 1_000;

/**
 * What to say about the state that a transaction came to, if anything: unknown, rejected, final but failed. Texts of the chain in
 * it are texts: a notification would make links of some.
 */
export function noticeAbout(tracked: TrackedTransaction, context: NoticeContext): Notice | undefined {
  const notice = describeNotice(tracked, context);
  return notice && { ...notice, message: noticeText(notice.message, LONG) };
}

function describeNotice(tracked: TrackedTransaction, { nameOf, sessionStart }: NoticeContext): Notice | undefined {
  const { state, signed } = tracked;
  if (signed === undefined || isSending(tracked, sessionStart)) return undefined;
  const what = describeIntent(signed.intent, nameOf);
  switch (state.kind) {
    case "unknown": {
      const message = `Outcome unknown: ${what}. It may still be executed. Sending the same bytes again is harmless; a new payment is not.`;
      return { severity: "warning", message, actions: [RESEND, WATCH, SHOW] };
    }
    case "rejected": {
      const message = `Rejected before the pool: ${what}. ${said(state)}. ${adviceFor(tracked)}`;
      return { severity: "error", message, actions: isResendable(tracked) ? [RESEND, SHOW] : [SHOW] };
    }
    case "solidified":
      if (tracked.absence !== undefined) return { severity: "error", message: alarmAbout(what), actions: [SHOW] };
      if (state.outcome.kind === "success") return undefined;
      return {
        severity: "error",
        message: `Final, but failed: ${what}. ${describeFailure(state.outcome)}.`,
        actions: [SHOW],
      };
    case "signed":
    case "pending":
    case "included":
    case "proven-absent":
    case "replaced":
      return undefined;
  }
}

/** What the node said; its full stop, where it has one, ends our sentence. */
function said({ code, message }: { readonly code: string; readonly message: string }): string {
  return visibleLine(message === "" ? code : message).replace(/\.$/, "");
}

function alarmAbout(what: string): string {
  return `${what} was proven absent, and yet a block holds it. Do not trust this gateway, and check what replaced it.`;
}
