import { t } from "@vscode/l10n";
import { decideActions } from "../retry/permitted-actions.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import type { Explanation } from "./result/explanation.ts";
import { mendingIn } from "./words/refusal-words.ts";

/**
 * What is left to do about an answer. Of a transaction that is followed the one judgement decides: an old refusal must
 * not ask for bytes whose transaction is final since, nor for a new one beside them. How a cause or an execution is
 * mended stays right.
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
  // How a cause is mended may ask for these very bytes, or for new signatures over them: not once they have expired.
  const isObsolete = kind === "rejected" && sameBytes === "no" && (retry.sameBytes !== "no" || isExpired);
  const mending = isOpen && !isObsolete ? mendingIn(fix) : "";
  return `${mending} ${advice ?? t`Nothing has to be done.`}`.trimStart();
}

/**
 * Whether an answer reads like a refusal and proves none: a code that asks for the same bytes does not say that the
 * node has not taken them.
 */
export function isOpenRefusal({ category, retry }: Pick<Explanation, "category" | "retry">): boolean {
  return category === "validation" && retry.sameBytes === "yes";
}

/** Whether an answer says that coins are missing: by its entry, for its words are those of the reader's language. */
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
