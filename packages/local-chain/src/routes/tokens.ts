import {
  type Address,
  bytesToHex,
  type Hex,
  hexToBytes,
  type Json,
  type JsonObject,
  jsonInteger,
} from "@finality/tron/primitives";
import { AssetIssueContractSchema } from "@finality/tron/schema";
import { messageToJson } from "@finality/tron/transaction";
import type { Account } from "../chain/account.ts";
import { UNUSED, usageAt } from "../chain/stake.ts";
import type { Token, TokenId } from "../chain/token.ts";
import { validAddress } from "../chain/transaction.ts";
import { capacityOfCopy, JavaError, javaOrder, looseHex } from "../http/java-values.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { NodeView } from "../node/node-view.ts";
import { unlessZero } from "./print.ts";
import {
  ACCOUNT_QUERY_FIELDS,
  addressBytes,
  invokedOnNull,
  parameter,
  queryNumber,
  queryText,
  queryVisible,
  type Route,
  readBody,
  readText,
  type TextParameter,
} from "./route.ts";

const PAGE = { offset: "int64", limit: "int64" } as const;
const LONGEST_PAGE = 1000;

/** Routes for TRC-10 tokens. */
export const tokenRoutes: readonly Route[] = [
  {
    name: "getassetissuelist",
    servlet: "GetAssetIssueListServlet",
    solidity: true,
    post: (request, view) => printTokens(view, allTokens(view), queryVisible(request)),
    get: (request, view) => printTokens(view, allTokens(view), queryVisible(request)),
  },
  {
    name: "getpaginatedassetissuelist",
    servlet: "GetPaginatedAssetIssueListServlet",
    solidity: true,
    post: (request, view) => {
      const { values, visible } = readBody(request, PAGE);
      return printPage(view, Number(values.offset ?? 0), Number(values.limit ?? 0), visible);
    },
    get: (request, view) =>
      printPage(view, queryNumber(request, "offset"), queryNumber(request, "limit"), queryVisible(request)),
  },
  {
    name: "getassetissuebyaccount",
    servlet: "GetAssetIssueByAccountServlet",
    solidity: false,
    post: (request, view) => {
      const { values, visible } = readBody(request, ACCOUNT_QUERY_FIELDS);
      return printIssued(view, validAddress(hexToBytes(String(values.address ?? ""))), visible);
    },
    get: (request, view) => {
      const visible = queryVisible(request);
      return printIssued(
        view,
        validAddress(addressBytes(parameter(request, "address"), visible, request.nodeVersion)),
        visible,
      );
    },
  },
  byValue("getassetissuebyid", "GetAssetIssueByIdServlet", (view, { text = "", visible }) => {
    if (text !== "" && text.trim() === "") throw noKey();
    return printToken(view, view.state.tables.tokens.get(text), visible);
  }),
  byValue("getassetissuebyname", "GetAssetIssueByNameServlet", (view, parameter) => {
    const name = nameIn(parameter);
    return printToken(view, name === "" ? undefined : tokenByName(view, name), parameter.visible);
  }),
  byValue("getassetissuelistbyname", "GetAssetIssueListByNameServlet", (view, parameter) => {
    const name = nameIn(parameter);
    return printTokens(view, name === "" ? [] : tokensNamed(view, name), parameter.visible);
  }),
];

function noKey(): JavaError {
  return new JavaError("java.lang.IllegalArgumentException", "The key argument cannot be null");
}

type Find = (view: NodeView, parameter: TextParameter) => Reply;

/** Creates a route with the same names in body and query. */
function byValue(name: string, servlet: string, find: Find): Route {
  return {
    name,
    servlet,
    solidity: true,
    post: (request, view) => find(view, readText(request, "value")),
    get: (request, view) => find(view, queryText(request, "value")),
  };
}

/** @throws {JavaError} nothing when visible, else no hex */
function nameIn({ text, visible }: TextParameter): Hex {
  if (!visible) return bytesToHex(looseHex(text ?? ""));
  if (text === undefined) throw invokedOnNull("String.getBytes(java.nio.charset.Charset)", "<parameter1>");
  return bytesToHex(new TextEncoder().encode(text));
}

