import {
  type Address,
  BLOCK_INTERVAL_MS,
  hexToBytes,
  isJsonObject,
  type JsonObject,
  jsonInteger,
} from "@finality/tron/primitives";
import { PermissionSchema } from "@finality/tron/schema";
import { messageToJson } from "@finality/tron/transaction";
import { type Account, BLACK_HOLE, idKey } from "../chain/account.ts";
import { energyLimit, netLimit } from "../chain/resources.ts";
import {
  addStakeUsage,
  PURPOSE_NAMES,
  PURPOSES,
  type Resource,
  SUN_PER_COIN,
  stakeUsageAt,
  type Usage,
  usageAt,
} from "../chain/stake.ts";
import { validAddress } from "../chain/transaction.ts";
import { votingPower } from "../chain/voting.ts";
import { sumOf, type Vote } from "../chain/witness.ts";
import { JavaError } from "../http/java-values.ts";
import { type Fields, fieldsNamed, type Values } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import { accountIn, type NodeView } from "../node/node-view.ts";
import { printAddress, unlessZero } from "./print.ts";
import {
  ACCOUNT_QUERY_FIELDS,
  addressBytes,
  type Body,
  parameter,
  queryVisible,
  type Route,
  readBody,
  readQuery,
  readText,
} from "./route.ts";
import { printBytes, tokenBandwidth, tokenParts } from "./tokens.ts";

export const accountRoutes: readonly Route[] = [
  {
    name: "getaccount",
    servlet: "GetAccountServlet",
    solidity: true,
    post: (request, view) => printRequestedAccount(view, readBody(request, ACCOUNT_QUERY_FIELDS)),
    get: (request, view) => printRequestedAccount(view, readQuery(request, ACCOUNT_QUERY_FIELDS, ["address"])),
  },
  {
    name: "getaccountbyid",
    servlet: "GetAccountByIdServlet",
    solidity: true,
    post: (request, view) => accountById(view, readBody(request, ACCOUNT_QUERY_FIELDS)),
    get: (request, view) => accountById(view, readQuery(request, ACCOUNT_QUERY_FIELDS, ["account_id"])),
  },
  {
    name: "getaccountresource",
    servlet: "GetAccountResourceServlet",
    solidity: false,
    post: (request, view) => resources(view, namedAddress(request, "address")),
    get: (request, view) => resources(view, queryAddress(request)),
  },
  {
    name: "getaccountnet",
    servlet: "GetAccountNetServlet",
    solidity: false,
    post: (request, view) => bandwidth(view, requestedAddress(readBody(request, ACCOUNT_QUERY_FIELDS))),
    get: (request, view) => bandwidth(view, queryAddress(request)),
  },
];

function queryAddress(request: ServletRequest): Address | undefined {
  return validAddress(addressBytes(parameter(request, "address"), queryVisible(request), request.nodeVersion));
}

function namedAddress(request: ServletRequest, name: string): Address | undefined {
  const { text, visible } = readText(request, name);
  return validAddress(addressBytes(text, visible, request.nodeVersion));
}

function requestedAddress({ values }: Body): Address | undefined {
  return validAddress(hexToBytes(String(values.address ?? "")));
}

function printRequestedAccount(view: NodeView, body: Body): Reply {
  return printAccount(view, requestedAddress(body), body.visible);
}

function printAccount(view: NodeView, address: Address | undefined, visible: boolean): Reply {
  const account = accountIn(view, address);
  if (account === undefined) return compact({});
  const json = accountJson(view, account, visible);
  // For an issuer the node reparses its output to print the token id as text.
  return account.issued.id !== "" && !visible ? compact(json) : spaced(json);
}

function accountById(view: NodeView, { values, visible }: Body): Reply {
  const key = idKey(hexToBytes(String(values.account_id ?? "")));
  return printAccount(view, view.state.tables.ids.get(key), visible);
}

/** Prints an account as `getaccount` does. */
export function accountJson(view: NodeView, account: Account, visible: boolean): JsonObject {
  const position = ([name]: readonly [string, unknown]): number => ACCOUNT_FIELDS.indexOf(name);
  return Object.fromEntries(
    Object.entries(accountParts(view, account, visible)).sort((a, b) => position(a) - position(b)),
  );
}

/** Fields in the order of their numbers, in which the node prints them. */
const ACCOUNT_FIELDS = [
  ...[
    "account_name",
    "type",
    "address",
    "balance",
    "votes",
    "frozen",
    "net_usage",
    "create_time",
    "latest_opration_time",
  ],
  ...["allowance", "latest_withdraw_time", "is_witness", "frozen_supply", "asset_issued_name", "free_net_usage"],
  ...["latest_consume_time", "latest_consume_free_time", "account_id", "net_window_size", "net_window_optimized"],
  ...["account_resource", "owner_permission", "witness_permission", "active_permission", "frozenV2", "unfrozenV2"],
  ...["delegated_frozenV2_balance_for_bandwidth", "acquired_delegated_frozenV2_balance_for_bandwidth"],
  ...["old_tron_power", "assetV2", "asset_issued_ID", "latest_asset_operation_timeV2", "free_asset_net_usageV2"],
  "asset_optimized",
];

