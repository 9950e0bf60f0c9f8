import { describeProofCost, type ProofCost } from "../../core/proof/inclusion-interval.ts";
import { formatDuration } from "../../core/transaction/review-words.ts";

/** A time for which a payment may wait for a block, as an entry of a list. */
export interface ValidityItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Chain time from the newest block to the expiration, ms. */
  readonly expiresInMs: number;
}

const USUAL_MS = 60_000;
/** From the least that the setting allows to the most that nodes take. */
const CHOICES_MS = [30_000, USUAL_MS, 300_000, 1_800_000, 3_600_000, 86_400_000];

/** The button of the review that leads to the choice. */
export function validityButton(lifetimeMs: number): string {
  return `Valid for ${formatDuration(lifetimeMs)}…`;
}

/**
 * The choice, the one that stands in the review first; each with what a proof would cost when the payment gets lost.
 */
export function validityItems(
  currentMs: number,
  proofCostFor: (lifetimeMs: number) => ProofCost,
): readonly ValidityItem[] {
  const others = CHOICES_MS.filter((it) => it !== currentMs);
  return [currentMs, ...others].map((ms) => ({
    label: formatDuration(ms),
    description: [ms === currentMs ? "as it is now" : "", ms === USUAL_MS ? "usual" : ""].filter(Boolean).join(", "),
    detail: `If it gets lost: nothing equal can be sent safely for that long, then a proof reads ${describeProofCost(proofCostFor(ms))}.`,
    expiresInMs: ms,
  }));
}
