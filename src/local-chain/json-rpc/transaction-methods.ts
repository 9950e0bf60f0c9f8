import type { TxId } from "../../core/primitives/bytes.ts";
import type { Json, JsonObject } from "../../core/primitives/json.ts";
import type { Block } from "../chain/block.ts";
import { ownerOf, type TransactionInfo } from "../chain/transaction.ts";
import type { View } from "../routes/route.ts";
import { blockOf, blockOfHash } from "./block-tags.ts";
import { logsIn, printRpcLog } from "./logs.ts";
import { invalidParams } from "./rpc-error.ts";
import type { RpcMethods } from "./rpc-method.ts";
import { fieldsOf, printRpcTransaction, receiverIn } from "./transaction-json.ts";
import { hashOf, hexNumber, quantity, shortAddress, text, zeros } from "./values.ts";

/** Transactions of blocks; one that only waits is not known here. */
export const transactionMethods: RpcMethods = {
  eth_getTransactionByHash: {
    parameters: 1,
    answer: ({ view }, [id]) => included(view, text(id), printRpcTransaction),
  },
  eth_getTransactionReceipt: {
    parameters: 1,
    answer: ({ view }, [id]) => included(view, text(id), printRpcReceipt),
  },
  eth_getTransactionByBlockHashAndIndex: {
    parameters: 2,
    answer: ({ view }, [hash, index]) => placed(view, blockOfHash(view, hashOf(text(hash))), text(index)),
  },
  eth_getTransactionByBlockNumberAndIndex: {
    parameters: 2,
    answer: ({ view }, [tag, index]) => placed(view, blockOf(view, text(tag)), text(index)),
  },
};

type Printer = (view: View, block: Block, index: number) => Json;

function included(view: View, input: string | undefined, print: Printer): Json {
  const id = hashOf(input) as string as TxId;
  const block = view.find(id)?.block;
  if (block === undefined) return null;
  const index = block.transactions.findIndex((it) => it.transaction.id === id);
  return print(view, block, index);
}

function placed(view: View, block: Block | undefined, input: string | undefined): Json {
  if (block === undefined) return null;
  const index = hexNumber(input ?? "");
  if (index === undefined) throw invalidParams("invalid index value");
  return printRpcTransaction(view, block, Number(index));
}

/** The receipt of a transaction of a block. Gas is energy; what runs no code always succeeds. */
function printRpcReceipt(view: View, block: Block, index: number): JsonObject | null {
  const included = block.transactions[index];
  if (included?.info === undefined) return null;
  const { transaction, info } = included;
  const { contract } = transaction;
  const sender = contract && ownerOf(contract);
  const receiver = receiverIn(fieldsOf(included));
  const made = contract?.type?.name === "CreateSmartContract" ? info.outcome?.contractAddress : undefined;
  const before = block.transactions.slice(0, index + 1).map((it) => energyOf(it.info));
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.header.number),
    contractAddress: made === undefined ? null : shortAddress(made),
    cumulativeGasUsed: quantity(before.reduce((sum, it) => sum + it, 0n)),
    effectiveGasPrice: quantity(view.chain.parameters.getEnergyFee),
    from: sender === undefined ? null : shortAddress(sender),
    gasUsed: quantity(energyOf(info)),
    logs: logsIn(block).flatMap((it) => (it.transactionIndex === index ? [printRpcLog(it)] : [])),
    logsBloom: zeros(256),
    status: info.outcome === undefined || info.result === "SUCCESS" ? "0x1" : "0x0",
    to: receiver === undefined ? null : shortAddress(receiver),
    transactionHash: `0x${transaction.id}`,
    transactionIndex: quantity(index),
    type: "0x0",
  };
}

function energyOf(info: TransactionInfo | undefined): bigint {
  return info?.outcome?.energy.total ?? 0n;
}
