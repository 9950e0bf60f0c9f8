import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { visibleLine } from "../../core/primitives/plain-text.ts";
import { judge } from "../../core/retry/judge.ts";

/** What to do next, where something is to be done. */
export function adviceFor(tracked: TrackedTransaction): string | undefined {
  const { state, signed } = tracked;
  const { advice } = judge(tracked);
  if (state.kind !== "unknown" || advice === undefined) return advice;
  return signed === undefined ? undefined : `${advice} (${visibleLine(state.reason)})`;
}
