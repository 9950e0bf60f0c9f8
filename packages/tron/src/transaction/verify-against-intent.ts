import { create } from "@bufbuild/protobuf";
import { t } from "@vscode/l10n";
import { isChainError } from "../errors/chain-error.ts";
import { coinsText } from "../format/amounts.ts";
import { sun } from "../primitives/amount.ts";
import {
  bytesToHex,
  equalBytes,
  type Hex,
  hexToBytes,
  shorten,
  type TxId,
  transactionId,
} from "../primitives/bytes.ts";
import { isJsonObject, type Json } from "../primitives/json.ts";
import { type BuiltTransaction, feeLimitOf, MAX_EXPIRATION_AHEAD_MS } from "./built-transaction.ts";
import { type Raw, RawSchema } from "./gen/transaction_pb.js";
import type { Intent } from "./intent.ts";
import { contractFromIntent } from "./intent-contract.ts";
import { type DecodedRawData, decodeRawData, encodeRawData } from "./raw-data-codec.ts";
import { rawDataToJson } from "./transaction-json.ts";

export interface VerificationLimits {
  /** Chain time of the newest block, ms. */
  readonly headTimestamp: number;
}

declare const verified: unique symbol;

/**
 * Bytes that do what was requested and nothing else. Only `verifyAgainstIntent` creates them, and only such bytes are
 * signed.
 */
export interface VerifiedTransaction {
  readonly [verified]: true;
  readonly kind: "same";
  readonly intent: Intent;
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  /** Chain time in ms. */
  readonly expiration: number;
  /** All fields of the bytes, for display. */
  readonly fields: readonly VerifiedField[];
}

export type Verification =
  | VerifiedTransaction
  | { readonly kind: "different"; readonly differences: readonly Difference[] };

/**
 * Verifies that the bytes built by a gateway do what the intent requests. The builder chooses the reference block, the
 * expiration (after the head, at most 24 hours ahead) and the timestamp. Everything else must equal our own encoding
 * byte for byte.
 */
export function verifyAgainstIntent(built: BuiltTransaction, intent: Intent, limits: VerificationLimits): Verification {
  const result = read(built.rawDataHex);
  if (result.kind === "unreadable") return { kind: "different", differences: [result.difference] };
  const { bytes, decoded } = result;
  const expected = expectedRaw(intent, decoded.raw);
  const hasOtherBytes = !equalBytes(encodeRawData(expected), bytes);
  const differences = [
    ...txIdDifferences(built.txId, bytes),
    // Equal bytes have equal fields.
    ...(hasOtherBytes ? differencesBetween(expected, decoded.raw) : []),
    ...choiceDifferences(decoded.raw, limits),
    ...hiddenDifferences(decoded),
  ];
  if (differences.length > 0) return { kind: "different", differences };
  if (hasOtherBytes) return { kind: "different", differences: [OTHER_BYTES] };
  return same(built, intent, decoded.raw);
}

type ReadRawData =
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly decoded: DecodedRawData }
  | { readonly kind: "unreadable"; readonly difference: Difference };

const OTHER_BYTES: Difference = {
  path: "raw_data",
  asked: t`the canonical encoding of a node`,
  built: t`other bytes with the same fields`,
};

function read(rawDataHex: Hex): ReadRawData {
  try {
    const bytes = hexToBytes(rawDataHex);
    return { kind: "read", bytes, decoded: decodeRawData(bytes) };
  } catch (thrown) {
    if (!isChainError(thrown)) throw thrown;
    return { kind: "unreadable", difference: { path: "raw_data", asked: t`a transaction`, built: thrown.message } };
  }
}

/** Returns our own encoding with the reference block and the times of the builder. */
function expectedRaw(intent: Intent, { refBlockBytes, refBlockHash, expiration, timestamp }: Raw): Raw {
  return create(RawSchema, {
    refBlockBytes,
    refBlockHash,
    expiration,
    timestamp,
    data: hexToBytes(intent.memo ?? ""),
    contract: [contractFromIntent(intent)],
    feeLimit: feeLimitOf(intent),
  });
}

function txIdDifferences(claimed: TxId, bytes: Uint8Array): Difference[] {
  const txId = transactionId(bytes);
  return claimed === txId ? [] : [{ path: "txID", asked: txId, built: shorten(claimed) }];
}

