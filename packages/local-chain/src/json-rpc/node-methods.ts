import { bytesToHex, type Json } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { JavaError, looseHex, nullPointerException } from "../http/java-values.ts";
import type { NodeView } from "../node/node-view.ts";
import { storageOf } from "../vm/frame.ts";
import { wordOfBytes } from "../vm/words.ts";
import { checkRange, type LogFilter, matchingLogs, namesFinalized, printRpcLog, readLogFilter } from "./logs.ts";
import { type RpcContext, type RpcMethods, withoutParameters } from "./rpc-method.ts";
import {
  addressOf,
  checkLatest,
  dataOf,
  invalidParams,
  isSince482,
  nodeError,
  quantity,
  text,
  zeros,
} from "./rpc-values.ts";

const CHAIN_ID_DIGITS = 8;
const NO_UNCLES = { parameters: 1, answer: () => "0x0" };

/** Methods about the node and the chain. The node has no peers, and does not mine. */
export const nodeMethods: RpcMethods = {
  web3_clientVersion: withoutParameters(({ view }) =>
    isSince482(view) ? "TRON/v4.8.2/Linux/Java17" : "TRON/v4.8.0/Linux/Java1.8",
  ),
  web3_sha3: { parameters: 1, answer: (_context, [data]) => hashOf(text(data)) },
  net_version: withoutParameters(chainId),
  net_listening: withoutParameters(() => false),
  net_peerCount: withoutParameters(() => "0x0"),
  eth_chainId: withoutParameters(chainId),
  eth_protocolVersion: withoutParameters(({ view }) => quantity(view.newest.header.version)),
  eth_blockNumber: withoutParameters(({ view }) => quantity(view.newest.header.number)),
  eth_syncing: withoutParameters(() => false),
  eth_gasPrice: withoutParameters(({ view }) => quantity(view.chain.parameters.getEnergyFee)),
  eth_accounts: withoutParameters(() => []),
  eth_coinbase: withoutParameters(() => {
    throw nodeError("etherbase must be explicitly specified");
  }),
  eth_mining: withoutParameters(() => false),
  eth_hashrate: withoutParameters(() => "0x0"),
  eth_getWork: withoutParameters(({ view }) => [`0x${view.newest.id}`, null, null]),
  eth_getUncleCountByBlockHash: NO_UNCLES,
  eth_getUncleCountByBlockNumber: NO_UNCLES,
  eth_getUncleByBlockHashAndIndex: { parameters: 2, answer: () => null },
  eth_getUncleByBlockNumberAndIndex: { parameters: 2, answer: () => null },
};

/** Returns the last four bytes of the genesis id; as on the node a leading zero stays. */
function chainId({ view }: RpcContext): string {
  return `0x${view.chain.blockId(0)?.slice(-CHAIN_ID_DIGITS)}`;
}

function hashOf(data: string | undefined): string {
  try {
    return dataOf(keccak_256(looseHex(data ?? "")));
  } catch (error) {
    throw error instanceof JavaError ? invalidParams("invalid input value") : error;
  }
}

/** Methods for current accounts and contracts. */
export const stateMethods: RpcMethods = {
  eth_getBalance: { parameters: 2, answer: (context, [address, tag]) => balance(context, text(address), text(tag)) },
  eth_getCode: { parameters: 2, answer: (context, [address, tag]) => code(context, text(address), text(tag)) },
  eth_getStorageAt: {
    parameters: 3,
    answer: (context, [address, slot, tag]) => storedWord(context, text(address), text(slot), text(tag)),
  },
};

function balance({ view }: RpcContext, address: string | undefined, tag: string | undefined): string {
  checkLatest(view, tag);
  return quantity(BigInt.asUintN(64, view.state.account(addressOf(view, address))?.balance ?? 0n));
}

function code({ view }: RpcContext, address: string | undefined, tag: string | undefined): string {
  checkLatest(view, tag);
  return dataOf(view.state.contract(addressOf(view, address))?.code ?? new Uint8Array());
}

const WORD_BYTES = 32;

function storedWord(
  { view }: RpcContext,
  address: string | undefined,
  slot: string | undefined,
  tag: string | undefined,
): string {
  const { state } = view;
  checkLatest(view, tag);
  if (isSince482(view)) checkSlot(slot);
  const known = addressOf(view, address);
  if (state.contract(known) === undefined) return zeros(WORD_BYTES);
  const word = state.row(storageOf(state, known), slotOf(slot ?? "")) ?? 0n;
  return `0x${word.toString(16).padStart(2 * WORD_BYTES, "0")}`;
}

const LONGEST_SLOT = 66;

/** @throws {RpcError} the slot is missing, no hex, or more than a word */
function checkSlot(input: string | undefined): void {
  const invalid = invalidParams("invalid storage key value");
  if (input === undefined || input.length > LONGEST_SLOT) throw invalid;
  try {
    slotOf(input);
  } catch (error) {
    throw error instanceof JavaError ? invalid : error;
  }
}

/** @throws {JavaError} no hex, or more than a word */
function slotOf(input: string): bigint {
  const bytes = looseHex(input);
  if (bytes.length <= WORD_BYTES) return wordOfBytes(bytes);
  throw new JavaError("java.lang.RuntimeException", `Data word can't exceed 32 bytes: ${bytesToHex(bytes)}`);
}

/** Methods for logs and filters. */
export const filterMethods: RpcMethods = {
  eth_getLogs: {
    parameters: 1,
    answer: ({ view }, [input]) => {
      const filter = readLogFilter(view, input);
      checkRange(view, filter);
      return printed(view, filter);
    },
  },
  eth_newFilter: { parameters: 1, answer: newFilter },
  eth_newBlockFilter: withoutParameters(({ view, filters }) => filters.add(view)),
  eth_getFilterChanges: {
    parameters: 1,
    answer: ({ view, filters }, [id]) => filters.changes(view, filterId(id)),
  },
  eth_getFilterLogs: {
    parameters: 1,
    answer: ({ view, filters }, [id]) => {
      const filter = filters.logs(filterId(id));
      if (isSince482(view)) checkRange(view, filter);
      return printed(view, filter);
    },
  },
  eth_uninstallFilter: {
    parameters: 1,
    answer: ({ filters }, [id]) => {
      filters.remove(filterId(id));
      return true;
    },
  },
};

/** @throws {JavaError | Unreadable} */
function filterId(id: Json | undefined): string {
  const read = text(id);
  if (read !== undefined) return read;
  throw nullPointerException('Cannot invoke "String.startsWith(String)" because "<parameter1>" is null');
}

function newFilter({ view, filters }: RpcContext, [input]: readonly Json[]): Json {
  if (namesFinalized(input)) throw invalidParams("invalid block range params");
  return filters.add(view, readLogFilter(view, input));
}

function printed(view: NodeView, filter: LogFilter): Json {
  return matchingLogs(view, filter).map((it) => printRpcLog(view, it));
}
