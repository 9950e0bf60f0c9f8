import { type Address, addressFromBytes } from "../../core/primitives/address.ts";
import { hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import { PermissionSchema } from "../../core/transaction/gen/transaction_pb.js";
import { messageToJson } from "../../core/transaction/transaction-json.ts";
import type { Account, Usage } from "../chain/account.ts";
import { SLOT_MS } from "../chain/admission.ts";
import { netLimit, slotAt, usageAt } from "../chain/bandwidth.ts";
import { validAddress } from "../chain/transaction.ts";
import { base58Payload } from "../http/base58-text.ts";
import { parseBody } from "../http/fastjson.ts";
import { hexException } from "../http/java-error.ts";
import { compact, type Reply, spaced } from "../http/reply.ts";
import { printAddress, unlessZero } from "./print.ts";
import {
  accountIn,
  bodyText,
  isVisible,
  queryVisible,
  type Route,
  readBody,
  type ServletRequest,
  type View,
} from "./route.ts";

const WINDOW_MS = 28_800_000;
const SUN_PER_COIN = 1_000_000n;
const ADDRESS = { address: "address" } as const;

export const accountRoutes: readonly Route[] = [
  {
    name: "getaccount",
    servlet: "GetAccountServlet",
    solidity: true,
    post: (request, view) => {
      const { values, visible } = readBody(request, ADDRESS);
      return printAccount(view, validAddress(hexToBytes(String(values.address ?? ""))), visible);
    },
    get: (request, view) => printAccount(view, queryAddress(request), queryVisible(request)),
  },
  {
    name: "getaccountresource",
    servlet: "GetAccountResourceServlet",
    solidity: false,
    post: (request, view) => resources(view, bodyAddress(request)),
    get: (request, view) => resources(view, queryAddress(request)),
  },
  {
    name: "getaccountnet",
    servlet: "GetAccountNetServlet",
    solidity: false,
    post: (request, view) => bandwidth(view, bodyAddress(request)),
    get: (request, view) => bandwidth(view, queryAddress(request)),
  },
];

function bodyAddress(request: ServletRequest): Address | undefined {
  const json = parseBody(bodyText(request)) ?? {};
  return addressText(String(json.address ?? ""), isVisible(json.visible));
}

function queryAddress(request: ServletRequest): Address | undefined {
  return addressText(request.query.get("address") ?? "", queryVisible(request));
}

/** @throws {JavaError} not hex; a base58 text that is no address is simply an account that nobody knows */
function addressText(text: string, visible: boolean): Address | undefined {
  if (visible) {
    const payload = base58Payload(text);
    return payload.kind === "payload" ? addressFromBytes(hexToBytes(payload.hex)) : undefined;
  }
  const digits = text.replace(/^0x/, "");
  if (digits !== "" && !isHexPairs(digits)) throw hexException();
  return validAddress(hexToBytes(digits));
}

function printAccount(view: View, address: Address | undefined, visible: boolean): Reply {
  const account = accountIn(view, address);
  return account === undefined ? compact({}) : spaced(accountJson(view, account, visible));
}

function accountJson(view: View, account: Account, visible: boolean): JsonObject {
  const slot = slotAt(view.newest.header.timestamp);
  return {
    address: printAddress(account.address, visible),
    balance: unlessZero(account.balance),
    net_usage: unlessZero(usageAt(account.net, slot)),
    create_time: unlessZero(account.createdAt),
    latest_opration_time: unlessZero(account.lastOperationAt),
    free_net_usage: unlessZero(usageAt(account.freeNet, slot)),
    latest_consume_time: timeOf(account.net),
    latest_consume_free_time: timeOf(account.freeNet),
    net_window_size: WINDOW_MS,
    net_window_optimized: true,
    account_resource: { energy_window_size: WINDOW_MS, energy_window_optimized: true },
    owner_permission: messageToJson(PermissionSchema, account.ownerPermission, visible),
    active_permission: account.activePermissions.map((it) => messageToJson(PermissionSchema, it, visible)),
    frozenV2: [
      { amount: unlessZero(account.stake.bandwidth) },
      { type: "ENERGY", amount: unlessZero(account.stake.energy) },
      { type: "TRON_POWER" },
    ],
    asset_optimized: account.lastOperationAt === 0 ? undefined : true,
  };
}

function timeOf(usage: Usage): number | undefined {
  return usage.slot === 0 ? undefined : usage.slot * SLOT_MS;
}

function bandwidth(view: View, address: Address | undefined): Reply {
  const account = accountIn(view, address);
  return account === undefined ? compact({}) : spaced(bandwidthJson(view, account));
}

function bandwidthJson(view: View, account: Account): JsonObject {
  const { parameters } = view.chain;
  const slot = slotAt(view.newest.header.timestamp);
  return {
    freeNetUsed: unlessZero(usageAt(account.freeNet, slot)),
    freeNetLimit: unlessZero(parameters.getFreeNetLimit),
    NetUsed: unlessZero(usageAt(account.net, slot)),
    NetLimit: unlessZero(netLimit(account, view.state, parameters)),
    TotalNetLimit: unlessZero(parameters.getTotalNetLimit),
    TotalNetWeight: unlessZero(view.state.totals.bandwidthStake / SUN_PER_COIN),
  };
}

function resources(view: View, address: Address | undefined): Reply {
  const account = accountIn(view, address);
  if (account === undefined) return compact({});
  const { getTotalEnergyLimit } = view.chain.parameters;
  const weight = view.state.totals.energyStake / SUN_PER_COIN;
  const limit = weight === 0n ? 0n : (account.stake.energy * BigInt(getTotalEnergyLimit)) / (weight * SUN_PER_COIN);
  return spaced({
    ...bandwidthJson(view, account),
    EnergyLimit: unlessZero(limit),
    TotalEnergyLimit: unlessZero(getTotalEnergyLimit),
    TotalEnergyWeight: unlessZero(weight),
  });
}
