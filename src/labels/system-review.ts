import type { TransferCost } from "@finality/client/estimates";
import type { ProofCost } from "@finality/client/proof";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { contractWords, creationWords, nameWords, rewardWords, trc10Words } from "./account-words.ts";
import { permissionUpdateWords } from "./permission-review.ts";
import { type SigningWords, signingLines } from "./permission-words.ts";
import { describeProofCost } from "./proofs.ts";
import { costText, type Expiry, expiryWords, type Party, partyText } from "./reviews.ts";
import { stakeIntentWords } from "./stake-words.ts";
import type { SystemFacts, SystemIntent, SystemWords } from "./system-words.ts";
import { voteWords } from "./vote-words.ts";

/** Says what an intent does with the account as it is now, in numbers. */
export function systemWords(intent: SystemIntent, facts: SystemFacts): SystemWords {
  switch (intent.kind) {
    case "permission-update":
      return permissionUpdateWords(intent, facts);
    case "vote":
      return voteWords(intent, facts);
    case "claim-reward":
      return rewardWords(facts);
    case "token-transfer":
      return trc10Words(intent, facts);
    case "account-creation":
      return creationWords(facts);
    case "account-name":
      return nameWords(intent);
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return contractWords(intent, facts);
    default:
      return stakeIntentWords(intent, facts);
  }
}

/** All that a person sees before a transaction of the system's own contracts is signed. */
export interface SystemReview {
  readonly words: SystemWords;
  readonly network: string;
  readonly production: boolean;
  /** Symbol of the network's coin; absent where none is known. */
  readonly symbol?: string | undefined;
  readonly from: Party;
  readonly signing: SigningWords;
  readonly cost: TransferCost;
  readonly expiry: Expiry;
  /** What it would cost to prove that no block holds it. */
  readonly proofCost: ProofCost;
  readonly matchingFields: number;
  /** What is said before everything else, one a line. */
  readonly warnings: readonly string[];
}

/** The question before signing: what moves, what it costs, and that the bytes say no more. */
export function systemReviewText(review: SystemReview): { readonly title: string; readonly detail: string } {
  const { words, network, production, from, matchingFields } = review;
  const expiry = expiryWords(review.expiry);
  const alarms = [...(expiry.alarm === undefined ? [] : [expiry.alarm]), ...(words.alarms ?? []), ...words.doubts];
  const lines = [
    ...(review.warnings.length > 0 ? [...review.warnings, ""] : []),
    ...alarms.flatMap((it) => [`⚠ ${it}`, ""]),
    t`Network: ${visibleLine(network)}${production ? t` (real money)` : ""}`,
    t`From: ${partyText(from)}`,
    ...signingLines(review.signing),
    ...words.lines,
    t`Costs: ${costText(review.cost, review.symbol)}`,
    expiry.line,
    t`If it gets lost: proof after that time, from ${describeProofCost(review.proofCost)}`,
    "",
    t`The bytes say exactly what you asked: ${matchingFields} of ${matchingFields} fields match.`,
  ];
  const title =
    words.doubts.length === 0 ? t`${words.action}?` : t`${words.action} although the chain would refuse it?`;
  return { title, detail: lines.join("\n") };
}
