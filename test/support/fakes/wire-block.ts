import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import type { Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import { type BlockHeader, blockId } from "../../../packages/tron/src/transaction/built-transaction.ts";

const HEADER: BlockHeader = {
  number: 1,
  timestamp: 1_767_225_600_000,
  parentId: "11".repeat(32) as BlockId,
  transactionRoot: "00".repeat(32) as Hex,
  witness: `41${"00".repeat(19)}01` as Hex,
  version: 32,
};

/** The JSON of a block without transactions, as a node prints it, with the id that follows from its header. */
export function wireBlock(change: Partial<BlockHeader>) {
  const header = { ...HEADER, ...change };
  const { number, timestamp, parentId: parentHash, transactionRoot: txTrieRoot, witness, version } = header;
  const raw_data = { number, timestamp, parentHash, txTrieRoot, witness_address: witness, version };
  return { blockID: blockId(header), block_header: { raw_data } };
}
