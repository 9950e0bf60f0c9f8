import { localTime, type NameOf } from "@finality/tron/format";
import { type Address, type ForeignText, foreignText } from "@finality/tron/primitives";
import type { IntentOf, VerifiedTransaction } from "@finality/tron/transaction";
import type { CodeIntent } from "../estimates/call-estimate.ts";
import type { TransferCost } from "../estimates/costs.ts";
import { coinSymbolOf } from "../gateway/chain-identity.ts";
import type { NetworkProfile } from "../gateway/network.ts";
import type { EstimateLabels } from "../labels/estimates.ts";
import type { SigningLabels } from "../labels/permissions.ts";
import { type Expiry, lookalikeLines } from "../labels/reviews.ts";
import type { ProofCost } from "../proof/inclusion-interval.ts";
import { codeReviewText, type ReviewText } from "./code-review.view.ts";
import { coinReviewText } from "./coin-review.view.ts";
import type { SystemEffect, SystemIntent } from "./system-effect.view.ts";
import { otherParty, partyOf } from "./system-facts.ts";
import { systemReviewText } from "./system-review.view.ts";

/** A verified transaction, with what the review of every kind shows. */
export interface ReviewedTransaction {
  readonly network: Pick<NetworkProfile, "name" | "baseUrl" | "local" | "production">;
  readonly nameOf: NameOf;
  readonly signing: SigningLabels;
  readonly verified: VerifiedTransaction;
  /** Chain time from the newest block to the expiration, ms. */
  readonly lifetimeMs: number;
  /** Local clock, Unix ms. */
  readonly now: number;
}

/** Names and text that a review of code shows beside the intent. */
export interface CodeDescription {
  /** @example "Call “reserve” on “TeaHouse”" */
  readonly action: string;
  readonly contract?: Address | undefined;
  /** The contract's own claim. */
  readonly contractName?: ForeignText | undefined;
  /** Movements besides coins, one item per line. */
  readonly money: readonly string[];
  /** Arguments and other decisions, one item per line. */
  readonly details: readonly string[];
  /** Claim of the gateway that the bytes depend on. */
  readonly onTrust?: string | undefined;
}

interface ReviewedTransfer {
  readonly intent: IntentOf<"transfer">;
  readonly cost: TransferCost;
  readonly proofCost: ProofCost;
  readonly lookalikes: readonly Address[];
}

interface ReviewedCode {
  readonly intent: CodeIntent;
  readonly code: CodeDescription;
  readonly words: EstimateLabels;
  /** Warnings besides the simulation, as sentences. */
  readonly doubts: readonly string[];
}

interface ReviewedSystemContract {
  readonly intent: SystemIntent;
  readonly words: SystemEffect;
  readonly cost: TransferCost;
  readonly proofCost: ProofCost;
  readonly lookalikes: readonly Address[];
}

/** Text of a review. */
export interface TitledReview {
  readonly title: string;
  readonly detail: string;
}

/** Returns the review of a transfer of coins. */
export function reviewTransfer(
  transaction: ReviewedTransaction,
  { intent, cost, proofCost, lookalikes }: ReviewedTransfer,
): TitledReview {
  const { nameOf, verified } = transaction;
  const { owner, to, amount, memo } = intent;
  return coinReviewText({
    ...commonOf(transaction, owner),
    to: partyOf(nameOf, to),
    amount,
    cost,
    proofCost,
    ...(memo === undefined ? {} : { memo: Buffer.from(memo, "hex").toString("utf8") }),
    matchingFields: verified.fields.length,
    lookalikes,
  });
}

/** Returns the review of a call or a deployment. */
export function reviewCode(
  transaction: ReviewedTransaction,
  { intent, code, words, doubts }: ReviewedCode,
): ReviewText {
  const { action, money, details, onTrust, contract, contractName: claim = foreignText("") } = code;
  return codeReviewText({
    ...commonOf(transaction, intent.owner),
    action,
    money,
    details,
    onTrust,
    contract: contract === undefined ? undefined : { ...partyOf(transaction.nameOf, contract), claim },
    callValue: intent.callValue,
    feeLimit: intent.feeLimit,
    words,
    matchingFields: transaction.verified.fields.length,
    doubts,
  });
}

/** Returns the review of a system contract. */
export function reviewSystemContract(
  transaction: ReviewedTransaction,
  { intent, words, cost, proofCost, lookalikes }: ReviewedSystemContract,
): TitledReview {
  const other = otherParty(intent);
  return systemReviewText({
    ...commonOf(transaction, intent.owner),
    words,
    cost,
    proofCost,
    matchingFields: transaction.verified.fields.length,
    warnings: other === undefined ? [] : lookalikes.flatMap((it) => lookalikeLines(other, it)),
  });
}

function commonOf({ network, nameOf, signing, verified, lifetimeMs, now }: ReviewedTransaction, owner: Address) {
  const { expiration } = verified;
  const expiry: Expiry = { lifetimeMs, expiration, now, isLocalChain: network.local, timeOf: localTime };
  return { network, symbol: coinSymbolOf(network.baseUrl), from: partyOf(nameOf, owner), signing, expiry };
}
