import { bytesToHex, hexToBytes, isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Block } from "../chain/block.ts";
import { looseHex } from "../http/java-values.ts";
import type { NodeView } from "../node/node-view.ts";
import { type TraceRequest, traceRequests } from "../traces/trace-requests.ts";
import { storedWords } from "../vm/frame.ts";
import { CALL_FIELDS } from "./call-methods.ts";
import type { RpcContext, RpcMethods } from "./rpc-method.ts";
import {
  addressOf,
  blockNumber,
  blockOf,
  blockOfHash,
  hashOf,
  invalidParams,
  nodeError,
  quantity,
  RpcError,
  text,
} from "./rpc-values.ts";
import { debugRequests } from "./trace-methods.ts";

/** A method call of JSON-RPC. */
export interface RpcCall {
  readonly name: string;
  readonly parameters: readonly Json[];
  readonly context: RpcContext;
}

/** Methods that other development nodes have, and java-tron has not. */
export const lenientMethods: RpcMethods = {
  eth_getTransactionCount: {
    parameters: 2,
    answer: ({ view }, [address]) => {
      addressOf(view, text(address));
      return "0x0";
    },
  },
  eth_maxPriorityFeePerGas: { parameters: 0, answer: () => "0x0" },
  debug_storageRangeAt: { parameters: 5, answer: ({ view }, parameters) => storageRangeAt(view, parameters) },
  ...Object.fromEntries(
    Object.entries({ ...traceRequests, ...debugRequests }).map(([name, answer]) => [
      name,
      {
        parameters: 2,
        answer: ({ view }: RpcContext, parameters: readonly Json[]) => traced(answer, parameters, view),
      },
    ]),
  ),
  eth_feeHistory: { parameters: 3, answer: ({ view }, parameters) => feeHistory(view, parameters) },
};

/** Answers a trace request. @throws {RpcError} its message says why there is no trace */
function traced(answer: TraceRequest, parameters: readonly Json[], view: NodeView): Json {
  try {
    return answer(parameters, view);
  } catch (error) {
    if (error instanceof RpcError || !(error instanceof Error)) throw error;
    throw nodeError(error.message);
  }
}

/** Position of the parameter that names the block whose state a method reads. */
const STATE_TAGS: { readonly [method: string]: number } = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
};

/** Position of the parameter that names a block. */
const BLOCK_TAGS: { readonly [method: string]: number } = {
  eth_getBlockByNumber: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
};

/**
 * Rewrites a call into one that java-tron accepts. It ignores unknown fields of calls, and resolves the tags `pending` and
 * `safe`. State of older blocks is readable while the chain keeps it.
 *
 * @throws {RpcError}
 */
export function lenientCall({ name, parameters, context }: RpcCall): RpcCall {
  const stateTag = STATE_TAGS[name];
  if (stateTag !== undefined) return withState({ name, parameters, context }, stateTag);
  const blockTag = BLOCK_TAGS[name];
  if (blockTag !== undefined) {
    return { name, parameters: parameters.map((it, index) => (index === blockTag ? nodeTag(it) : it)), context };
  }
  if (name === "eth_getLogs" || name === "eth_newFilter")
    return { name, parameters: parameters.map(filterOf), context };
  return { name, parameters, context };
}

function withState({ name, parameters, context }: RpcCall, tagAt: number): RpcCall {
  const [first = null] = parameters;
  const isCall = name === "eth_call" || name === "eth_estimateGas";
  const tag = parameters[tagAt] ?? "latest";
  const overrides = parameters[tagAt + 1];
  if (isJsonObject(overrides) && Object.keys(overrides).length > 0)
    throw invalidParams("state overrides not supported");
  const view = viewAt(context.view, tag);
  const leading = isCall ? [callOf(first)] : parameters.slice(0, tagAt);
  const rest = name === "eth_estimateGas" ? [] : [typeof tag === "string" ? "latest" : tag];
  return { name, parameters: [...leading, ...rest], context: { ...context, view } };
}

