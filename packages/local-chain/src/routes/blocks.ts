import { bytesToHex, isHexPairs, type JsonObject, type TxId } from "@finality/tron/primitives";
import type { Block } from "../chain/block.ts";
import { JavaError, looseHex, parseLong } from "../http/java-values.ts";
import type { Values } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { NodeView } from "../node/node-view.ts";
import { printBlock, printExecuted, printInfo } from "./print.ts";
import { bodyText, parameter, presentBody, queryNumber, queryVisible, type Route, readBody } from "./route.ts";

const MAX_RANGE = 100;
const NUMBER = { num: "int64" } as const;
const RANGE = { startNum: "int64", endNum: "int64" } as const;
const ID = { value: "bytes" } as const;
const ID_OR_NUMBER = { id_or_num: "text", detail: "bool" } as const;

export const blockRoutes: readonly Route[] = [
  {
    name: "getnowblock",
    servlet: "GetNowBlockServlet",
    solidity: true,
    post: getNowBlock,
    get: getNowBlock,
  },
  {
    name: "getblock",
    servlet: "GetBlockServlet",
    solidity: true,
    post: (request, view) => {
      if (bodyText(request) === "") return getBlock(view, {}, false);
      const { values, visible } = readBody(request, ID_OR_NUMBER);
      return getBlock(view, values, visible);
    },
    get: (request, view) => {
      const checkedId = parameter(request, "id_or_num") ?? "";
      const detail = parameter(request, "detail")?.toLowerCase() === "true";
      return getBlock(view, { id_or_num: checkedId, detail }, queryVisible(request));
    },
  },
  {
    name: "getblockbynum",
    servlet: "GetBlockByNumServlet",
    solidity: true,
    post: (request, view) => {
      const { values, visible } = readBody(request, NUMBER);
      return oneBlock(view, blockAt(view, numberOf(values, "num")), visible);
    },
    get: (request, view) => {
      const height = parameter(request, "num") === undefined ? 0 : queryNumber(request, "num");
      return oneBlock(view, blockAt(view, height), queryVisible(request));
    },
  },
  {
    name: "getblockbyid",
    servlet: "GetBlockByIdServlet",
    solidity: true,
    post: (request, view) => {
      const { values, visible } = readBody(request, ID);
      return oneBlock(view, blockWithId(view, String(values.value ?? "")), visible);
    },
    get: (request, view) => oneBlock(view, blockWithId(view, queryId(request)), queryVisible(request)),
  },
  {
    name: "getblockbylimitnext",
    servlet: "GetBlockByLimitNextServlet",
    solidity: true,
    post: (request, view) => {
      const { values, visible } = readBody(request, RANGE);
      return blockRange(view, numberOf(values, "startNum"), numberOf(values, "endNum"), visible);
    },
    get: (request, view) =>
      blockRange(view, queryNumber(request, "startNum"), queryNumber(request, "endNum"), queryVisible(request)),
  },
  {
    name: "getblockbylatestnum",
    servlet: "GetBlockByLatestNumServlet",
    solidity: true,
    post: (request, view) => {
      const { values, visible } = readBody(request, NUMBER);
      return latestBlocks(view, numberOf(values, "num"), visible);
    },
    get: (request, view) => latestBlocks(view, queryNumber(request, "num"), queryVisible(request)),
  },
  {
    name: "gettransactioncountbyblocknum",
    servlet: "GetTransactionCountByBlockNumServlet",
    solidity: true,
    post: (request, view) => transactionCount(view, numberOf(readBody(request, NUMBER).values, "num")),
    get: (request, view) => transactionCount(view, queryNumber(request, "num")),
  },
];

function numberOf(values: Values, name: string): number {
  const value = values[name];
  return typeof value === "bigint" ? Number(value) : 0;
}

function blockAt(view: NodeView, height: number): Block | undefined {
  return height < 0 ? undefined : view.block(height);
}

function getNowBlock(request: ServletRequest, view: NodeView): Reply {
  return oneBlock(view, view.newest, queryVisible(request));
}

function oneBlock({ chain }: NodeView, block: Block | undefined, visible: boolean): Reply {
  return compact(block === undefined ? {} : printBlock(block, { chain, visible }));
}

function blockWithId(view: NodeView, id: string): Block | undefined {
  const block = view.block(Number.parseInt(id.slice(0, 16), 16));
  return block?.id === id ? block : undefined;
}

function getBlock(view: NodeView, values: Values, visible: boolean): Reply {
  const checkedId = values.id_or_num;
  const detail = values.detail === true;
  if (typeof checkedId !== "string" || checkedId === "") {
    return compact(printBlock(view.newest, { chain: view.chain, visible, detail }));
  }
  const problem = idProblem(checkedId);
  if (problem !== undefined) return compact({ Error: problem });
  const block = checkedId.length === 64 ? blockWithId(view, checkedId.toLowerCase()) : blockAt(view, Number(checkedId));
  return compact(block === undefined ? {} : printBlock(block, { chain: view.chain, visible, detail }));
}

function idProblem(checkedId: string): string | undefined {
  if (checkedId.length === 64 && isHexPairs(checkedId)) return undefined;
  if (heightIn(checkedId) === undefined) return "id must be legal block hash.";
  return Number(checkedId) < 0 ? "num must be non-positive number." : undefined;
}

function heightIn(text: string): bigint | undefined {
  try {
    return parseLong(text);
  } catch {
    return undefined;
  }
}