function accountParts(view: NodeView, account: Account, visible: boolean): JsonObject {
  const slot = view.state.slotAt(view.newest.header.timestamp);
  return {
    type: account.kind === "Normal" ? undefined : account.kind,
    ...identityParts(account, visible),
    address: printAddress(account.address, visible),
    balance: unlessZero(account.balance),
    ...votesJson(account, visible),
    latest_opration_time: unlessZero(account.lastOperationAt),
    ...earnings(account),
    is_witness: view.state.witness(account.address) === undefined ? undefined : true,
    free_net_usage: unlessZero(usageAt(account.freeNet, slot)),
    latest_consume_free_time: timeOf(account.freeNet, view),
    ...bandwidthUse(view, account, slot),
    account_resource: energyUse(view, account, slot),
    create_time: unlessZero(account.createdAt),
    ...permissions(account, visible),
    ...stakes(account),
    ...tokenParts(account, slot, visible),
    asset_optimized: account.tokensApart || undefined,
  };
}

function identityParts({ identity: { name, id } }: Account, visible: boolean): JsonObject {
  return {
    ...(name !== "" && { account_name: printBytes(name, visible) }),
    ...(id !== "" && { account_id: printBytes(id, visible) }),
  };
}

function votesJson({ voting: { votes } }: Account, visible: boolean): JsonObject {
  if (votes.length === 0) return {};
  const print = ({ witness, count }: Vote): JsonObject => ({
    vote_address: printAddress(witness, visible),
    vote_count: jsonInteger(count),
  });
  return { votes: votes.map(print) };
}

function earnings({ voting }: Account): JsonObject {
  return { allowance: unlessZero(voting.allowance), latest_withdraw_time: unlessZero(voting.withdrawnAt) };
}

/** Prints permissions; accounts without keys have none. */
function permissions(account: Account, visible: boolean): JsonObject {
  const isBlackHole = account.address === BLACK_HOLE;
  if (account.activePermissions.length === 0 && !isBlackHole) return {};
  return {
    owner_permission: messageToJson(PermissionSchema, account.ownerPermission, visible),
    ...(account.witnessPermission && {
      witness_permission: messageToJson(PermissionSchema, account.witnessPermission, visible),
    }),
    ...(!isBlackHole && {
      active_permission: account.activePermissions.map((it) => messageToJson(PermissionSchema, it, visible)),
    }),
  };
}

function bandwidthUse(view: NodeView, account: Account, slot: number): JsonObject {
  const usage = addStakeUsage(account.used.bandwidth, 0n, slot);
  return {
    net_usage: unlessZero(usage.amount),
    latest_consume_time: timeOf(account.used.bandwidth, view),
    net_window_size: jsonInteger(usage.window),
    net_window_optimized: true,
    ...delegation(account, "bandwidth"),
  };
}

function energyUse(view: NodeView, account: Account, slot: number): JsonObject {
  const usage = addStakeUsage(account.used.energy, 0n, slot);
  return {
    energy_usage: unlessZero(usage.amount),
    ...(account.clearedOldStake && { frozen_balance_for_energy: {} }),
    latest_consume_time_for_energy: timeOf(account.used.energy, view),
    energy_window_size: jsonInteger(usage.window),
    ...delegation(account, "energy"),
    energy_window_optimized: true,
  };
}

function delegation({ lent, borrowed }: Account, resource: Resource): JsonObject {
  return {
    [`delegated_frozenV2_balance_for_${resource}`]: unlessZero(lent[resource]),
    [`acquired_delegated_frozenV2_balance_for_${resource}`]: unlessZero(borrowed[resource]),
  };
}

/** Prints an entry for each purpose, even without a stake, except for the black hole. */
function stakes({ address, stake, unstaking, oldPower, clearedOldStake }: Account): JsonObject {
  if (address === BLACK_HOLE && PURPOSES.every((it) => stake[it] === 0n)) return {};
  const typeOf = (index: number): string | undefined => (index === 0 ? undefined : PURPOSE_NAMES[index]);
  return {
    ...(clearedOldStake && { frozen: [{}] }),
    frozenV2: PURPOSES.map((it, index) => ({ type: typeOf(index), amount: unlessZero(stake[it]) })),
    ...(unstaking.length > 0 && {
      unfrozenV2: unstaking.map(({ purpose, amount, due }) => ({
        type: typeOf(PURPOSES.indexOf(purpose)),
        unfreeze_amount: unlessZero(amount),
        unfreeze_expire_time: due,
      })),
    }),
    old_tron_power: unlessZero(oldPower),
  };
}

