import {
  type Address,
  bytesToBase58Check,
  bytesToHex,
  hexToBytes,
  type Json,
  type JsonObject,
  jsonInteger,
} from "@finality/tron/primitives";
import { delegatable, delegationTo } from "../chain/delegation.ts";
import { type ByResource, type Delegation, MAX_UNSTAKING, type Resource } from "../chain/stake.ts";
import { splitUnstaking } from "../chain/staking.ts";
import { validAddress } from "../chain/transaction.ts";
import { parseInteger, parseLong } from "../http/java-values.ts";
import { type Fields, fieldsNamed, type Values } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import { accountIn, type NodeView } from "../node/node-view.ts";
import { printAddress, unlessZero } from "./print.ts";
import { addressBytes, type Body, parameter, queryVisible, type Route, readAddress, readBody } from "./route.ts";

const OWNER = { owner_address: "address" } as const;
const DELEGATION = fieldsNamed("DelegatedResourceMessage", { fromAddress: "address", toAddress: "address" });
const ADDRESS_LENGTH = 21;
const RESOURCES: readonly Resource[] = ["bandwidth", "energy"];

/** Routes for delegated and unstaking resources. */
export const stakeRoutes: readonly Route[] = [
  lookup("getdelegatedresource", DELEGATION, () => compact({})),
  lookup(
    "getdelegatedresourceaccountindex",
    { value: "address" },
    (_view, values, visible) => printIndex(values, visible, {}),
    readAddress,
  ),
  lookup("getdelegatedresourcev2", DELEGATION, delegated),
  lookup("getdelegatedresourceaccountindexv2", { value: "address" }, delegationIndex, readAddress),
  lookup(
    "getcandelegatedmaxsize",
    fieldsNamed("CanDelegatedMaxSizeRequestMessage", { type: "int32", ...OWNER }),
    canDelegate,
  ),
  lookup(
    "getavailableunfreezecount",
    fieldsNamed("GetAvailableUnfreezeCountRequestMessage", { ...OWNER }),
    availableUnfreezes,
  ),
  lookup(
    "getcanwithdrawunfreezeamount",
    fieldsNamed("CanWithdrawUnfreezeAmountRequestMessage", { ...OWNER, timestamp: "int64" }),
    canWithdraw,
  ),
];

type Lookup = (view: NodeView, values: Values, visible: boolean) => Reply;
type Reader = (request: ServletRequest, fields: Fields) => Body;

/** Creates a query route for both sides, with the same names in body and query. */
function lookup(name: string, fields: Fields, answer: Lookup, read: Reader = readBody): Route {
  return {
    name,
    servlet: `${name}Servlet`,
    solidity: true,
    post: (request, view) => {
      const { values, visible } = read(request, fields);
      return answer(view, values, visible);
    },
    get: (request, view) => answer(view, queryValues(request, fields), queryVisible(request)),
  };
}

/** Reads query values, numbers before addresses. @throws {JavaError} */
function queryValues(request: ServletRequest, fields: Fields): Values {
  const visible = queryVisible(request);
  const numbers = Object.keys(fields).filter((it) => fields[it] !== "address");
  const addresses = Object.keys(fields).filter((it) => fields[it] === "address");
  return Object.fromEntries([
    ...numbers.map((it) => [it, queryInteger(parameter(request, it), fields[it] === "int32")] as const),
    ...addresses.map(
      (it) => [it, bytesToHex(addressBytes(parameter(request, it), visible, request.nodeVersion))] as const,
    ),
  ]);
}

function queryInteger(text: string | undefined, small: boolean): bigint {
  if (text === undefined) return 0n;
  return small ? BigInt(parseInteger(text)) : parseLong(text);
}

function addressOf(values: Values, name: string): Address | undefined {
  return validAddress(hexToBytes(String(values[name] ?? "")));
}

function delegated(view: NodeView, values: Values, visible: boolean): Reply {
  const from = addressOf(values, "fromAddress");
  const to = addressOf(values, "toAddress");
  const owner = accountIn(view, from);
  const delegation = owner && to && delegationTo(owner, to);
  if (owner === undefined || delegation === undefined) return compact({});
  const parties = { from: printAddress(owner.address, visible), to: printAddress(delegation.to, visible) };
  const delegatedResource = [amounts(delegation.free), ...lockedPart(delegation)]
    .filter((it) => Object.values(it).some((value) => value !== undefined))
    .map((it) => ({ ...parties, ...it }));
  return spaced({ delegatedResource });
}

function amounts({ bandwidth, energy }: ByResource<bigint>): JsonObject {
  return { frozen_balance_for_bandwidth: unlessZero(bandwidth), frozen_balance_for_energy: unlessZero(energy) };
}

function lockedPart({ locked: { bandwidth, energy } }: Delegation): JsonObject[] {
  if (bandwidth.amount + energy.amount === 0n) return [];
  const times = {
    expire_time_for_bandwidth: unlessZero(bandwidth.until),
    expire_time_for_energy: unlessZero(energy.until),
  };
  return [{ ...amounts({ bandwidth: bandwidth.amount, energy: energy.amount }), ...times }];
}

/** Prints the delegation index, even for an account without delegations. */
function delegationIndex(view: NodeView, values: Values, visible: boolean): Reply {
  const account = accountIn(view, addressOf(values, "value"));
  return printIndex(values, visible, {
    lenders: account?.lenders,
    borrowers: account?.delegations.map(({ to }) => to),
  });
}

interface Partners {
  readonly lenders?: readonly Address[] | undefined;
  readonly borrowers?: readonly Address[] | undefined;
}

function printIndex(values: Values, visible: boolean, { lenders = [], borrowers = [] }: Partners): Reply {
  const bytes = hexToBytes(String(values.value ?? ""));
  if (bytes.length !== ADDRESS_LENGTH) return compact({});
  const print = (list: readonly Address[]): Json => list.map((it) => printAddress(it, visible));
  return spaced({
    account: visible ? bytesToBase58Check(bytes) : bytesToHex(bytes),
    ...(lenders.length > 0 && { fromAccounts: print(lenders) }),
    ...(borrowers.length > 0 && { toAccounts: print(borrowers) }),
  });
}

function canDelegate(view: NodeView, values: Values): Reply {
  const account = accountIn(view, addressOf(values, "owner_address"));
  const resource = RESOURCES[Number(values.type ?? 0)];
  if (account === undefined || resource === undefined) return compact({});
  const { parameters } = view.chain;
  const payment = { ledger: view.state, parameters, now: view.newest.header.timestamp };
  const size = delegatable(payment, account, resource, true);
  return spaced({ max_size: size > 0n ? jsonInteger(size) : undefined });
}

function availableUnfreezes(view: NodeView, values: Values): Reply {
  const account = accountIn(view, addressOf(values, "owner_address"));
  if (account === undefined) return compact({});
  const { waiting } = splitUnstaking(account, view.newest.header.timestamp);
  return spaced({ count: unlessZero(Math.max(0, MAX_UNSTAKING - waiting.length)) });
}

function canWithdraw(view: NodeView, values: Values): Reply {
  const account = accountIn(view, addressOf(values, "owner_address"));
  const timestamp = Number(values.timestamp ?? 0);
  if (account === undefined || timestamp < 0) return compact({});
  const time = timestamp === 0 ? view.newest.header.timestamp : timestamp;
  return spaced({ amount: unlessZero(splitUnstaking(account, time).due) });
}
