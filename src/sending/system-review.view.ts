import type { TransferCost } from "@finality/client/estimates";
import type { ProofCost } from "@finality/client/proof";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type SigningWords, signingLines } from "../labels/permissions.ts";
import { describeProofCost } from "../labels/proofs.ts";
import { costText, type Expiry, expiryWords, type Party, partyText } from "../labels/reviews.ts";
import { permissionEffect } from "./permission-changes.view.ts";
import {
  accountNameEffect,
  contractEffect,
  creationEffect,
  rewardEffect,
  type SystemEffect,
  type SystemFacts,
  type SystemIntent,
  stakeIntentEffect,
  trc10Effect,
  voteEffect,
} from "./system-effect.view.ts";

/** Returns the effect of a system intent on the account as it is now. */
export function effectOf(intent: SystemIntent, facts: SystemFacts): SystemEffect {
  switch (intent.kind) {
    case "permission-update":
      return permissionEffect(intent, facts);
    case "vote":
      return voteEffect(intent, facts);
    case "claim-reward":
      return rewardEffect(facts);
    case "token-transfer":
      return trc10Effect(intent, facts);
    case "account-creation":
      return creationEffect(facts);
    case "account-name":
      return accountNameEffect(intent);
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return contractEffect(intent, facts);
    default:
      return stakeIntentEffect(intent, facts);
  }
}

/** Content of the review of a system contract. */
export interface SystemReview {
  readonly words: SystemEffect;
  readonly network: string;
  readonly production: boolean;
  /** Symbol of the network's coin; absent where none is known. */
  readonly symbol?: string | undefined;
  readonly from: Party;
  readonly signing: SigningWords;
  readonly cost: TransferCost;
  readonly expiry: Expiry;
  /** Cost of a proof that no block contains it. */
  readonly proofCost: ProofCost;
  readonly matchingFields: number;
  /** Warnings that come first, one per line. */
  readonly warnings: readonly string[];
}

/** Returns the review of a system contract: effect, cost and verification. */
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
