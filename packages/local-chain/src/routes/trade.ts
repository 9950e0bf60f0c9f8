import { bytesToHex, hexToBytes, type JsonObject } from "@finality/tron/primitives";
import { levelsOf, neighbours } from "../chain/market.ts";
import { assetOf, type Exchange, isAsset, type Order, type OrderId, type PriceLevel } from "../chain/trading.ts";
import { validAddress } from "../chain/transaction.ts";
import { badItem, JavaError, looseHex, requiredLong } from "../http/java-values.ts";
import type { Fields, Value } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { NodeView } from "../node/node-view.ts";
import { printAddress, printMessage, unlessZero } from "./print.ts";
import {
  addressBytes,
  bodyText,
  invokedOnNull,
  isVisible,
  parameter,
  plainText,
  presentBody,
  queryNumber,
  queryText,
  queryVisible,
  type Route,
  readBody,
  readText,
  type TextParameter,
} from "./route.ts";

/** Most entries of a list; orders and pairs have one more (Parameter.DatabaseConstants). */
const LIST_LIMIT = 1000;
const PAIR: Fields = { sell_token_id: "name", buy_token_id: "name" };
const PAGE = { offset: "int64", limit: "int64" } as const;

/** Routes for exchanges and the market. */
export const tradeRoutes: readonly Route[] = [
  lookup("listexchanges", {
    post: (request, view) => listExchanges(view, queryVisible(request)),
    get: (request, view) => listExchanges(view, queryVisible(request)),
  }),
  {
    ...lookup("getpaginatedexchangelist", {
      post: (request, view) => {
        const { values, visible } = readBody(request, PAGE);
        return exchangePage(view, [longOf(values.offset), longOf(values.limit)], visible);
      },
      get: (request, view) => {
        const [offset, limit] = [queryNumber(request, "offset"), queryNumber(request, "limit")];
        return exchangePage(view, [BigInt(offset), BigInt(limit)], queryVisible(request));
      },
    }),
    solidity: false,
  },
  lookup("getexchangebyid", {
    post: (request, view) => {
      const json = presentBody(bodyText(request), request.nodeVersion);
      if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getBigDecimal(String)");
      return exchangeById(view, requiredLong(json, "id"), isVisible(json));
    },
    get: (request, view) => exchangeById(view, BigInt(queryNumber(request, "id")), queryVisible(request)),
  }),
  lookup("getmarketorderbyaccount", {
    post: (request, view) => ordersOf(view, readText(request, "value")),
    get: (request, view) => ordersOf(view, queryText(request, "value")),
  }),
  lookup("getmarketorderbyid", {
    post: (request, view) => {
      const { values, visible } = readBody(request, { value: "bytes" }, plainText);
      return orderById(view, String(values.value ?? ""), visible);
    },
    get: (request, view) =>
      orderById(view, bytesToHex(looseHex(parameter(request, "value") ?? "")), queryVisible(request)),
  }),
  byPair("getmarketpricebypair", prices),
  byPair("getmarketorderlistbypair", ordersOfPair),
  lookup("getmarketpairlist", {
    post: (request, view) => pairs(view, isVisible(presentBody(plainText(request), request.nodeVersion))),
    get: (request, view) => pairs(view, queryVisible(request)),
  }),
];

function lookup(name: string, handlers: Pick<Route, "post" | "get">): Route {
  return { name, servlet: `${name[0]?.toUpperCase()}${name.slice(1)}Servlet`, solidity: true, ...handlers };
}

function longOf(value: Value | undefined): bigint {
  return typeof value === "bigint" ? value : 0n;
}

function listExchanges({ state }: NodeView, visible: boolean): Reply {
  const all = [...state.tables.exchanges.entries().values()];
  return printExchanges(
    all.sort((a, b) => b.createdAt - a.createdAt || Number(a.id - b.id)),
    visible,
  );
}

/** Returns exchanges by number after `offset`. */
function exchangePage({ state }: NodeView, [offset, limit]: readonly [bigint, bigint], visible: boolean): Reply {
  const newest = state.totals.exchanges;
  if (limit < 0n || offset < 0n || newest <= offset) return compact({});
  const count = limit > LIST_LIMIT ? BigInt(LIST_LIMIT) : limit;
  const page: Exchange[] = [];
  for (let id = offset + 1n; id <= offset + count && id <= newest; id += 1n) {
    const exchange = state.tables.exchanges.get(id);
    if (exchange !== undefined) page.push(exchange);
  }
  return printExchanges(page, visible);
}

function exchangeById({ state }: NodeView, id: bigint, visible: boolean): Reply {
  const exchange = state.tables.exchanges.get(id);
  if (exchange === undefined) throw invokedOnNull("com.google.protobuf.Message.getAllFields()", "<local2>");
  return spaced(exchangeJson(exchange, visible));
}

function printExchanges(exchanges: readonly Exchange[], visible: boolean): Reply {
  return listOf(
    "exchanges",
    exchanges.map((it) => exchangeJson(it, visible)),
  );
}

