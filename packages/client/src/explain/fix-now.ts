import { t } from "@vscode/l10n";
import { decideActions } from "../retry/permitted-actions.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import type { Explanation } from "./result/explanation.ts";
import { mendingIn } from "./words/refusal-words.ts";

/**
 * Returns the remaining steps for an answer. For a tracked transaction, the retry policy decides. An old refusal must
 * not ask for bytes whose transaction is final by now, nor for a new transaction beside them. The fix for a cause or an
 * execution stays valid.
 *
 * @param tracked - the transaction that the answer names, when this computer follows it
 * @param chainTime - about now by the clock of its chain, ms
 */
export function fixNow(
  { category, fix, retry }: Explanation,
  tracked: TrackedTransaction | undefined,
  chainTime?: number,
): string {
  if (tracked?.signed === undefined || category === "execution" || category === "abi") return fix;
  const { kind } = tracked.state;
  const isOpen = kind === "rejected" || kind === "signed" || kind === "unknown";
  const { sameBytes, advice } = decideActions(tracked, { chainTime });
  const { expiration } = tracked.signed;
  const isExpired = [chainTime, tracked.chainTime].some((it) => it !== undefined && it >= expiration);
  // The fix for a cause may ask for these same bytes, or for new signatures over them. It no longer applies once they
  // have expired.
  const isObsolete = kind === "rejected" && sameBytes === "no" && (retry.sameBytes !== "no" || isExpired);
  const mending = isOpen && !isObsolete ? mendingIn(fix) : "";
  return `${mending} ${advice ?? t`Nothing has to be done.`}`.trimStart();
}

/**
 * Returns true if an answer reads like a refusal and proves none. A code that asks for the same bytes does not prove
 * that the node did not accept them.
 */
export function isOpenRefusal({ category, retry }: Pick<Explanation, "category" | "retry">): boolean {
  return category === "validation" && retry.sameBytes === "yes";
}

/** Returns true if an answer reports missing coins. Checks its entry, because its text is in the user's language. */
export function lacksCoins({ entry }: Pick<Explanation, "entry">): boolean {
  return OF_COINS.has(entry);
}

const OF_COINS: ReadonlySet<string> = new Set([
  "account-resource-insufficient",
  "balance-insufficient",
  "call-value-over-balance",
  "code-BANDWITH_ERROR",
  "execution-fee-insufficient",
  "fee-insufficient",
  "generic-BANDWITH_ERROR",
  "rule-fee",
  "stake-over-balance",
  "tool-funds",
  "transfer-balance-insufficient",
  "witness-cost",
]);
