import type { Json } from "../../core/primitives/json.ts";
import type { Block } from "../chain/block.ts";
import type { View } from "../routes/route.ts";
import { printRpcBlock } from "./block-json.ts";
import { blockOf, blockOfHash } from "./block-tags.ts";
import { flag, hashOf, text } from "./parameters.ts";
import { quantity } from "./quantities.ts";
import type { RpcMethods } from "./rpc-method.ts";

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
