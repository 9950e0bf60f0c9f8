import { isHexPairs, type TxId } from "../../core/primitives/bytes.ts";
import { hexException } from "../http/java-error.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import { blockAt, numberOf, queryNumber } from "./blocks.ts";
import { printExecuted, printInfo } from "./print.ts";
import { queryVisible, type Route, readBody, type ServletRequest, type View } from "./route.ts";

const VALUE = { value: "bytes" } as const;
const NUMBER = { num: "int64" } as const;

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
    post: (request, view) => pendingById(view, ...postId(request)),
    get: (request, view) => pendingById(view, queryId(request), queryVisible(request)),
  },
  {
    name: "gettransactionlistfrompending",
    servlet: "GetTransactionListFromPendingServlet",
    solidity: false,
    post: (_request, view) => pendingList(view),
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
function queryId({ query }: ServletRequest): TxId {
  const text = (query.get("value") ?? "").replace(/^0x/, "");
  const even = text.length % 2 === 0 ? text : `0${text}`;
  if (even !== "" && !isHexPairs(even)) throw hexException();
  return even.toLowerCase() as TxId;
}

/** On the head side a transaction that only waits is found too, with the outcome of its trial run. */
function transactionById(view: View, id: TxId, visible: boolean): Reply {
  const found = view.find(id);
  if (found !== undefined) return compact(printExecuted(found.transaction, found.info, visible));
  return pendingById(view, id, visible);
}

function infoById(view: View, id: TxId, visible: boolean): Reply {
  const found = view.find(id);
  return found === undefined ? compact({}) : spaced(printInfo(found, found.block, visible));
}

function infosByHeight(view: View, height: number, visible: boolean): Reply {
  if (height <= 0) return compact({});
  const block = blockAt(view, height);
  return compact(block === undefined ? [] : block.transactions.map((it) => printInfo(it, block, visible)));
}

function pendingById(view: View, id: TxId, visible: boolean): Reply {
  const pending = view.pending(id);
  return compact(pending === undefined ? {} : printExecuted(pending.transaction, pending.trial, visible));
}

function pendingList({ chain }: View): Reply {
  return compact({ txId: chain.pool.entries().map((it) => it.transaction.id) });
}

function pendingSize({ chain }: View): Reply {
  return spaced({ pendingSize: chain.pool.size });
}
