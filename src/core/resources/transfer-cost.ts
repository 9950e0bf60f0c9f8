import type { AccountResources, ChainParameters } from "../gateway/gateway.ts";
import { type Sun, sun } from "../primitives/amount.ts";
import { type BandwidthPart, bandwidthPart, stakedBandwidthLeft } from "./bandwidth.ts";

/** What is known of a transfer before it is sent. */
export interface TransferFacts {
  /** `bandwidthOf` of the transaction with all its signatures. */
  readonly bandwidth: bigint;
  readonly signatures: number;
  readonly hasMemo: boolean;
  readonly recipientExists: boolean;
  /** Of the owner; absent when the account is not activated. */
  readonly resources: AccountResources | undefined;
}

/** One thing that a transfer takes from its owner besides the amount. */
export type CostPart =
  | BandwidthPart
  /** `account-creation-bandwidth` replaces the bandwidth of a transfer that creates its recipient. */
  | { readonly kind: "account-creation-bandwidth" | "account-creation" | "multi-sign" | "memo"; readonly amount: Sun };

export interface TransferCost {
  readonly parts: readonly CostPart[];
  /** What the owner pays besides the amount. */
  readonly fee: Sun;
}

const NOTHING = sun(0n);

/**
 * What a coin transfer will cost its owner besides the amount, in the node's order (BandwidthProcessor.consume,
 * Manager).
 *
 * The free quota of the whole network, which no endpoint shows, is taken as sufficient. A parameter that the chain does
 * not list counts as 0.
 */
export function transferCost(facts: TransferFacts, parameters: ChainParameters): TransferCost {
  const price = (name: string): Sun => sun(parameters.get(name) ?? 0n);
  const parts: CostPart[] = facts.recipientExists
    ? [bandwidthPart(facts.bandwidth, facts.resources, price("getTransactionFee"))]
    : [
        creationBandwidthPart(facts, parameters),
        { kind: "account-creation", amount: price("getCreateNewAccountFeeInSystemContract") },
      ];
  if (facts.signatures > 1) parts.push({ kind: "multi-sign", amount: price("getMultiSignFee") });
  if (facts.hasMemo) parts.push({ kind: "memo", amount: price("getMemoFee") });
  return { parts, fee: sun(parts.reduce((total, it) => total + it.amount, 0n)) };
}

/** The free quota cannot pay for an account. */
function creationBandwidthPart({ bandwidth, resources }: TransferFacts, parameters: ChainParameters): CostPart {
  const bytes = bandwidth * (parameters.get("getCreateNewAccountBandwidthRate") ?? 1n);
  if (stakedBandwidthLeft(resources) >= bytes) return { kind: "staked-bandwidth", bytes, amount: NOTHING };
  return { kind: "account-creation-bandwidth", amount: sun(parameters.get("getCreateAccountFee") ?? 0n) };
}
