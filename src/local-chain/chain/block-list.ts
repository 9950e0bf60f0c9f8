import { deserialize, serialize } from "node:v8";
import type { BlockId } from "../../core/primitives/block.ts";
import type { TxId } from "../../core/primitives/bytes.ts";
import type { BlockHeader } from "../../core/transaction/block-id.ts";
import { decodeTransaction, encodeTransaction } from "../../core/transaction/raw-data-codec.ts";
import type { Block } from "./block.ts";
import { chainTransaction, type TransactionInfo } from "./transaction.ts";

/** So many blocks below the solidified one stay as they are: they are asked for most. */
const UNPACKED = 64;

/**
 * All blocks from genesis on. Those that nothing can take back any more are packed, and unpacked each time they are
 * asked for.
 */
export class BlockList {
  readonly #blocks: (Block | PackedBlock)[];
  /** The height from which on blocks are not packed. Genesis never is: some of it is no proper transaction. */
  #packed: number;

  constructor(blocks: readonly (Block | PackedBlock)[], packed = 1) {
    this.#blocks = [...blocks];
    this.#packed = packed;
  }

  /** The height of the newest block. */
  get height(): number {
    return this.#blocks.length - 1;
  }

  at(height: number): Block | undefined {
    const block = this.#blocks[height];
    return block && "bytes" in block ? unpackBlock(block) : block;
  }

  idAt(height: number): BlockId | undefined {
    return this.#blocks[height]?.id;
  }

  txIdsAt(height: number): readonly TxId[] {
    const block = this.#blocks[height];
    if (block === undefined) return [];
    return "bytes" in block ? block.txIds : block.transactions.map((it) => it.transaction.id);
  }

  push(block: Block): void {
    this.#blocks.push(block);
  }

  /** Takes the newest blocks away. @param count - not more than are unsolidified */
  takeNewest(count: number): readonly Block[] {
    return this.#blocks.splice(-count).map((it) => ("bytes" in it ? unpackBlock(it) : it));
  }

  /** Tells that nothing takes back this block and those below it. */
  settle(solidHeight: number): void {
    for (; this.#packed < solidHeight - UNPACKED; this.#packed += 1) {
      const block = this.#blocks[this.#packed];
      if (block !== undefined && !("bytes" in block)) this.#blocks[this.#packed] = packBlock(block);
    }
  }

  copy(): BlockList {
    return new BlockList(this.#blocks, this.#packed);
  }
}

/** A block as bytes: its objects take several times the memory. */
interface PackedBlock {
  readonly id: BlockId;
  readonly txIds: readonly TxId[];
  readonly bytes: Uint8Array;
}

interface Content {
  readonly header: BlockHeader;
  readonly transactions: readonly { readonly bytes: Uint8Array; readonly info: TransactionInfo | undefined }[];
}

function packBlock({ id, header, transactions }: Block): PackedBlock {
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

function unpackBlock({ id, bytes }: PackedBlock): Block {
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

/** A block is solidified when 70 % of the witnesses have built on it. */
const SHARE_BEHIND = 0.3;

/**
 * The solidified height: each witness's newest block, sorted, at 30 % from below (DposService.updateSolidBlock).
 *
 * @param latestHeights - the newest height of each active witness, 0 for one that has produced none
 */
export function solidifiedHeight(latestHeights: readonly number[]): number {
  const sorted = [...latestHeights].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * SHARE_BEHIND)] ?? 0;
}
