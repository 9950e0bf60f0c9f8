import { isAlive, isOnlyRefused, isSending, type TrackedTransaction } from "@finality/client/tracking";
import { grouped } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import type { LifeLineStage, StageMark, Tone } from "../../webview-messages/life-line.ts";

type Marks = readonly [sent: StageMark, pool: StageMark, block: StageMark, end: StageMark];

/** The life at a glance: signed, sent, pool, block and what it ends with. */
export function describeStages(tracked: TrackedTransaction, sessionStart: number): readonly LifeLineStage[] {
  const [sent, pool, block, end] = marksOf(tracked, sessionStart);
  const { state, signed } = tracked;
  const height = "block" in state ? t`Block ${grouped(state.block.number)}` : t`In a block`;
  return [
    signed === undefined ? stage(t`Followed`, "done", "eye") : stage(t`Signed`, "done", "lock"),
    stage(t`Sent`, sent, "send"),
    stage(t`In the pool`, pool, "inbox"),
    stage(height, block, "package"),
    endStage(tracked, end),
  ];
}

function marksOf(tracked: TrackedTransaction, sessionStart: number): Marks {
  const { state } = tracked;
  if (isSending(tracked, sessionStart)) return ["now", "ahead", "ahead", "ahead"];
  switch (state.kind) {
    case "signed":
      return ["ahead", "ahead", "ahead", "ahead"];
    case "unknown":
      return ["open", "ahead", "ahead", "ahead"];
    case "pending":
      return ["done", "now", "ahead", "ahead"];
    case "included":
      return ["done", "done", "now", "ahead"];
    case "solidified":
      return ["done", "done", "done", state.outcome.kind === "success" ? "done" : "failed"];
    case "rejected":
      if (isAlive(tracked)) return ["open", "ahead", "ahead", "ahead"];
      return isOnlyRefused(tracked) ? ["failed", "ahead", "ahead", "ahead"] : ["failed", "never", "never", "never"];
    case "proven-absent":
    case "replaced":
      return [sentMark(tracked), "never", "never", "done"];
  }
}

/** How the sending looks once it does not matter any more what became of it. */
function sentMark({ attempts }: TrackedTransaction): StageMark {
  if (attempts.length === 0) return "never";
  return attempts.every(({ outcome }) => outcome?.kind === "rejected") ? "failed" : "done";
}

function endStage({ state }: TrackedTransaction, mark: StageMark): LifeLineStage {
  switch (state.kind) {
    case "proven-absent":
      return { ...stage(t`Proven absent`, mark, "history"), tone: "neutral" };
    case "replaced":
      return { ...stage(t`Replaced`, mark, "arrow-swap"), tone: "neutral" };
    case "solidified":
      return stage(mark === "failed" ? t`Failed` : t`Solidified`, mark, "verified-filled");
    default:
      return stage(t`Solidified`, mark, "verified-filled");
  }
}

function stage(label: string, mark: StageMark, icon: string): LifeLineStage {
  const { tone, spoken, icon: own } = MARKS[mark];
  return { label, mark, tone, icon: own ?? icon, spoken: `${label}: ${spoken}` };
}

interface MarkLook {
  readonly tone: Tone;
  readonly spoken: string;
  readonly icon?: string;
}

const MARKS: { readonly [K in StageMark]: MarkLook } = {
  done: { tone: "good", spoken: t`done` },
  now: { tone: "moving", spoken: t`it is here now` },
  open: { tone: "warning", spoken: t`not known`, icon: "question" },
  failed: { tone: "bad", spoken: t`failed`, icon: "error" },
  ahead: { tone: "neutral", spoken: t`not yet` },
  never: { tone: "neutral", spoken: t`will not happen` },
};