/** Returns all tokens in the text order of their ids. */
function allTokens({ state }: NodeView): Token[] {
  return [...state.tables.tokens.entries().values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function tokensNamed(view: NodeView, name: Hex): Token[] {
  return allTokens(view).filter((it) => bytesToHex(it.definition.name) === name);
}

/** Returns the token of a name, or of an id in its place. @throws {JavaError} several tokens have the name */
function tokenByName(view: NodeView, name: Hex): Token | undefined {
  const byNumber = view.state.tables.tokens.get(Buffer.from(name, "hex").toString("utf8"));
  const found = new Set(tokensNamed(view, name));
  if (byNumber !== undefined) found.add(byNumber);
  if (found.size <= 1) return [...found][0];
  const text = "To get more than one asset, please use getAssetIssueById syntax";
  throw new JavaError("org.tron.core.exception.NonUniqueObjectException", text);
}

function printPage(view: NodeView, offset: number, limit: number, visible: boolean): Reply {
  if (offset < 0 || limit < 0) return compact({});
  const nameOf = (it: Token): string => Buffer.from(it.definition.name).toString("utf8");
  const sorted = allTokens(view).sort((one, other) => compare(nameOf(one), nameOf(other)));
  return printTokens(view, sorted.slice(offset, offset + Math.min(limit, LONGEST_PAGE)), visible);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function printIssued(view: NodeView, issuer: Address | undefined, visible: boolean): Reply {
  const issued = allTokens(view).filter((it) => validAddress(it.definition.ownerAddress) === issuer);
  return printTokens(view, issuer === undefined ? [] : issued, visible);
}

function printTokens(view: NodeView, tokens: readonly Token[], visible: boolean): Reply {
  return tokens.length === 0 ? compact({}) : spaced({ assetIssue: tokens.map((it) => tokenJson(view, it, visible)) });
}

function printToken(view: NodeView, token: Token | undefined, visible: boolean): Reply {
  return token === undefined ? compact({}) : spaced(tokenJson(view, token, visible));
}

function tokenJson({ newest, state }: NodeView, { definition, publicUse }: Token, visible: boolean): JsonObject {
  const slot = state.slotAt(newest.header.timestamp);
  const used = { publicFreeAssetNetUsage: usageAt(publicUse, slot), publicLatestFreeNetTime: BigInt(publicUse.slot) };
  return messageToJson(AssetIssueContractSchema, { ...definition, ...used }, visible);
}

/** Prints the token fields of `getaccount`. */
export function tokenParts(account: Account, slot: number, visible: boolean): JsonObject {
  const { issued, tokens, tokenUse } = account;
  const parts: { readonly [name: string]: Json[] } = {
    frozen_supply: issued.frozen.map(({ amount, due }) => ({
      frozen_balance: jsonInteger(amount),
      expire_time: unlessZero(due),
    })),
    assetV2: javaOrder([...tokens.keys()]).map((key) => entry(key, tokens.get(key) ?? 0n)),
    latest_asset_operation_timeV2: [...tokenUse].map(([key, { slot: last }]) => entry(key, BigInt(last))),
    free_asset_net_usageV2: usedOfTokens(account, slot).map(([key, used]) => entry(key, used)),
  };
  return {
    ...(issued.name !== "" && { asset_issued_name: printBytes(issued.name, visible), asset_issued_ID: issued.id }),
    ...Object.fromEntries(Object.entries(parts).filter(([, entries]) => entries.length > 0)),
  };
}

/** Prints the token fields of `getaccountnet`. */
export function tokenBandwidth({ state }: NodeView, account: Account, slot: number): JsonObject {
  const used = usedOfTokens(account, slot);
  if (used.length === 0) return {};
  const limitOf = (id: TokenId): bigint => state.tables.tokens.get(id)?.definition.freeAssetNetLimit ?? 0n;
  return {
    assetNetUsed: used.map(([key, amount]) => entry(key, amount)),
    assetNetLimit: javaOrder(used.map(([id]) => id)).map((id) => entry(id, limitOf(id))),
  };
}

/** Returns used tokens first, then owned ones with a usage of 0. */
function usedOfTokens({ tokens, tokenUse }: Account, slot: number): [TokenId, bigint][] {
  const all = [...new Set([...tokens.keys(), ...tokenUse.keys()])];
  const others = javaOrder(all, capacityOfCopy(tokens.size)).filter((it) => !tokenUse.has(it));
  return [...tokenUse.keys(), ...others].map((id) => [id, usageAt(tokenUse.get(id) ?? UNUSED, slot)]);
}

/** Prints bytes as text when visible, else as hex. */
export function printBytes(bytes: Hex, visible: boolean): string {
  return visible ? Buffer.from(bytes, "hex").toString("utf8") : bytes;
}

/** Prints a map entry, which includes zeros. */
function entry(key: string, value: bigint): JsonObject {
  return { key, value: jsonInteger(value) };
}
