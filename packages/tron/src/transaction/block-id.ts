import { hash } from "node:crypto";
import type { BlockId } from "../primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, sha256 } from "../primitives/bytes.ts";
import { bytesField, numberField } from "../primitives/wire-format.ts";

/** Header of a block; the block ID is a hash of exactly these fields. */
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

/**
 * The bytes of `block_header.raw_data`: what the id is a hash of, and what the witness signs (protocol reference §6).
 */
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

/** The id of a block: its height in 8 bytes, then bytes 8 to 31 of the SHA-256 of its header (BlockCapsule.java). */
export function blockId(header: BlockHeader): BlockId {
  return blockIdOfHash(header.number, headerHash(header));
}

/** The same when the hash of the header is known. */
export function blockIdOfHash(number: number, hash: Hex): BlockId {
  return `${number.toString(16).padStart(16, "0")}${hash.slice(16)}` as BlockId;
}

/**
 * `txTrieRoot`: the Merkle root over the SHA-256 of each transaction.
 *
 * @param transactions - each with its signatures and its `ret`, as `withResult` gives it
 */
export function transactionRoot(transactions: readonly Uint8Array[]): Hex {
  return bytesToHex(merkleRoot(transactions.map(sha256)));
}

const HASH_LENGTH = 32;

/**
 * The root of java-tron's Merkle tree: pairs are hashed together, an odd last one moves up unchanged (MerkleTree.java).
 *
 * @param leaves - hashes of 32 bytes; none gives 32 zero bytes
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
