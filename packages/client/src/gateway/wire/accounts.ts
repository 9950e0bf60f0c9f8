import { compilerSpelling } from "@finality/tron/abi";
import {
  type Address,
  BLOCK_INTERVAL_MS,
  defined,
  type ForeignText,
  foreignText,
  type Hex,
  hex,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonInteger,
  type Sun,
  sun,
} from "@finality/tron/primitives";
import {
  type PermissionKey,
  type Resource,
  type StakePurpose,
  USUAL_OWNER_ENERGY_LIMIT,
} from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import {
  type AccountPermissions,
  FIRST_ACTIVE_ID,
  OWNER_ID,
  ownKeyAlone,
  type Permission,
  type SignWeight,
  WITNESS_ID,
} from "../../permissions/permissions.ts";
import type {
  Account,
  AccountResources,
  AccountStakes,
  ChainParameters,
  ContractRun,
  Delegation,
  DelegationIndex,
  DeployedContract,
  NodeInfo,
  Recovery,
  SimulatedRun,
  Trc10Token,
  Vote,
  Witness,
} from "../gateway.ts";
import * as read from "./answer.ts";
import { isAbsent, parseLog } from "./transaction.ts";

/** `{}` is an account that is not activated. */
export function parseAccount(json: Json): Account | undefined {
  const object = read.asObject(json, t`the account`);
  if (isAbsent(object)) return undefined;
  const address = read.addressField(object, "address");
  return {
    address,
    balance: read.sunField(object, "balance"),
    energyStake: energyStake(object),
    stakes: stakesOf(object),
    trc10: trc10Of(object),
    permissions: parsePermissions(object, address),
    votes: objectsIn(object.votes).map(voteOf),
    rewardWithdrawnAt: read.numberField(object, "latest_withdraw_time"),
    recovery: recoveryOf(object, objectOr(object.account_resource)),
  };
}

function recoveryOf(account: JsonObject, energy: JsonObject): Recovery {
  const freeAt = read.numberField(account, "latest_consume_free_time");
  return {
    freeBandwidthUsedAt: freeAt === 0 ? undefined : freeAt,
    bandwidthMs: windowMs(read.numberField(account, "net_window_size"), account.net_window_optimized),
    energyMs: windowMs(read.numberField(energy, "energy_window_size"), energy.energy_window_optimized),
  };
}

/** The recovery window is counted in slots, and in thousandths of them since an upgrade of the chain. */
function windowMs(size: number, isOptimized: Json | undefined): number | undefined {
  if (size === 0) return undefined;
  return isOptimized === true ? Math.round((size / 1000) * BLOCK_INTERVAL_MS) : size * BLOCK_INTERVAL_MS;
}

/** Parses the delegation partners of an account: absent lists are empty, and so is `{}`. */
export function parseDelegationIndex(json: Json): DelegationIndex {
  const object = read.asObject(json, t`the delegations`);
  const list = (name: string): readonly Address[] =>
    read.listField(object, name).map((it) => read.addressField({ it }, "it"));
  return { receivers: list("toAccounts"), owners: list("fromAccounts") };
}

/** Parses the delegations between two accounts; `{}` means none. */
export function parseDelegations(json: Json): readonly Delegation[] {
  return read.listField(read.asObject(json, t`the delegations`), "delegatedResource").flatMap((it) => {
    const entry = read.asObject(it, t`a delegation`);
    return [delegationOf(entry, "BANDWIDTH"), delegationOf(entry, "ENERGY")].filter(({ amount }) => amount > 0n);
  });
}

function delegationOf(entry: JsonObject, resource: Resource): Delegation {
  const name = resource.toLowerCase();
  return {
    from: read.addressField(entry, "from"),
    to: read.addressField(entry, "to"),
    resource,
    amount: read.sunField(entry, `frozen_balance_for_${name}`),
    lockedUntil: read.numberField(entry, `expire_time_for_${name}`),
  };
}

function voteOf(vote: JsonObject): Vote {
  return { witness: read.addressField(vote, "vote_address"), count: read.integerField(vote, "vote_count") };
}

/** Parses the witnesses. */
export function parseWitnesses(json: Json): readonly Witness[] {
  return read.listField(read.asObject(json, t`the witnesses`), "witnesses").map((it) => {
    const witness = read.asObject(it, t`a witness`);
    return {
      address: read.addressField(witness, "address"),
      url: foreignText(read.textField(witness, "url")),
      votes: read.integerField(witness, "voteCount"),
      producesBlocks: witness.isJobs === true,
    };
  });
}

