import type { TxId } from "../../core/primitives/bytes.ts";
import type { Json } from "../../core/primitives/json.ts";
import type { Block } from "../chain/block.ts";
import type { View } from "../routes/route.ts";
import { blockOf, blockOfHash } from "./block-tags.ts";
import { hashOf, hexNumber, text } from "./parameters.ts";
import { printRpcReceipt } from "./receipt-json.ts";
import { invalidParams } from "./rpc-error.ts";
import type { RpcMethods } from "./rpc-method.ts";
import { printRpcTransaction } from "./transaction-json.ts";

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

function included(view: View, given: string | undefined, print: Printer): Json {
  const id = hashOf(given) as string as TxId;
  const block = view.find(id)?.block;
  if (block === undefined) return null;
  const index = block.transactions.findIndex((it) => it.transaction.id === id);
  return print(view, block, index);
}

function placed(view: View, block: Block | undefined, given: string | undefined): Json {
  if (block === undefined) return null;
  const index = hexNumber(given ?? "");
  if (index === undefined) throw invalidParams("invalid index value");
  return printRpcTransaction(view, block, Number(index));
}
