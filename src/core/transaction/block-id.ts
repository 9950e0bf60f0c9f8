import { create, toBinary } from "@bufbuild/protobuf";
import type { BlockId } from "../primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/hash.ts";
import { merkleRoot } from "../primitives/merkle.ts";
import { BlockHeaderRawSchema } from "./gen/transaction_pb.js";

/** What a block says of itself; its id is a hash of exactly these fields. */
export interface BlockHeader {
  readonly number: number;
  /** Chain time in ms. */
  readonly timestamp: number;
  readonly parentId: BlockId;
  /** The Merkle root of its transactions, 32 bytes. */
  readonly transactionRoot: Hex;
  /** 21 bytes; in a genesis block a text of any length. */
  readonly witness: Hex;
  readonly version: number;
  readonly accountStateRoot?: Hex;
}

/** The bytes of `block_header.raw_data`: what the id is a hash of, and what the witness signs. */
export function encodeBlockHeader(header: BlockHeader): Uint8Array {
  const raw = create(BlockHeaderRawSchema, {
    timestamp: BigInt(header.timestamp),
    txTrieRoot: hexToBytes(header.transactionRoot),
    parentHash: hexToBytes(header.parentId),
    number: BigInt(header.number),
    witnessAddress: hexToBytes(header.witness),
    version: header.version,
    accountStateRoot: hexToBytes(header.accountStateRoot ?? ""),
  });
  return toBinary(BlockHeaderRawSchema, raw);
}

/** The id of a block: its height in 8 bytes, then bytes 8 to 31 of the SHA-256 of its header (BlockCapsule.java). */
export function blockId(header: BlockHeader): BlockId {
  const height = header.number.toString(16).padStart(16, "0");
  return `${height}${bytesToHex(sha256(encodeBlockHeader(header)).subarray(8))}` as BlockId;
}

/**
 * `txTrieRoot`: the Merkle root over the SHA-256 of each transaction.
 *
 * @param transactions - each as `encodeTransaction` gives it for a block: with its signatures and its `ret`
 */
export function transactionRoot(transactions: readonly Uint8Array[]): Hex {
  return bytesToHex(merkleRoot(transactions.map(sha256)));
}
