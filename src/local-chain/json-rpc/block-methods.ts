import { hexToBytes } from "../../core/primitives/bytes.ts";
import type { Json, JsonObject } from "../../core/primitives/json.ts";
import { bytesField } from "../../core/primitives/wire-format.ts";
import { encodeBlockHeader } from "../../core/transaction/block-id.ts";
import { encodeTransaction } from "../../core/transaction/raw-data-codec.ts";
import type { Block } from "../chain/block.ts";
import { validAddress } from "../chain/transaction.ts";
import type { View } from "../routes/route.ts";
import { blockOf, blockOfHash } from "./block-tags.ts";
import type { RpcMethods } from "./rpc-method.ts";
import { printRpcTransaction } from "./transactions.ts";
import { flag, hashOf, quantity, shortAddress, text, zeros } from "./values.ts";

/** Blocks by number, tag and hash. */
export const blockMethods: RpcMethods = {
  eth_getBlockByNumber: {
    parameters: 2,
    answer: ({ view }, [tag, whole]) => printed(view, blockOf(view, text(tag)), flag(whole)),
  },
  eth_getBlockByHash: {
    parameters: 2,
    answer: ({ view }, [hash, whole]) => printed(view, blockOfHash(view, hashOf(text(hash))), flag(whole)),
  },
  eth_getBlockTransactionCountByNumber: {
    parameters: 1,
    answer: ({ view }, [tag]) => count(blockOf(view, text(tag))),
  },
  eth_getBlockTransactionCountByHash: {
    parameters: 1,
    answer: ({ view }, [hash]) => count(blockOfHash(view, hashOf(text(hash)))),
  },
};

function printed(view: View, block: Block | undefined, whole: boolean): Json {
  return block === undefined ? null : printRpcBlock(view, block, whole);
}

function count(block: Block | undefined): Json {
  return block === undefined ? null : quantity(block.transactions.length);
}

const MS = 1000;

/**
 * A block. What the chain has nothing for is zeros, and gas is the energy that its transactions used, under the sum
 * of their fee limits.
 *
 * @param whole - with its transactions instead of their ids
 */
function printRpcBlock(view: View, block: Block, whole: boolean): JsonObject {
  const { header, transactions, id } = block;
  const used = transactions.map(({ info }) => info?.outcome?.energy.total ?? 0n);
  const limits = transactions.map(({ transaction }) => transaction.raw.feeLimit);
  return {
    baseFeePerGas: "0x0",
    difficulty: "0x0",
    extraData: "0x",
    gasLimit: quantity(sum(limits)),
    gasUsed: quantity(sum(used)),
    hash: `0x${id}`,
    logsBloom: zeros(256),
    miner: minerOf(block),
    mixHash: zeros(32),
    nonce: zeros(8),
    number: quantity(header.number),
    parentHash: `0x${header.parentId}`,
    receiptsRoot: zeros(32),
    sha3Uncles: zeros(32),
    size: quantity(sizeOf(view, block)),
    stateRoot: `0x${header.accountStateRoot ?? ""}`,
    timestamp: quantity(Math.floor(header.timestamp / MS)),
    totalDifficulty: "0x0",
    transactions: transactions.map(({ transaction }, index) =>
      whole ? printRpcTransaction(view, block, index) : `0x${transaction.id}`,
    ),
    transactionsRoot: `0x${header.transactionRoot}`,
    uncles: [],
  };
}

function minerOf({ header }: Block): string {
  const witness = validAddress(hexToBytes(header.witness));
  return witness === undefined || header.number === 0 ? zeros(20) : shortAddress(witness);
}

const SIGNATURE_BYTES = 65;

/** The bytes of a block as nodes pass it on. */
function sizeOf({ chain }: View, block: Block): number {
  const signature = new Uint8Array(chain.witnessKey(block) === undefined ? 0 : SIGNATURE_BYTES);
  const header = Buffer.concat([bytesField(1, encodeBlockHeader(block.header)), bytesField(2, signature)]);
  const transactions = block.transactions.map(({ transaction: { raw, signatures }, info }) =>
    bytesField(1, encodeTransaction(raw, signatures, info?.result), true),
  );
  return [bytesField(2, header), ...transactions].reduce((bytes, it) => bytes + it.length, 0);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, it) => total + it, 0n);
}