/** The builder's own choices, each within its limits. */
function choiceDifferences(raw: Raw, { headTimestamp }: VerificationLimits): Difference[] {
  const head = BigInt(headTimestamp);
  const latest = head + BigInt(MAX_EXPIRATION_AHEAD_MS);
  const differences: Difference[] = [];
  const refuse = (path: string, requested: string, found: string): void => {
    differences.push({ path: `raw_data.${path}`, asked: requested, built: found });
  };
  if (raw.refBlockBytes.length !== 2) refuse("ref_block_bytes", t`${2} bytes`, describe(raw.refBlockBytes));
  if (raw.refBlockHash.length !== 8) refuse("ref_block_hash", t`${8} bytes`, describe(raw.refBlockHash));
  if (raw.expiration <= head || raw.expiration > latest) {
    refuse("expiration", t`after ${String(head)} and at most ${String(latest)}`, `${raw.expiration}`);
  }
  if (raw.timestamp < 0n) refuse("timestamp", t`a time`, `${raw.timestamp}`);
  return differences;
}

/** Returns the differences that the JSON form of a transaction cannot show. */
function hiddenDifferences({ raw, unknownFields, canonical }: DecodedRawData): Difference[] {
  const unshown = raw.contract.flatMap(({ provider, ContractName }, index) =>
    Object.entries({ provider, ContractName })
      .filter(([, bytes]) => bytes.length > 0)
      .map(([name, bytes]) => ({
        path: `raw_data.contract[${index}].${name}`,
        asked: NOTHING,
        built: describe(bytes),
      })),
  );
  const unknown = unknownFields.map(({ path, number }) => ({
    path: `${path}.${number}`,
    asked: NOTHING,
    built: t`a field that is not in the protocol`,
  }));
  return [...unshown, ...unknown, ...(canonical ? [] : [OTHER_BYTES])];
}

function describe(bytes: Uint8Array): string {
  return bytes.length === 0 ? NOTHING : shorten(bytesToHex(bytes));
}

function same({ txId, rawDataHex }: BuiltTransaction, intent: Intent, raw: Raw): Verification {
  let fields: readonly VerifiedField[] | undefined;
  const facts = {
    ...{ kind: "same" as const, intent, txId, rawDataHex, expiration: Number(raw.expiration) },
    // Many rows of a run are signed without a display of their own.
    get fields() {
      fields ??= [...fieldsOf(raw), { path: "txID", value: txId }];
      return fields;
    },
  };
  return facts as unknown as VerifiedTransaction;
}

/**
 * Difference between the built and the requested transaction, with values for display: addresses in base58, amounts in
 * coins and sun.
 */
export interface Difference {
  /** For example `raw_data.contract[0].parameter.value.amount`, or `txID`. */
  readonly path: string;
  readonly asked: string;
  readonly built: string;
}

/** Field that matches the request, or is within the builder's choice. */
export interface VerifiedField {
  readonly path: string;
  readonly value: string;
}

/** Display value of a missing field. */
const NOTHING = t`nothing`;

/** Integer fields in sun, for any contract type. */
const COIN_FIELDS = new Set(["fee_limit", "call_value", "frozen_balance", "unfreeze_balance", "balance"]);

/** Returns every field of `raw_data` that JSON shows, formatted for display. */
export function fieldsOf(raw: Raw): readonly VerifiedField[] {
  return leaves({ raw_data: rawDataToJson(raw, true) }, "", isCoinTransfer(raw));
}

/** Returns the fields in which two `raw_data` differ, as far as JSON shows them. */
function differencesBetween(requested: Raw, built: Raw): readonly Difference[] {
  const expected = new Map(fieldsOf(requested).map((it) => [it.path, it.value]));
  const found = new Map(fieldsOf(built).map((it) => [it.path, it.value]));
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((path) => expected.get(path) !== found.get(path))
    .map((path) => ({ path, asked: expected.get(path) ?? NOTHING, built: found.get(path) ?? NOTHING }));
}

/** `amount` is sun here, and token units in a token transfer. */
function isCoinTransfer(raw: Raw): boolean {
  return raw.contract[0]?.type === 1;
}

function leaves(value: Json | undefined, path: string, coinTransfer: boolean): readonly VerifiedField[] {
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((it, index) => leaves(it, `${path}[${index}]`, coinTransfer));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, it]) =>
      leaves(it, path === "" ? name : `${path}.${name}`, coinTransfer),
    );
  }
  return [{ path, value: textOf(value, path.slice(path.lastIndexOf(".") + 1), coinTransfer) }];
}

function textOf(value: Json | undefined, name: string, coinTransfer: boolean): string {
  const isInteger = typeof value === "number" || typeof value === "bigint";
  const isCoins = COIN_FIELDS.has(name) || (name === "amount" && coinTransfer);
  return isInteger && isCoins ? t`${coinsText(sun(BigInt(value)))} (${String(value)} sun)` : String(value);
}