function exchangeJson({ id, creator, createdAt, first, second }: Exchange, visible: boolean): JsonObject {
  return {
    exchange_id: unlessZero(id),
    creator_address: printAddress(creator, visible),
    create_time: unlessZero(createdAt),
    first_token_id: printMessage(first.asset, visible),
    first_token_balance: unlessZero(first.amount),
    second_token_id: printMessage(second.asset, visible),
    second_token_balance: unlessZero(second.amount),
  };
}

/** Prints active orders; an account that never had one has no list. */
function ordersOf({ state, chain }: NodeView, { text, visible }: TextParameter): Reply {
  const address = validAddress(addressBytes(text, visible, chain.nodeVersion));
  const seller = address && state.tables.sellers.get(address);
  if (seller === undefined) return compact({});
  const orders = seller.active.flatMap((it) => state.tables.orders.get(it) ?? []);
  return listOf(
    "orders",
    orders.map((it) => orderJson(it, visible)),
  );
}

/** @throws {JavaError} there is no such order */
function orderById({ state }: NodeView, id: string, visible: boolean): Reply {
  if (id === "") return compact({});
  const order = state.tables.orders.get(id as OrderId);
  if (order === undefined) throw new JavaError("java.lang.IllegalStateException", "order not found in store");
  const [prev, next] = neighbours(state, order);
  return spaced({ ...orderJson(order, visible), prev, next });
}

function orderJson(order: Order, visible: boolean): JsonObject {
  const { id, owner, createdAt, sell, buy, remaining, returned, state } = order;
  return {
    order_id: id,
    owner_address: printAddress(owner, visible),
    create_time: unlessZero(createdAt),
    sell_token_id: printMessage(sell.asset, visible),
    sell_token_quantity: unlessZero(sell.amount),
    buy_token_id: printMessage(buy.asset, visible),
    buy_token_quantity: unlessZero(buy.amount),
    sell_token_quantity_remain: unlessZero(remaining),
    sell_token_quantity_return: unlessZero(returned),
    ...(state !== "ACTIVE" && { state }),
  };
}

interface RequestedPair {
  readonly sell: string;
  readonly buy: string;
  readonly visible: boolean;
}

/** Creates a route for a pair, whose names are text when visible, else hex. */
function byPair(name: string, answer: (view: NodeView, pair: RequestedPair) => Reply): Route {
  return lookup(name, {
    post: (request, view) => answer(view, checked(bodyPair(request))),
    get: (request, view) => answer(view, checked(queryPair(request))),
  });
}

function bodyPair(request: ServletRequest): RequestedPair {
  const { values, visible } = readBody(request, PAIR, plainText);
  const [sell, buy] = [values.sell_token_id, values.buy_token_id].map((it) => assetOf(hexToBytes(String(it ?? ""))));
  return { sell: sell ?? "", buy: buy ?? "", visible };
}

function queryPair(request: ServletRequest): RequestedPair {
  const visible = queryVisible(request);
  const [sell, buy] = ["sell_token_id", "buy_token_id"].map((it) => assetText(parameter(request, it), visible));
  return { sell: sell ?? "", buy: buy ?? "", visible };
}

/** @throws {JavaError} nothing when visible, else no hex */
function assetText(text: string | undefined, visible: boolean): string {
  if (!visible) return assetOf(looseHex(text ?? ""));
  if (text === undefined) throw invokedOnNull("String.getBytes(java.nio.charset.Charset)", "<parameter1>");
  return text;
}

function checked(pair: RequestedPair): RequestedPair {
  if (!isAsset(pair.sell)) throw badItem("sellTokenId is not a valid number");
  if (!isAsset(pair.buy)) throw badItem("buyTokenId is not a valid number");
  return pair;
}

function prices({ state }: NodeView, { sell, buy, visible }: RequestedPair): Reply {
  const levels = levelsOf(state, sell, buy).slice(0, LIST_LIMIT);
  const priceJson = (it: PriceLevel): JsonObject => ({
    sell_token_quantity: unlessZero(it.sell),
    buy_token_quantity: unlessZero(it.buy),
  });
  return spaced({
    sell_token_id: printMessage(sell, visible),
    buy_token_id: printMessage(buy, visible),
    ...(levels.length > 0 && { prices: levels.map(priceJson) }),
  });
}

function ordersOfPair({ state }: NodeView, { sell, buy, visible }: RequestedPair): Reply {
  const ids = levelsOf(state, sell, buy)
    .slice(0, LIST_LIMIT)
    .flatMap((it) => it.orders);
  const orders = ids.slice(0, LIST_LIMIT + 1).flatMap((it) => state.tables.orders.get(it) ?? []);
  return listOf(
    "orders",
    orders.map((it) => orderJson(it, visible)),
  );
}

function pairs({ state }: NodeView, visible: boolean): Reply {
  const names = [...state.tables.prices.entries().keys()].sort().slice(0, LIST_LIMIT + 1);
  return listOf(
    "orderPair",
    names.map((it) => {
      const [sell = "", buy = ""] = it.split(" ");
      return { sell_token_id: printMessage(sell, visible), buy_token_id: printMessage(buy, visible) };
    }),
  );
}

function listOf(name: string, items: readonly JsonObject[]): Reply {
  return items.length === 0 ? compact({}) : spaced({ [name]: [...items] });
}