/** Parses the percentage that a witness keeps. */
export function parseBrokerage(json: Json): bigint {
  const percent = read.integerField(read.asObject(json, t`the brokerage`), "brokerage");
  if (percent < 0n || percent > 100n) throw read.fault("brokerage", t`is not a percentage`);
  return percent;
}

function trc10Of(account: JsonObject): ReadonlyMap<string, bigint> {
  const tokens = objectsIn(account.assetV2).filter(({ key }) => /^\d{1,19}$/.test(String(key)));
  return new Map(tokens.map((it) => [read.textField(it, "key"), read.integerField(it, "value")]));
}

/** Parses the answer of `getReward`: sun. */
export function parseReward(json: Json): Sun {
  return read.sunField(read.asObject(json, t`the reward`), "reward");
}

/** `{}` means that there is no token with this ID. Texts are the issuer's bytes in hex. */
export function parseTrc10Token(json: Json): Trc10Token | undefined {
  const object = read.asObject(json, t`the token`);
  if (isAbsent(object)) return undefined;
  const textOf = (name: string): ForeignText =>
    foreignText(Buffer.from(read.hexField(object, name), "hex").toString("utf8"));
  return {
    id: read.textField(object, "id"),
    name: textOf("name"),
    symbol: textOf("abbr"),
    decimals: precisionOf(object),
    issuer: read.addressField(object, "owner_address"),
  };
}

/** Maximum of the chain (AssetIssueActuator). */
const MAX_PRECISION = 6;

function precisionOf(token: JsonObject): number {
  const precision = read.numberField(token, "precision");
  if (precision > MAX_PRECISION) throw read.fault("precision", t`is more than ${MAX_PRECISION}`);
  return precision;
}

function stakesOf(account: JsonObject): AccountStakes {
  const energy = objectOr(account.account_resource);
  const own = (purpose: StakePurpose): Sun =>
    read.sunField(objectsIn(account.frozenV2).find((it) => purposeOf(it) === purpose) ?? {}, "amount");
  return {
    own: { BANDWIDTH: own("BANDWIDTH"), ENERGY: own("ENERGY"), TRON_POWER: own("TRON_POWER") },
    delegated: {
      BANDWIDTH: read.sunField(account, "delegated_frozenV2_balance_for_bandwidth"),
      ENERGY: read.sunField(energy, "delegated_frozenV2_balance_for_energy"),
    },
    received: {
      BANDWIDTH: read.sunField(account, "acquired_delegated_frozenV2_balance_for_bandwidth"),
      ENERGY: read.sunField(energy, "acquired_delegated_frozenV2_balance_for_energy"),
    },
    unstaking: objectsIn(account.unfrozenV2).map((it) => ({
      purpose: purposeOf(it),
      amount: read.sunField(it, "unfreeze_amount"),
      due: read.numberField(it, "unfreeze_expire_time"),
    })),
  };
}

/** The node omits the first one, because its index is 0. */
function purposeOf({ type }: JsonObject): StakePurpose {
  return type === "ENERGY" || type === "TRON_POWER" ? type : "BANDWIDTH";
}

function objectsIn(json: Json | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? json.map(objectOr) : [];
}

/** Sums own and received stakes of both stake versions. */
function energyStake(account: JsonObject): Sun {
  const resource = objectOr(account.account_resource);
  const own = objectsIn(account.frozenV2).find(({ type }) => type === "ENERGY") ?? {};
  const parts = [
    read.integerField(own, "amount"),
    read.integerField(objectOr(resource.frozen_balance_for_energy), "frozen_balance"),
    read.integerField(resource, "acquired_delegated_frozenV2_balance_for_energy"),
    read.integerField(resource, "acquired_delegated_frozen_balance_for_energy"),
  ];
  return sun(parts.reduce((sum, part) => sum + part, 0n));
}

function objectOr(json: Json | undefined): JsonObject {
  return isJsonObject(json) ? json : {};
}

/** `{}` is an account that is not activated; one without resources still has the network totals. */
export function parseAccountResources(json: Json): AccountResources | undefined {
  const object = read.asObject(json, t`the resources`);
  if (isAbsent(object)) return undefined;
  return {
    freeBandwidthLimit: read.integerField(object, "freeNetLimit"),
    freeBandwidthUsed: read.integerField(object, "freeNetUsed"),
    stakedBandwidthLimit: read.integerField(object, "NetLimit"),
    stakedBandwidthUsed: read.integerField(object, "NetUsed"),
    energyLimit: read.integerField(object, "EnergyLimit"),
    energyUsed: read.integerField(object, "EnergyUsed"),
    energyTotals: {
      limit: read.integerField(object, "TotalEnergyLimit"),
      weight: read.integerField(object, "TotalEnergyWeight"),
    },
    bandwidthTotals: {
      limit: read.integerField(object, "TotalNetLimit"),
      weight: read.integerField(object, "TotalNetWeight"),
    },
    votingPower: read.integerField(object, "tronPowerLimit"),
  };
}

