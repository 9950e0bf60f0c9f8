import { verdictOn } from "./retry-verdict.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/**
 * What is left to do about an answer, now that blocks or proofs say what became of its transaction; undefined while what the answer
 * itself asks for is still right. An old refusal must not ask for bytes whose transaction is final since.
 *
 * @example
 * fixNow(final); // "Nothing has to be done."
 */
export function fixNow(tracked: TrackedTransaction): string | undefined {
  const { kind } = tracked.state;
  if (tracked.signed === undefined || kind === "rejected" || kind === "signed" || kind === "unknown") return undefined;
  return verdictOn(tracked).advice ?? "Nothing has to be done.";
}