/** Keeps the fields of a call that java-tron reads; `input` stands for `data`. */
function callOf(call: Json): Json {
  if (!isJsonObject(call)) return call;
  const data = call.data ?? call.input;
  const known = Object.entries({ ...call, data }).filter(([field]) => CALL_FIELDS.some((it) => it === field));
  return Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null)) as Json;
}

/** Returns the view with the state after a block. @throws {RpcError} the chain does not keep it */
function viewAt(view: NodeView, tag: Json): NodeView {
  const block = blockAt(view, tag);
  if (block.id === view.newest.id) return view;
  const { number } = block.header;
  if (number < view.chain.solid.header.number) throw invalidParams(`state of block ${number} is not kept`);
  return { ...view, newest: block, head: block, state: view.chain.stateAt(number) };
}

function blockAt(view: NodeView, tag: Json): Block {
  if (typeof tag !== "string") return view.newest;
  const block = blockOf(view, String(nodeTag(tag)));
  if (block === undefined) throw invalidParams(`there is no block ${tag}`);
  return block;
}

/** Returns the tag of java-tron for a tag of other nodes. */
function nodeTag(tag: Json): Json {
  if (tag === "pending") return "latest";
  return tag === "safe" ? "finalized" : tag;
}

function filterOf(filter: Json): Json {
  if (!isJsonObject(filter)) return filter;
  const tags = Object.entries(filter).map(([field, value]) => [
    field,
    field === "fromBlock" || field === "toBlock" ? nodeTag(value ?? null) : value,
  ]);
  return Object.fromEntries(tags) as Json;
}

const MOST_WORDS = 10_000;

/**
 * Returns words of a contract in the order of the hashes of their slots, as other nodes store them, from a hash on. The
 * state is that after the block, whatever the index of the transaction.
 */
function storageRangeAt(view: NodeView, [hash, _index, address, from, limit]: readonly Json[]): Json {
  const block = blockOfHash(view, hashOf(view, text(hash)));
  if (block === undefined) throw invalidParams("header not found");
  const { state } = viewAt(view, quantity(block.header.number));
  const start = `0x${bytesToHex(looseHex(text(from) ?? "")).padEnd(WORD_DIGITS, "0")}`;
  const words = storedWords(state, addressOf(view, text(address)))
    .filter(([, word]) => word !== 0n)
    .map(([slot, word]) => ({ hash: wordHash(slot), key: digitsOf(slot), value: digitsOf(word) }))
    .filter((it) => it.hash >= start)
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const count = Math.min(Number(limit ?? MOST_WORDS), MOST_WORDS);
  const storage = words.slice(0, count).map(({ hash, key, value }) => [hash, { key, value }]);
  return { storage: Object.fromEntries(storage) as JsonObject, nextKey: words[count]?.hash ?? null };
}

const WORD_DIGITS = 64;
const digitsOf = (word: bigint): string => `0x${word.toString(16).padStart(WORD_DIGITS, "0")}`;
const wordHash = (slot: bigint): string => `0x${bytesToHex(keccak_256(hexToBytes(digitsOf(slot))))}`;

const MAX_HISTORY = 1024;

/** The chain has no base fee and no priority fee. */
function feeHistory(view: NodeView, [count, newest, percentiles]: readonly Json[]): Json {
  const { number } = blockAt(view, newest ?? "latest").header;
  const requested = Number(typeof count === "number" ? count : blockNumber(view, text(count)));
  const blocks = Math.min(requested, number + 1, MAX_HISTORY);
  const zeros = (length: number): Json => Array.from({ length }, () => "0x0");
  return {
    oldestBlock: quantity(number + 1 - blocks),
    baseFeePerGas: zeros(blocks + 1),
    gasUsedRatio: Array.from({ length: blocks }, () => 0),
    ...(Array.isArray(percentiles) && { reward: Array.from({ length: blocks }, () => zeros(percentiles.length)) }),
  };
}
