import { judge, type TrackedTransaction } from "@finality/client/tracking";
import { visibleLine } from "@finality/tron/primitives";

/** What to do next, where something is to be done. */
export function adviceFor(tracked: TrackedTransaction): string | undefined {
  const { state, signed } = tracked;
  const { advice } = judge(tracked);
  if (state.kind !== "unknown" || advice === undefined) return advice;
  return signed === undefined ? undefined : `${advice} (${visibleLine(state.reason)})`;
}