/** Accepts any order and unknown keys; a key without a value is 0. */
export function parseChainParameters(json: Json): ChainParameters {
  const object = read.asObject(json, t`the parameters`);
  if (object.chainParameter === undefined) throw read.fault("chainParameter", t`is missing`);
  return new Map(
    read.listField(object, "chainParameter").map((it): [string, bigint] => {
      const entry = read.asObject(it, t`a parameter`);
      return [read.textField(entry, "key"), read.integerField(entry, "value")];
    }),
  );
}

/** Parses the version of a node and its two heights from `getnodeinfo`. */
export function parseNodeInfo(json: Json): NodeInfo {
  const object = read.asObject(json, t`the node info`);
  const config = isJsonObject(object.configNodeInfo) ? object.configNodeInfo : {};
  return {
    version: read.textField(config, "codeVersion"),
    head: height(read.textField(object, "block")),
    solid: height(read.textField(object, "solidityBlock")),
  };
}

/** Heights have the form `Num:328,ID:000…`. */
function height(text: string): number {
  const digits = /^Num:(\d{1,15}),/.exec(text)?.[1];
  if (digits === undefined) throw read.fault("block", t`has no height`);
  return Number(digits);
}

const MASK_DIGITS = 64;
/** Maximum number of keys on known chains: 5. */
const MOST_KEYS = 8;

/**
 * Parses the permissions in the answer of `getaccount`. Accounts from before permissions existed have none: their own
 * key decides.
 */
export function parsePermissions(account: JsonObject, address: Address): AccountPermissions {
  const { owner_permission: owner, witness_permission: witness } = account;
  const actives = read.listField(account, "active_permission").map((it) => activeOf(it));
  if (new Set(actives.map(({ id }) => id)).size !== actives.length) {
    throw read.fault("active_permission", t`has a duplicate number`);
  }
  return {
    owner: owner === undefined ? ownKeyAlone(address).owner : permissionOf(owner, "owner_permission", OWNER_ID),
    ...(witness === undefined ? {} : { witness: permissionOf(witness, "witness_permission", WITNESS_ID) }),
    actives,
  };
}

function activeOf(json: Json): Permission {
  const path = "active_permission";
  const object = read.asObject(json, path);
  const id = read.numberField(object, "id");
  if (id < FIRST_ACTIVE_ID) throw read.fault(`${path}.id`, t`is ${id}`);
  const operations = read.hexField(object, "operations");
  if (operations.length !== MASK_DIGITS) throw read.fault(`${path}.operations`, t`is not a mask of 32 bytes`);
  return { ...permissionOf(object, path, id), operations };
}

function permissionOf(json: Json, path: string, id: number): Permission {
  const object = read.asObject(json, path);
  const threshold = read.integerField(object, "threshold");
  const keys = read.listField(object, "keys").map((it) => keyOf(it, path));
  if (keys.length > MOST_KEYS) throw read.fault(`${path}.keys`, t`has more keys than any chain allows`);
  if (threshold <= 0n) throw read.fault(`${path}.threshold`, t`is not greater than 0`);
  if (new Set(keys.map(({ address }) => address)).size !== keys.length)
    throw read.fault(`${path}.keys`, t`has a duplicate`);
  return { id, name: foreignText(read.textField(object, "permission_name")), threshold, keys };
}

function keyOf(json: Json, path: string): PermissionKey {
  const object = read.asObject(json, `${path}.keys`);
  const weight = read.integerField(object, "weight");
  if (weight <= 0n) throw read.fault(`${path}.keys.weight`, t`is not greater than 0`);
  return { address: read.addressField(object, "address"), weight };
}

/**
 * Parses the answer of `getsignweight`. An empty result means enough weight; `permission` is undefined if there is
 * none.
 */
export function parseSignWeight(json: Json): SignWeight {
  const object = read.asObject(json, t`the weight`);
  const { permission } = object;
  const result = read.objectField(object, "result");
  const code = read.textField(result, "code");
  return {
    weight: read.integerField(object, "current_weight"),
    signers: read.listField(object, "approved_list").map((address) => read.addressField({ address }, "address")),
    ...(permission === undefined
      ? {}
      : { threshold: read.integerField(read.asObject(permission, "permission"), "threshold") }),
    ...(code === "" ? {} : { refusal: { code, message: foreignText(read.textField(result, "message")) } }),
  };
}