function timeOf({ slot }: Usage, { state }: NodeView): number | undefined {
  return slot === 0 ? undefined : (slot - state.totals.extraSlots) * BLOCK_INTERVAL_MS;
}

function bandwidth(view: NodeView, address: Address | undefined): Reply {
  const account = accountIn(view, address);
  return account === undefined ? compact({}) : spaced(bandwidthJson(view, account));
}

function bandwidthJson(view: NodeView, account: Account): JsonObject {
  const { parameters } = view.chain;
  const slot = view.state.slotAt(view.newest.header.timestamp);
  return {
    freeNetUsed: unlessZero(usageAt(account.freeNet, slot)),
    freeNetLimit: unlessZero(parameters.getFreeNetLimit),
    NetUsed: unlessZero(stakeUsageAt(account.used.bandwidth, slot)),
    NetLimit: unlessZero(netLimit(account, view.state, parameters)),
    ...tokenBandwidth(view, account, slot),
    TotalNetLimit: unlessZero(parameters.getTotalNetLimit),
    TotalNetWeight: unlessZero(view.state.totals.weight.bandwidth),
  };
}

function resources(view: NodeView, address: Address | undefined): Reply {
  const account = accountIn(view, address);
  if (account === undefined) return compact({});
  const { head } = view;
  const { parameters } = view.chain;
  const { weight } = view.state.totals;
  return spaced({
    ...bandwidthJson(view, account),
    TotalTronPowerWeight: unlessZero(weight.tronPower),
    tronPowerUsed: unlessZero(sumOf(account.voting.votes)),
    tronPowerLimit: unlessZero(votingPower(view.state, account) / SUN_PER_COIN),
    EnergyUsed: unlessZero(stakeUsageAt(account.used.energy, view.state.slotAt(head.header.timestamp))),
    EnergyLimit: unlessZero(energyLimit(account, view.state, parameters)),
    TotalEnergyLimit: unlessZero(parameters.getTotalEnergyCurrentLimit),
    TotalEnergyWeight: unlessZero(weight.energy),
  });
}

const BLOCK: Fields = { hash: "bytes", number: "int64" };
const ACCOUNT_AND_BLOCK: Fields = {
  account_identifier: { fields: fieldsNamed("AccountIdentifier", { address: "address" }) },
  block_identifier: { fields: BLOCK },
};
const HASH_LENGTH = 32;

/** Balance history of a node that does not store it (`storage.balance.history.lookup`, usually off). */
export const balanceHistoryRoutes: readonly Route[] = [
  {
    name: "getaccountbalance",
    servlet: "GetAccountBalanceServlet",
    solidity: false,
    post: (request, view) => accountBalance(view, readBody(request, ACCOUNT_AND_BLOCK).values),
    get: "refused",
  },
  {
    name: "getblockbalance",
    servlet: "GetBlockBalanceServlet",
    solidity: false,
    post: (request, view) => blockBalance(view, readBody(request, BLOCK).values),
    get: "refused",
  },
];

function accountBalance(view: NodeView, values: Values): Reply {
  const account = inner(values, "account_identifier");
  if (account === undefined) throw illegalArgument("account_identifier is null");
  if ((account.address ?? "") === "") throw illegalArgument("account_identifier address is null");
  const block = inner(values, "block_identifier");
  if (block === undefined) throw illegalArgument("block_identifier null");
  const { number, hash } = checkBlock(view, block);
  return spaced({ balance: 0, block_identifier: { hash, number } });
}

function blockBalance(view: NodeView, values: Values): Reply {
  checkBlock(view, values);
  throw notFound("This block does not exist");
}

/** Checks the block reference. @throws {JavaError} no block, or two */
function checkBlock(view: NodeView, values: Values): { readonly number: number; readonly hash: string } {
  const [number, hash] = [Number(values.number ?? 0), String(values.hash ?? "")];
  if (number < 0) throw illegalArgument("block_identifier number less than 0");
  if (hexToBytes(hash).length !== HASH_LENGTH) throw illegalArgument("block_identifier hash length not equals 32");
  const block = view.block(number);
  if (block === undefined) throw notFound(`number: ${values.number} is not found!`);
  if (block.id !== hash) throw illegalArgument("number and hash do not match");
  return { number, hash };
}

function inner(values: Values, name: string): Values | undefined {
  const value = values[name];
  return isJsonObject(value) ? (value as Values) : undefined;
}

function illegalArgument(message: string): JavaError {
  return new JavaError("java.lang.IllegalArgumentException", message);
}

function notFound(message: string): JavaError {
  return new JavaError("org.tron.core.exception.ItemNotFoundException", message);
}
