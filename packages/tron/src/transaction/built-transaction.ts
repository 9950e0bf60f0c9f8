import { create } from "@bufbuild/protobuf";
import type { Sun } from "../primitives/amount.ts";
import type { BlockId } from "../primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, type TxId, transactionId } from "../primitives/bytes.ts";
import { contractFromIntent } from "./contract-from-intent.ts";
import { type Raw, RawSchema } from "./gen/transaction_pb.js";
import type { Intent } from "./intent.ts";
import { decodeRawData, encodeRawData } from "./raw-data-codec.ts";
import { referenceTo } from "./reference-block.ts";

/** An unsigned transaction as a gateway built it: nothing of it is believed before it was verified. */
export interface BuiltTransaction {
  readonly txId: TxId;
  readonly rawDataHex: Hex;
}

/** Signed bytes, ready for a broadcast. */
export interface SignedTransaction {
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  readonly signatures: readonly Hex[];
}

/** Chain reference and time interval of a transaction. Times are Unix ms. */
export interface Validity {
  /** The TAPOS block; a solidified one cannot be reorganised away. */
  readonly referenceBlock: BlockId;
  /** Chain time after which no block can hold it. */
  readonly expiration: number;
  /** Not validated by the chain; it distinguishes two equal transactions of one block. */
  readonly timestamp: number;
}

/**
 * The `raw_data` that does what the intent says, ready for `encodeRawData`.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` the ABI of a contract creation is not a serialised ABI
 */
export function rawDataFromIntent(intent: Intent, { referenceBlock, expiration, timestamp }: Validity): Raw {
  const reference = referenceTo(referenceBlock);
  return create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(expiration),
    data: hexToBytes(intent.memo ?? ""),
    contract: [contractFromIntent(intent)],
    timestamp: BigInt(timestamp),
    feeLimit: feeLimitOf(intent),
  });
}

/**
 * The unsigned transaction that does what the intent says, as a builder of the node would hand it over.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` the ABI of a contract creation is not a serialised ABI
 */
export function builtFromIntent(intent: Intent, validity: Validity): BuiltTransaction {
  const bytes = encodeRawData(rawDataFromIntent(intent, validity));
  return { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
}

/** The `fee_limit` of an intent: of those that are built here, contracts of the virtual machine alone have one. */
export function feeLimitOf(intent: Intent): Sun {
  return "feeLimit" in intent ? intent.feeLimit : NO_FEE_LIMIT;
}

const NO_FEE_LIMIT = 0n as Sun;

/**
 * Returns the same transaction with another expiration: builders of the node give 60 s, and the signer may choose
 * another time. The new bytes must be verified again.
 *
 * @param expiration - chain time, ms
 * @throws {ChainError} `TRANSACTION_MALFORMED`
 */
export function withExpiration({ rawDataHex }: BuiltTransaction, expiration: number): BuiltTransaction {
  const { raw } = decodeRawData(hexToBytes(rawDataHex));
  const bytes = encodeRawData({ ...raw, expiration: BigInt(expiration) });
  return { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
}