/** Builds the request of a run, the same for both kinds of estimates. */
export function runBody({ owner, contract, data, callValue, tokenId, tokenValue }: ContractRun): JsonObject {
  return {
    owner_address: owner,
    ...defined({ contract_address: contract }),
    data,
    call_value: jsonInteger(callValue),
    ...(tokenId === undefined ? {} : { token_id: jsonInteger(tokenId) }),
    ...(tokenValue === undefined ? {} : { call_token_value: jsonInteger(tokenValue) }),
    visible: false,
  };
}

/** `result.result` is true even after a revert; only the message and `ret` report it (node behaviour 27). */
export function parseSimulatedRun(json: Json): SimulatedRun {
  const object = read.asObject(json, t`the simulated run`);
  const result = read.objectField(object, "result");
  if (result.result !== true) throw read.fault("result.result", t`is not true`);
  const [returned] = read.listField(object, "constant_result");
  const [ret] = read.listField(read.objectField(object, "transaction"), "ret");
  const failed = isJsonObject(ret) && read.textField(ret, "ret") === "FAILED";
  return {
    reverted: failed || read.textField(result, "message") !== "",
    energyUsed: read.integerField(object, "energy_used"),
    energyPenalty: read.integerField(object, "energy_penalty"),
    returned: read.hexField({ returned }, "returned"),
    events: read.listField(object, "logs").map(parseLog),
  };
}

/** Parses a word of JSON-RPC, padded to 32 bytes. A JSON-RPC error means that the method is not served. */
export function parseStorageWord(json: Json): Hex | undefined {
  const { result, error } = read.asObject(json, t`the storage slot`);
  if (error !== undefined) return undefined;
  const [, digits] = /^0x([0-9a-f]{0,64})$/i.exec(typeof result === "string" ? result : "") ?? [];
  if (digits === undefined) throw read.fault("result", t`is not a word of 32 bytes`);
  return hex(digits.toLowerCase().padStart(64, "0"));
}

/** Parses the answer of `estimateenergy`: energy. @throws {FieldFault} if it is missing or malformed */
export function parseRequiredEnergy(json: Json): bigint {
  const object = read.asObject(json, t`the estimate`);
  if (object.energy_required === undefined) throw read.fault("energy_required", t`is missing`);
  return read.integerField(object, "energy_required");
}

/** `{}` is an address without a contract. Parses the answers of `getcontractinfo` and the older `getcontract`. */
export function parseDeployedContract(json: Json): DeployedContract | undefined {
  const whole = read.asObject(json, t`the contract`);
  if (isAbsent(whole)) return undefined;
  const contract = whole.smart_contract === undefined ? whole : read.objectField(whole, "smart_contract");
  const limit = read.integerField(contract, "origin_energy_limit");
  return {
    address: read.addressField(contract, "contract_address"),
    owner: read.addressField(contract, "origin_address"),
    name: read.textField(contract, "name"),
    callerPercent: read.integerField(contract, "consume_user_resource_percent"),
    ownerEnergyLimit: limit === 0n ? USUAL_OWNER_ENERGY_LIMIT : limit,
    created: read.hexField(contract, "bytecode"),
    ...(whole.runtimecode === undefined ? {} : { runtimeCode: read.hexField(whole, "runtimecode") }),
    abi: read.listField(read.objectField(contract, "abi"), "entrys").filter(isJsonObject).map(abiEntry),
  };
}

/** No compiler emits deeper types. */
const MAX_DEPTH = 32;

/** The ABI comes from the deployer through a gateway, so each parameter must have a type. */
function abiEntry(entry: JsonObject): JsonObject {
  read.textField(entry, "name");
  for (const list of ["inputs", "outputs"]) checkParameters(entry, list, 0);
  return compilerSpelling(entry);
}

function checkParameters(parent: JsonObject, list: string, depth: number): void {
  if (depth > MAX_DEPTH) throw read.fault("abi", t`is nested too deeply`);
  for (const it of read.listField(parent, list)) {
    const parameter = read.asObject(it, t`a parameter of ${list} in the abi`);
    read.textField(parameter, "name");
    if (read.textField(parameter, "type") === "") throw read.fault("abi", t`has a parameter without a type`);
    checkParameters(parameter, "components", depth + 1);
  }
}
