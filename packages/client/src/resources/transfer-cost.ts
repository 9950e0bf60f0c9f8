import { type Sun, sun } from "@finality/tron/primitives";
import type { AccountResources, ChainParameters } from "../gateway/gateway.ts";

/** What is known of a transfer before it is sent. */
export interface TransferFacts {
  /** `bandwidthOf` of the transaction with all its signatures. */
  readonly bandwidth: bigint;
  readonly signatures: number;
  readonly hasMemo: boolean;
  readonly recipientExists: boolean;
  readonly updatesPermissions?: boolean;
  /** Of the owner; absent when the account is not activated. */
  readonly resources: AccountResources | undefined;
}

/** One thing that a transfer takes from its owner besides the amount. */
export type CostPart =
  | BandwidthPart
  /** `account-creation-bandwidth` replaces the bandwidth of a transfer that creates its recipient. */
  | {
      readonly kind: "account-creation-bandwidth" | "account-creation" | "multi-sign" | "memo" | "permissions";
      readonly amount: Sun;
    };

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
  if (facts.updatesPermissions === true)
    parts.push({ kind: "permissions", amount: price("getUpdateAccountPermissionFee") });
  if (facts.hasMemo) parts.push({ kind: "memo", amount: price("getMemoFee") });
  return { parts, fee: sun(parts.reduce((total, it) => total + it.amount, 0n)) };
}

/** The free quota cannot pay for an account. */
function creationBandwidthPart({ bandwidth, resources }: TransferFacts, parameters: ChainParameters): CostPart {
  const bytes = bandwidth * (parameters.get("getCreateNewAccountBandwidthRate") ?? 1n);
  if (stakedBandwidthLeft(resources) >= bytes) return { kind: "staked-bandwidth", bytes, amount: NOTHING };
  return { kind: "account-creation-bandwidth", amount: sun(parameters.get("getCreateAccountFee") ?? 0n) };
}

/** How the bytes of a transaction are paid. */
export type BandwidthPart =
  /** Taken from a quota that fills up again within 24 hours. */
  | { readonly kind: "staked-bandwidth" | "free-bandwidth"; readonly bytes: bigint; readonly amount: Sun }
  /** No quota holds all the bytes, so all of them are paid. */
  | { readonly kind: "burned-bandwidth"; readonly bytes: bigint; readonly amount: Sun };

/** The node reserves this for the result of a contract (Constant.java, MAX_RESULT_SIZE_IN_TX). */
const RESULT_RESERVE = 64n;
/** Tag, length and 65 bytes. */
const SIGNATURE_FIELD = 67n;

/**
 * The bandwidth that a transaction of one contract takes.
 *
 * @param rawDataLength - bytes of `raw_data`
 * @returns bytes: the signed transaction without its `ret`, and 64 for a result (BandwidthProcessor.consume)
 * @example
 * bandwidthOf(133, 1); // 267n
 */
export function bandwidthOf(rawDataLength: number, signatures: number): bigint {
  const tagAndLength = 1n + lengthOfVarint(rawDataLength);
  return tagAndLength + BigInt(rawDataLength) + BigInt(signatures) * SIGNATURE_FIELD + RESULT_RESERVE;
}

/**
 * Who pays for the bytes: a quota pays for all of them or for none (BandwidthProcessor.consume).
 *
 * @param resources - of the owner; absent when the account is not activated
 * @param pricePerByte - `getTransactionFee`, sun
 */
export function bandwidthPart(
  bytes: bigint,
  resources: AccountResources | undefined,
  pricePerByte: Sun,
): BandwidthPart {
  if (stakedBandwidthLeft(resources) >= bytes) return { kind: "staked-bandwidth", bytes, amount: NOTHING };
  if (freeLeft(resources) >= bytes) return { kind: "free-bandwidth", bytes, amount: NOTHING };
  return { kind: "burned-bandwidth", bytes, amount: sun(bytes * pricePerByte) };
}

/** Bytes of staked bandwidth that are left. */
function stakedBandwidthLeft(resources: AccountResources | undefined): bigint {
  return resources === undefined ? 0n : resources.stakedBandwidthLimit - resources.stakedBandwidthUsed;
}

function freeLeft(resources: AccountResources | undefined): bigint {
  return resources === undefined ? 0n : resources.freeBandwidthLimit - resources.freeBandwidthUsed;
}

/** Bytes of a protobuf varint: 7 bits each. */
function lengthOfVarint(value: number): bigint {
  return BigInt(Math.max(1, Math.ceil(value.toString(2).length / 7)));
}
