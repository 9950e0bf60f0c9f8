import type { BlockId } from "../../core/primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes } from "../../core/primitives/bytes.ts";
import { sha256, type TxId } from "../../core/primitives/hash.ts";
import { type BlockHeader, blockId, encodeBlockHeader, transactionRoot } from "../../core/transaction/block-id.ts";
import { encodeTransaction } from "../../core/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../core/transaction/signature.ts";
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
