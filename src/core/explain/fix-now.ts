import { verdictOn } from "../tracking/retry-verdict.ts";
import type { TrackedTransaction } from "../tracking/tracked-transaction.ts";
import type { Explanation } from "./explanation.ts";

/**
 * What is left to do about an answer. An old refusal must not ask for bytes whose transaction is final since: when blocks or proofs say
 * what became of it, they decide. How an execution is mended stays right.
 *
 * @param tracked - the transaction that the answer names, when this computer follows it
 */
export function fixNow({ category, fix }: Explanation, tracked: TrackedTransaction | undefined): string {
  const kind = tracked?.state.kind;
  if (tracked?.signed === undefined || kind === "rejected" || kind === "signed" || kind === "unknown") return fix;
  if (category === "execution" || category === "abi") return fix;
  return verdictOn(tracked).advice ?? "Nothing has to be done.";
}