/** Returns a range of at most 100 blocks, without its end. */
function blockRange(view: NodeView, start: number, end: number, visible: boolean): Reply {
  if (start < 0 || end <= start || end - start > MAX_RANGE) return compact({});
  return printBlocks(view, start, end, visible);
}

function latestBlocks(view: NodeView, count: number, visible: boolean): Reply {
  if (count <= 0 || count >= MAX_RANGE) return compact({});
  const end = view.newest.header.number + 1;
  return printBlocks(view, Math.max(0, end - count), end, visible);
}

function printBlocks(view: NodeView, start: number, end: number, visible: boolean): Reply {
  const blocks: JsonObject[] = [];
  for (let height = start; height < end; height += 1) {
    const block = view.block(height);
    if (block !== undefined) blocks.push(printBlock(block, { chain: view.chain, visible }));
  }
  return compact(blocks.length === 0 ? {} : { block: blocks });
}

function transactionCount(view: NodeView, height: number): Reply {
  return spaced({ count: blockAt(view, height)?.transactions.length ?? -1 });
}

const ID_DIGITS = 64;
const VALUE = { value: "bytes" } as const;

export const transactionRoutes: readonly Route[] = [
  {
    name: "gettransactionbyid",
    servlet: "GetTransactionByIdServlet",
    solidity: true,
    post: (request, view) => transactionById(view, ...postId(request)),
    get: (request, view) => transactionById(view, queryId(request), queryVisible(request)),
  },
  {
    name: "gettransactioninfobyid",
    servlet: "GetTransactionInfoByIdServlet",
    solidity: true,
    post: (request, view) => infoById(view, ...postId(request)),
    get: (request, view) => infoById(view, queryId(request), queryVisible(request)),
  },
  {
    name: "gettransactionreceiptbyid",
    servlet: "GetTransactionReceiptByIdServlet",
    solidity: false,
    post: (request, view) => receiptById(view, ...postId(request)),
    get: (request, view) => receiptById(view, queryId(request), queryVisible(request)),
  },
  {
    name: "gettransactioninfobyblocknum",
    servlet: "GetTransactionInfoByBlockNumServlet",
    solidity: true,
    post: (request, view) => {
      const { values, visible } = readBody(request, NUMBER);
      return infosByHeight(view, numberOf(values, "num"), visible);
    },
    get: (request, view) => infosByHeight(view, queryNumber(request, "num"), queryVisible(request)),
  },
  {
    name: "gettransactionfrompending",
    servlet: "GetTransactionFromPendingServlet",
    solidity: false,
    post: (request, view) => {
      const [id, visible] = postId(request);
      return pendingById(view, checkedId(id), visible);
    },
    get: (request, view) => pendingById(view, checkedId(queryId(request)), queryVisible(request)),
  },
  {
    name: "gettransactionlistfrompending",
    servlet: "GetTransactionListFromPendingServlet",
    solidity: false,
    post: (request, view) => {
      presentBody(bodyText(request), request.nodeVersion);
      return pendingList(view);
    },
    get: (_request, view) => pendingList(view),
  },
  {
    name: "getpendingsize",
    servlet: "GetPendingSizeServlet",
    solidity: false,
    post: (_request, view) => pendingSize(view),
    get: (_request, view) => pendingSize(view),
  },
];

function postId(request: ServletRequest): [id: TxId, visible: boolean] {
  const { values, visible } = readBody(request, VALUE);
  return [String(values.value ?? "") as TxId, visible];
}

/** @throws {JavaError} not hex */
function queryId(request: ServletRequest): TxId {
  return bytesToHex(looseHex(parameter(request, "value") ?? "")) as TxId;
}

/** @throws {JavaError} it is no id */
function checkedId(id: TxId): TxId {
  if (id.length !== ID_DIGITS) throw new JavaError("java.lang.IllegalArgumentException", "null");
  return id;
}

/** Returns a transaction. The head side also finds pending ones, with the result of their trial run. */
function transactionById(view: NodeView, id: TxId, visible: boolean): Reply {
  const found = view.find(id);
  if (found !== undefined) return compact(printExecuted(found.transaction, found.info, visible));
  return pendingById(view, id, visible);
}

function infoById(view: NodeView, id: TxId, visible: boolean): Reply {
  const found = view.find(id);
  return found === undefined ? compact({}) : spaced(printInfo(found, found.block, visible));
}

function receiptById(view: NodeView, id: TxId, visible: boolean): Reply {
  const found = view.find(id);
  const { receipt } = found === undefined ? {} : printInfo(found, found.block, visible);
  return compact(found === undefined ? {} : { Receipt: receipt });
}

function infosByHeight(view: NodeView, height: number, visible: boolean): Reply {
  if (height <= 0) return compact({});
  const block = blockAt(view, height);
  return compact(block === undefined ? [] : block.transactions.map((it) => printInfo(it, block, visible)));
}

function pendingById(view: NodeView, id: TxId, visible: boolean): Reply {
  const pending = view.pending(id);
  return compact(pending === undefined ? {} : printExecuted(pending.transaction, pending.trial, visible));
}

function pendingList({ chain }: NodeView): Reply {
  const ids = chain.pool.entries().map((it) => it.transaction.id);
  return compact(ids.length === 0 ? {} : { txId: ids });
}

function pendingSize({ chain }: NodeView): Reply {
  return spaced({ pendingSize: chain.pool.size });
}
