import type { Address } from "../../core/primitives/address.ts";
import type { BlockId } from "../../core/primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, sha256, type TxId } from "../../core/primitives/bytes.ts";
import { type BlockHeader, blockId, encodeBlockHeader, transactionRoot } from "../../core/transaction/block-id.ts";
import { encodeTransaction } from "../../core/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../core/transaction/signature.ts";
import type { Halt } from "./halt.ts";
import type { IncludedTransaction } from "./transaction.ts";

export interface Block {
  readonly id: BlockId;
  readonly header: BlockHeader;
  readonly transactions: readonly IncludedTransaction[];
}

/** Closes a block: its root, its header and its id. */
export function sealBlock(
  header: Omit<BlockHeader, "transactionRoot">,
  transactions: readonly IncludedTransaction[],
): Block {
  const leaves = transactions.map(({ transaction: { raw, signatures }, info }) =>
    encodeTransaction(raw, signatures, info?.result),
  );
  const sealed = { ...header, transactionRoot: transactionRoot(leaves) };
  return { id: blockId(sealed), header: sealed, transactions };
}

/** The witness's signature of a header: r, s, and 0 or 1. Computed when it is asked for; it is the same every time. */
export function witnessSignature(header: BlockHeader, key: PrivateKey): Hex {
  const hash = bytesToHex(sha256(encodeBlockHeader(header))) as string as TxId;
  const bytes = hexToBytes(signTransactionId(hash, key));
  return bytesToHex(Uint8Array.of(...bytes.subarray(0, 64), (bytes[64] ?? 27) - 27));
}

/** The block that code runs in. */
export interface BlockContext {
  readonly number: number;
  /** Chain time in ms. */
  readonly timestamp: number;
  /** The 21 bytes of its producer as a number: the 41 in front stays. */
  readonly producer: bigint;
}

/** A trial run on arrival happens in a block of no height and no time. */
export const NO_BLOCK: BlockContext = { number: 0, timestamp: 0, producer: 0n };

/** What code may ask of the chain. */
export interface ChainContext {
  readonly block: BlockContext;
  /** The last four bytes of the genesis block's id. */
  readonly chainId: bigint;
  /** Whom votes can be for. */
  readonly witnesses: readonly Address[];
  /** The id of an older block as a number, 0 for one that there is not. */
  readonly blockHash: (height: number) => bigint;
  /** How the code of a transaction ends without having run, if somebody wants it to. */
  readonly endsCode?: () => Halt | undefined;
}
