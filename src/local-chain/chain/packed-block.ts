import { deserialize, serialize } from "node:v8";
import type { BlockId } from "../../core/primitives/block.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import type { BlockHeader } from "../../core/transaction/block-id.ts";
import { decodeTransaction, encodeTransaction } from "../../core/transaction/raw-data-codec.ts";
import type { Block } from "./block.ts";
import { chainTransaction, type TransactionInfo } from "./transaction.ts";

/** A block as bytes: its objects take several times the memory. */
export interface PackedBlock {
  readonly id: BlockId;
  readonly txIds: readonly TxId[];
  readonly bytes: Uint8Array;
}

interface Content {
  readonly header: BlockHeader;
  readonly transactions: readonly { readonly bytes: Uint8Array; readonly info: TransactionInfo | undefined }[];
}

export function packBlock({ id, header, transactions }: Block): PackedBlock {
  const content: Content = {
    header,
    transactions: transactions.map(({ transaction: { raw, signatures }, info }) => ({
      bytes: encodeTransaction(raw, signatures),
      info,
    })),
  };
  // The serialiser's own buffer is larger than what is in it.
  return { id, txIds: transactions.map((it) => it.transaction.id), bytes: new Uint8Array(serialize(content)) };
}

export function unpackBlock({ id, bytes }: PackedBlock): Block {
  const { header, transactions } = deserialize(bytes) as Content;
  return {
    id,
    header,
    transactions: transactions.map((it) => ({
      transaction: chainTransaction(decodeTransaction(it.bytes)),
      ...(it.info && { info: it.info }),
    })),
  };
}
