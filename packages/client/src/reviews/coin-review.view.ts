import { bothUnits, coinsText, roughly, shortAddress } from "@finality/tron/format";
import { type Address, type Sun, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { TransferCost } from "../estimates/costs.ts";
import { type SigningLabels, signingLines } from "../labels/permissions.ts";
import { describeProofCost } from "../labels/proofs.ts";
import {
  costText,
  type Expiry,
  expiryText,
  lookalikeLines,
  networkLines,
  type Party,
  partyText,
  type ReviewedNetwork,
} from "../labels/reviews.ts";
import type { ProofCost } from "../proof/inclusion-interval.ts";

/** Content of the review of a coin transfer. */
export interface CoinReview {
  readonly network: ReviewedNetwork;
  /** Symbol of the network's coin; absent if unknown. */
  readonly symbol?: string | undefined;
  readonly from: Party;
  readonly signing: SigningLabels;
  readonly to: Party;
  readonly amount: Sun;
  readonly memo?: string;
  readonly cost: TransferCost;
  readonly expiry: Expiry;
  /** Cost of a proof that no block contains it. */
  readonly proofCost: ProofCost;
  readonly matchingFields: number;
  /** Other known accounts whose address looks like the recipient's. */
  readonly lookalikes: readonly Address[];
}

/** Returns the review of a coin transfer: all fields, the cost and the verification. */
export function coinReviewText(review: CoinReview): { readonly title: string; readonly detail: string } {
  const { from, to, amount, memo, matchingFields, symbol } = review;
  const recipient = to.name === undefined ? shortAddress(to.address) : visibleLine(to.name, 60);
  const expiry = expiryText(review.expiry);
  const lines = [
    ...review.lookalikes.flatMap((it) => [...lookalikeLines(to.address, it), ""]),
    ...(expiry.alarm === undefined ? [] : [`⚠ ${expiry.alarm}`, ""]),
    ...networkLines(review.network),
    t`From: ${partyText(from)}`,
    ...signingLines(review.signing),
    t`To: ${partyText(to)}`,
    t`Amount: ${bothUnits(amount, symbol)}`,
    ...(memo === undefined ? [] : [t`Memo: ${visibleLine(memo)}`]),
    t`Costs: ${costText(review.cost, symbol)}`,
    expiry.line,
    t`If the answer is lost, Finality can prove after expiry that it never ran (${describeProofCost(review.proofCost)})`,
    "",
    t`Verified: ${matchingFields} of ${matchingFields} fields match your request.`,
  ];
  return { title: t`Send ${coinsText(amount, symbol)} to ${recipient}?`, detail: lines.join("\n") };
}

/** List entry for an expiry. */
export interface ValidityItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Chain time from the newest block to the expiration, ms. */
  readonly expiresInMs: number;
}

const USUAL_MS = 60_000;
/** From the minimum of the setting to the maximum of the nodes. */
const CHOICES_MS = [30_000, USUAL_MS, 300_000, 1_800_000, 3_600_000, 86_400_000];

/** Returns the title of the button that changes the expiry. */
export function validityButton(lifetimeMs: number): string {
  return t`Valid for ${roughly(lifetimeMs)}…`;
}

/** Returns the expiries to choose from, the current one first, each with the cost of a proof of absence. */
export function validityItems(
  currentMs: number,
  proofCostFor: (lifetimeMs: number) => ProofCost,
): readonly ValidityItem[] {
  const others = CHOICES_MS.filter((it) => it !== currentMs);
  return [currentMs, ...others].map((ms) => ({
    label: roughly(ms),
    description: [ms === currentMs ? t`current` : "", ms === USUAL_MS ? t`default` : ""].filter(Boolean).join(", "),
    detail: t`If it is lost, no equal transaction is safe for that long; a proof then reads ${describeProofCost(proofCostFor(ms))}.`,
    expiresInMs: ms,
  }));
}
