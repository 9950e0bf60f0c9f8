import type { ReasonOf } from "@finality/client/explain";
import { describeDispute, operationLabel } from "@finality/client/labels";
import {
  decideActions,
  isDisputed,
  isSending,
  isTraceable,
  isWronglyRejected,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { type NameOf, withoutStop } from "@finality/tron/format";
import { noticeText, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { adviceFor, describeFailure, type StateContext } from "./transaction.view.ts";

export type NoticeAction = "resend" | "keep-watching" | "show" | "show-list" | "timeline" | "trace" | "decode" | "hide";

/** Topic of a notice that is not shown while its subject is visible. */
export type CalmTopic = "failed" | "first-final";

/** Message that the user must see. All other news is shown in the tree only. */
export interface Notice {
  readonly severity: "information" | "warning" | "error";
  readonly message: string;
  readonly actions: readonly { readonly title: string; readonly action: NoticeAction }[];
  readonly topic?: CalmTopic;
  /** Identifies the content in any language, so that only one window shows the notice. */
  readonly about: string;
}

const RESEND = { title: t`Send Same Bytes Again`, action: "resend" } as const;
const WATCH = { title: t`Keep Watching`, action: "keep-watching" } as const;
const SHOW = { title: t`Show`, action: "show" } as const;
const TRACE = { title: t`Trace`, action: "trace" } as const;
const DECODE = { title: t`Decode`, action: "decode" } as const;
const HIDE = { title: t`Don't Show Again`, action: "hide" } as const;
const SHOW_LIST = { title: t`Show List`, action: "show-list" } as const;

const FIRST_FINAL: Notice = {
  severity: "information",
  message: t`Your first transaction is final. Show its page?`,
  actions: [{ title: t`Open`, action: "timeline" }],
  topic: "first-final",
  about: "first-final",
};

export interface NoticeContext extends StateContext {
  readonly nameOf: NameOf;
  /** True if the first final transaction is reported. */
  readonly greets?: boolean;
  /** Returns true for a transaction of the local chain, which can trace it. */
  readonly isLocal?: (tracked: TrackedTransaction) => boolean;
}

const LONG = 1_000;

/**
 * Returns the notice about the new transaction state, if it needs one: unknown, rejected, on the chain although it was
 * refused, or final but failed. Texts of the chain are made plain text, because a notification would turn some into
 * links.
 */
export function noticeAbout(tracked: TrackedTransaction, context: NoticeContext): Notice | undefined {
  const notice = describeNotice(tracked, context);
  return notice && { ...notice, message: noticeText(notice.message, LONG) };
}

function describeNotice(tracked: TrackedTransaction, context: NoticeContext): Notice | undefined {
  const { nameOf, sessionStart, reasonOf } = context;
  const { state, signed } = tracked;
  if (signed === undefined || isSending(tracked, sessionStart)) return undefined;
  const what = operationLabel(tracked, nameOf);
  if (isWronglyRejected(tracked) && !hasFailed(tracked)) {
    return { severity: "error", message: falseRefusalOf(tracked, what), actions: [SHOW], about: "false-refusal" };
  }
  switch (state.kind) {
    case "unknown": {
      const { row, advice, sendSameBytes } = decideActions(tracked);
      const lead =
        row === "turned-away" ? t`${what}. ${visibleLine(state.reason, LONG)}` : t`Outcome unknown: ${what}.`;
      const message = advice === undefined ? lead : `${lead} ${advice}`;
      const actions = [...(sendSameBytes.allowed ? [RESEND] : []), WATCH, SHOW];
      return { severity: "warning", message, actions, about: `unknown ${row} ${tracked.attempts.length}` };
    }
    case "rejected": {
      const message = t`Rejected before the pool: ${what}. ${text(state)}. ${String(adviceFor(tracked))}`;
      const actions = decideActions(tracked).sendSameBytes.allowed ? [RESEND, SHOW] : [SHOW];
      return { severity: "error", message, actions, about: `rejected ${state.code}` };
    }
    case "solidified":
      if (tracked.absence !== undefined)
        return { severity: "error", message: alarmAbout(what), actions: [SHOW], about: "alarm" };
      if (state.outcome.kind === "success") return context.greets === true ? FIRST_FINAL : undefined;
      return failureNotice(tracked, failureText(tracked, what, reasonOf), context.isLocal?.(tracked) === true);
    case "signed":
    case "pending":
    case "included":
    case "proven-absent":
    case "replaced":
      return undefined;
  }
}

/** Disputed failures cannot be hidden, because the user may have to pay again. */
function failureNotice(tracked: TrackedTransaction, message: string, isLocal: boolean): Notice {
  if (isDisputed(tracked)) return { severity: "error", message, actions: [SHOW], about: "disputed" };
  const trace = isLocal && isTraceable(tracked) ? [TRACE] : [];
  return { severity: "error", message, actions: [SHOW, ...trace, DECODE, HIDE], topic: "failed", about: "failed" };
}

/** Combines several messages into one. The message about the first final transaction waits. */
export function noticeAboutSeveral(notices: readonly Notice[]): Notice | undefined {
  const serious = notices.filter(({ topic }) => topic !== "first-final");
  if (serious.length < 2) return serious[0] ?? notices[0];
  const [first] = serious;
  const severity = serious.some((it) => it.severity === "error") ? "error" : "warning";
  const message = t`${serious.length} transactions need attention. ${first?.message ?? ""} The list shows the next step for each.`;
  return { severity, message: noticeText(message, LONG), actions: [SHOW_LIST], about: "several" };
}

function failureText(tracked: TrackedTransaction, what: string, reasonOf: ReasonOf): string {
  const failure = describeFailure(tracked, reasonOf);
  const source = reasonOf(tracked)?.source;
  const named = source === undefined ? "" : t` (named by ${visibleLine(source, 120)})`;
  if (!isDisputed(tracked)) return t`Final, but failed: ${what}. ${failure}${named}.`;
  return t`Failed, or executed: ${what}. ${describeDispute(tracked, failure)}. Do not pay again until it is clear.`;
}

/** Returns the message of the node without its final full stop. */
function text({ code, message }: { readonly code: string; readonly message: string }): string {
  return withoutStop(visibleLine(message === "" ? code : message));
}

function hasFailed({ state }: TrackedTransaction): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed";
}

/** Describes a contradiction: the gateway refused the transaction, and the chain has it. */
function falseRefusalOf({ attempts, replacedBy }: TrackedTransaction, what: string): string {
  const first = attempts[0]?.outcome;
  const reason = first?.kind === "rejected" ? text(first) : "";
  const others = replacedBy === undefined ? t`do not pay again` : t`check what replaced it`;
  return t`${what} was refused (${reason}), but the chain has it. The gateway reported that nothing was executed: ${others}, and do not trust this gateway.`;
}

function alarmAbout(what: string): string {
  return t`${what} was proven absent, but a block contains it. Do not trust this gateway, and check what replaced it.`;
}

/** Describes that the gateways of these networks do not answer. */
export function describeOutage(networks: readonly string[]): string {
  const [network] = networks;
  return networks.length === 1
    ? t`The gateway of ${String(network)} does not answer. Finality retries reads and sends nothing.`
    : t`The gateways of ${networks.join(", ")} do not answer. Finality retries reads and sends nothing.`;
}
