import { hash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { Sun } from "../primitives/amount.ts";
import type { BlockId } from "../primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, sha256, type TxId, transactionId } from "../primitives/bytes.ts";
import { bytesField, numberField } from "../primitives/wire-format.ts";
import { type Raw, RawSchema } from "./gen/transaction_pb.js";
import type { Intent } from "./intent.ts";
import { contractFromIntent } from "./intent-contract.ts";
import { decodeRawData, encodeRawData } from "./raw-data-codec.ts";

/** Unsigned transaction as a gateway built it, not verified yet. */
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

/** Chain reference and validity of a transaction. Times are Unix ms. */
export interface Validity {
  /** TAPOS block; a solidified one cannot be reverted. */
  readonly referenceBlock: BlockId;
  /** Chain time after which no block can contain it. */
  readonly expiration: number;
  /** Not validated by the chain; distinguishes two equal transactions of one block. */
  readonly timestamp: number;
}

/**
 * Returns the `raw_data` of an intent, ready for `encodeRawData`.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` if the ABI of a contract creation is not a serialized ABI
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
 * Returns the unsigned transaction of an intent, as a node would build it.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` if the ABI of a contract creation is not a serialized ABI
 */
export function builtFromIntent(intent: Intent, validity: Validity): BuiltTransaction {
  const bytes = encodeRawData(rawDataFromIntent(intent, validity));
  return { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
}

/**
 * Returns the `fee_limit` of an intent: of the transactions built here, only contract calls and deployments have one.
 */
export function feeLimitOf(intent: Intent): Sun {
  return "feeLimit" in intent ? intent.feeLimit : NO_FEE_LIMIT;
}

const NO_FEE_LIMIT = 0n as Sun;

/**
 * Returns the same transaction with another expiration: node builders use 60 s, and the signer may choose another time.
 * The new bytes must be verified again.
 *
 * @param expiration - chain time, ms
 * @throws {ChainError} `TRANSACTION_MALFORMED`
 */
export function withExpiration({ rawDataHex }: BuiltTransaction, expiration: number): BuiltTransaction {
  const { raw } = decodeRawData(hexToBytes(rawDataHex));
  const bytes = encodeRawData({ ...raw, expiration: BigInt(expiration) });
  return { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
}

/** TAPOS: the recent block that a transaction refers to. It can only be executed on a chain with this block. */
export interface ReferenceBlock {
  /** Low 2 bytes of the height, big-endian. */
  readonly bytes: Uint8Array;
  /** Bytes 8 to 15 of the block ID. */
  readonly hash: Uint8Array;
}

/** Returns the TAPOS fields for a block (protocol reference §5.1). */
export function referenceTo(blockId: BlockId): ReferenceBlock {
  const id = hexToBytes(blockId);
  return { bytes: id.slice(6, 8), hash: id.slice(8, 16) };
}

/** Returns true if the TAPOS fields match this block. */
export function refersTo(reference: { bytes: Hex; hash: Hex }, blockId: BlockId): boolean {
  return blockId.slice(12, 16) === reference.bytes && blockId.slice(16, 32) === reference.hash;
}

/** Maximum time from the head to the expiration (gateway document, Limits). */
export const MAX_EXPIRATION_AHEAD_MS = 24 * 60 * 60 * 1000;
/** Expiration of the node's builders: head time + 60 s. */
export const DEFAULT_EXPIRATION_AHEAD_MS = 60_000;

/** Validity and chain reference in `raw_data`. */
export interface Lifetime {
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /** TAPOS: 2 bytes of the height and 8 bytes of the ID of the referenced block. */
  readonly reference: { readonly bytes: Hex; readonly hash: Hex };
  /** `raw_data.timestamp`, Unix ms: build time as claimed by the builder. The chain does not check it. */
  readonly timestamp?: number;
}

const REFERENCE_BYTES = 1;
const REFERENCE_HASH = 4;
const EXPIRATION = 8;
const TIMESTAMP = 14;

/**
 * Reads the fields that limit the validity of a transaction from its bytes, without the schema (protocol reference
 * §4.2).
 *
 * @returns undefined for bytes that are no `raw_data` with these fields
 */
export function readLifetime(rawDataHex: Hex): Lifetime | undefined {
  try {
    const fields = readFields(hexToBytes(rawDataHex));
    const [bytes, hash, expiration] = [REFERENCE_BYTES, REFERENCE_HASH, EXPIRATION].map((it) => fields.get(it));
    if (typeof bytes !== "string" || bytes.length !== 4 || typeof hash !== "string" || hash.length !== 16) {
      return undefined;
    }
    if (typeof expiration !== "bigint" || expiration > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
    const timestamp = fields.get(TIMESTAMP);
    const built = typeof timestamp === "bigint" ? { timestamp: Number(timestamp) } : {};
    return { expiration: Number(expiration), reference: { bytes: bytes as Hex, hash: hash as Hex }, ...built };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns the last value of each field: numbers as bigint, bytes as hex.
 *
 * @throws {RangeError} if the bytes end too early
 */
function readFields(bytes: Uint8Array): ReadonlyMap<number, bigint | string> {
  const fields = new Map<number, bigint | string>();
  let position = 0;
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[position++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("The number does not end.");
  };
  while (position < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    if (kind !== 0 && kind !== 2) throw new RangeError("No field of raw_data has this kind.");
    const value = varint();
    if (kind === 0) {
      fields.set(tag >>> 3, value);
      continue;
    }
    const end = position + Number(value);
    if (end > bytes.length) throw new RangeError("The field does not end.");
    fields.set(tag >>> 3, Buffer.from(bytes.subarray(position, end)).toString("hex"));
    position = end;
  }
  return fields;
}

/** Header of a block; the block ID is a hash of exactly these fields. */
export interface BlockHeader {
  readonly number: number;
  /** Chain time in ms. */
  readonly timestamp: number;
  readonly parentId: BlockId;
  /** Merkle root of its transactions, 32 bytes. */
  readonly transactionRoot: Hex;
  /** 21 bytes; in a genesis block a text of any length. */
  readonly witness: Hex;
  readonly version: number;
  readonly accountStateRoot?: Hex;
}

/** Returns the bytes of `block_header.raw_data`, which the ID hashes and the witness signs (protocol reference §6). */
export function encodeBlockHeader(header: BlockHeader): Uint8Array {
  return Buffer.concat([
    numberField(1, header.timestamp),
    bytesField(2, hexToBytes(header.transactionRoot)),
    bytesField(3, hexToBytes(header.parentId)),
    numberField(7, header.number),
    bytesField(9, hexToBytes(header.witness)),
    numberField(10, header.version),
    bytesField(11, hexToBytes(header.accountStateRoot ?? "")),
  ]);
}

/** Returns the SHA-256 of a header, which the witness of the block signs. */
export function headerHash(header: BlockHeader): Hex {
  return hash("sha256", encodeBlockHeader(header), "hex") as Hex;
}

/**
 * Returns the ID of a block: its height in 8 bytes, then bytes 8 to 31 of the SHA-256 of its header
 * (BlockCapsule.java).
 */
export function blockId(header: BlockHeader): BlockId {
  return blockIdOfHash(header.number, headerHash(header));
}

/** Returns the same from the known hash of the header. */
export function blockIdOfHash(number: number, hash: Hex): BlockId {
  return `${number.toString(16).padStart(16, "0")}${hash.slice(16)}` as BlockId;
}

/**
 * Returns `txTrieRoot`: the Merkle root over the SHA-256 of each transaction.
 *
 * @param transactions - Each with its signatures and its `ret`, as from `withResult`.
 */
export function transactionRoot(transactions: readonly Uint8Array[]): Hex {
  return bytesToHex(merkleRoot(transactions.map(sha256)));
}

const HASH_LENGTH = 32;

/**
 * Returns the root of java-tron's Merkle tree: pairs are hashed together, an odd last one moves up unchanged
 * (MerkleTree.java).
 *
 * @param leaves - Hashes of 32 bytes; none gives 32 zero bytes.
 */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves;
  while (level.length > 1) level = nextLevel(level);
  return level[0] ?? new Uint8Array(HASH_LENGTH);
}

function nextLevel(level: readonly Uint8Array[]): readonly Uint8Array[] {
  const parents: Uint8Array[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = level.slice(index, index + 2);
    if (left !== undefined) parents.push(right === undefined ? left : sha256(Buffer.concat([left, right])));
  }
  return parents;
}
