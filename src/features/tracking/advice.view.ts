import { visibleLine } from "../../core/primitives/plain-text.ts";
import { verdictOn } from "../../core/tracking/retry-verdict.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";

/** What to do next, where something is to be done. */
export function adviceFor(tracked: TrackedTransaction): string | undefined {
  const { state, signed } = tracked;
  if (state.kind !== "unknown") return verdictOn(tracked).advice;
  return signed === undefined ? undefined : `${verdictOn(tracked).advice} (${visibleLine(state.reason)})`;
}
