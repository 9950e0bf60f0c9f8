import type { AccountResources } from "../gateway/gateway.ts";
import { type Sun, sun } from "../primitives/amount.ts";

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
const NOTHING = sun(0n);

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
export function stakedBandwidthLeft(resources: AccountResources | undefined): bigint {
  return resources === undefined ? 0n : resources.stakedBandwidthLimit - resources.stakedBandwidthUsed;
}

function freeLeft(resources: AccountResources | undefined): bigint {
  return resources === undefined ? 0n : resources.freeBandwidthLimit - resources.freeBandwidthUsed;
}

/** Bytes of a protobuf varint: 7 bits each. */
function lengthOfVarint(value: number): bigint {
  return BigInt(Math.max(1, Math.ceil(value.toString(2).length / 7)));
}
