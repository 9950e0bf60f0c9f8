import { verdictOn } from "./retry-verdict.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Why the same bytes must not, or need not, be sent again, as sentences; undefined when they may. */
export function whyNotAgain(tracked: TrackedTransaction | undefined): string | undefined {
  if (tracked === undefined) return "This transaction is not tracked.";
  if (tracked.signed === undefined) return "Only its txID is known here, not its signed bytes.";
  const { whyNot } = verdictOn(tracked);
  return whyNot === undefined ? undefined : [whyNot, ...particulars(tracked)].join(" ");
}

function particulars({ state, replacedBy }: TrackedTransaction): readonly string[] {
  if (replacedBy !== undefined && state.kind !== "solidified") return [`${replacedBy} took its place.`];
  switch (state.kind) {
    case "included":
    case "solidified":
      return [`It is in block ${state.block.number}.`];
    case "replaced":
      return [`${state.by} took its place.`];
    case "rejected":
      return [`The answer was: ${state.message === "" ? state.code : state.message}.`];
    default:
      return [];
  }
}
