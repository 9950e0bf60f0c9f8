import type { ReasonOf } from "../../core/explain/failure-reason.ts";
import { isDisputed } from "../../core/life/disputed.ts";
import { isSending } from "../../core/life/is-sending.ts";
import { isThereAlthoughRefused } from "../../core/life/only-refused.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { noticeText, visibleLine } from "../../core/primitives/plain-text.ts";
import { judge } from "../../core/retry/judge.ts";
import type { NameOf } from "../../words/forms/short.ts";
import { describeIntent } from "../../words/sentences/intents.ts";
import { describeDispute } from "../../words/sentences/transactions.ts";
import { adviceFor } from "./advice.view.ts";
import { describeFailure, type StateContext } from "./state.view.ts";

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

export interface NoticeContext extends StateContext {
  readonly nameOf: NameOf;
}

const LONG = 1_000;

/**
 * What to say about the state that a transaction came to, if anything: unknown, rejected, there although it was
 * refused, final but failed. Texts of the chain in it are texts: a notification would make links of some.
 */
export function noticeAbout(tracked: TrackedTransaction, context: NoticeContext): Notice | undefined {
  const notice = describeNotice(tracked, context);
  return notice && { ...notice, message: noticeText(notice.message, LONG) };
}

function describeNotice(tracked: TrackedTransaction, context: NoticeContext): Notice | undefined {
  const { nameOf, sessionStart, reasonOf } = context;
  const { state, signed } = tracked;
  if (signed === undefined || isSending(tracked, sessionStart)) return undefined;
  const what = describeIntent(signed.intent, nameOf);
  if (isThereAlthoughRefused(tracked) && !hasFailed(tracked)) {
    return { severity: "error", message: falseRefusalOf(tracked, what), actions: [SHOW] };
  }
  switch (state.kind) {
    case "unknown": {
      const { row, advice, sendSameBytes } = judge(tracked);
      const lead = row === "turned-away" ? `${what}. ${visibleLine(state.reason, LONG)}` : `Outcome unknown: ${what}.`;
      const message = advice === undefined ? lead : `${lead} ${advice}`;
      return { severity: "warning", message, actions: [...(sendSameBytes.allowed ? [RESEND] : []), WATCH, SHOW] };
    }
    case "rejected": {
      const message = `Rejected before the pool: ${what}. ${said(state)}. ${adviceFor(tracked)}`;
      return { severity: "error", message, actions: judge(tracked).sendSameBytes.allowed ? [RESEND, SHOW] : [SHOW] };
    }
    case "solidified":
      if (tracked.absence !== undefined) return { severity: "error", message: alarmAbout(what), actions: [SHOW] };
      if (state.outcome.kind === "success") return undefined;
      return { severity: "error", message: wordsOfFailure(tracked, what, reasonOf), actions: [SHOW] };
    case "signed":
    case "pending":
    case "included":
    case "proven-absent":
    case "replaced":
      return undefined;
  }
}

function wordsOfFailure(tracked: TrackedTransaction, what: string, reasonOf: ReasonOf): string {
  const failure = describeFailure(tracked, reasonOf);
  const source = reasonOf(tracked)?.source;
  const named = source === undefined ? "" : ` (named by ${visibleLine(source, 120)})`;
  if (!isDisputed(tracked)) return `Final, but failed: ${what}. ${failure}${named}.`;
  return `Failed, or executed: ${what}. ${describeDispute(tracked, failure)}. Do not pay again before you know.`;
}

/** What the node said; its full stop, where it has one, ends our sentence. */
function said({ code, message }: { readonly code: string; readonly message: string }): string {
  return visibleLine(message === "" ? code : message).replace(/\.$/, "");
}

function hasFailed({ state }: TrackedTransaction): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed";
}

/** The first answer stays as the reason; the chain says otherwise. */
function falseRefusalOf({ attempts, replacedBy }: TrackedTransaction, what: string): string {
  const first = attempts[0]?.outcome;
  const reason = first?.kind === "rejected" ? said(first) : "";
  const others = replacedBy === undefined ? "do not pay again" : "check what replaced it";
  return `${what} was refused (${reason}), and yet the chain has it. The gateway said that nothing was executed: ${others}, and do not trust this gateway.`;
}

function alarmAbout(what: string): string {
  return `${what} was proven absent, and yet a block holds it. Do not trust this gateway, and check what replaced it.`;
}
