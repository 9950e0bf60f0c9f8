import {
  type Address,
  addressToBytes,
  bytesToHex,
  type Hex,
  hex,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  parseAddress,
  printJson,
} from "@finality/tron/primitives";
import type { AssetIssueContract, SmartContract } from "@finality/tron/schema";
import {
  AssetIssueContractSchema,
  type Permission,
  PermissionSchema,
  SmartContractSchema,
} from "@finality/tron/schema";
import { keccak_256 } from "@noble/hashes/sha3.js";
import {
  ACCOUNT_KINDS,
  type Account,
  type ContractRecord,
  type ContractUse,
  newAccount,
  newContractAccount,
} from "../chain/account.ts";
import {
  PURPOSE_NAMES,
  PURPOSES,
  type Stake,
  type StakePurpose,
  slotOf,
  UNUSED,
  type Unstaking,
} from "../chain/stake.ts";
import type { Token, TokenId } from "../chain/token.ts";
import { fieldsOf, mergeJson, messageOf } from "../http/json-format.ts";

/** Reads the answers of a node as entries of the state. Answers are checked as bodies of requests are. */

/** Returns the account of a `getaccount` answer; undefined for an address without an account. */
export function accountIn(json: JsonObject, address: Address, forkTime: number): Account | undefined {
  if (json.address === undefined) return undefined;
  const kind = ACCOUNT_KINDS.find((it) => it === json.type) ?? "Normal";
  const permissions = permissionsIn(json);
  const base = kind === "Contract" ? newContractAccount(address, "") : newAccount(address, 0, new Uint8Array());
  const slot = slotOf(forkTime);
  const resource = objectIn(json.account_resource);
  return {
    ...base,
    kind,
    ...permissions,
    balance: amountIn(json.balance),
    createdAt: Number(json.create_time ?? 0),
    lastOperationAt: Number(json.latest_opration_time ?? 0),
    freeNet: { amount: amountIn(json.free_net_usage), slot },
    used: {
      bandwidth: { ...base.used.bandwidth, amount: amountIn(json.net_usage), slot },
      energy: { ...base.used.energy, amount: amountIn(resource.energy_usage), slot },
    },
    stake: stakeIn(listIn(json.frozenV2)),
    lent: {
      bandwidth: amountIn(json.delegated_frozenV2_balance_for_bandwidth),
      energy: amountIn(resource.delegated_frozenV2_balance_for_energy),
    },
    borrowed: {
      bandwidth: amountIn(json.acquired_delegated_frozenV2_balance_for_bandwidth),
      energy: amountIn(resource.acquired_delegated_frozenV2_balance_for_energy),
    },
    unstaking: listIn(json.unfrozenV2).map(unstakingIn),
    tokens: new Map(listIn(json.assetV2).map(({ key, value }) => [String(key), amountIn(value)])),
    identity: { name: hexIn(json.account_name), id: hexIn(json.account_id) },
    tokensApart: true,
    voting: {
      ...base.voting,
      votes: listIn(json.votes).map(({ vote_address, vote_count }) => ({
        witness: parseAddress(String(vote_address)),
        count: amountIn(vote_count),
      })),
      allowance: amountIn(json.allowance),
      withdrawnAt: Number(json.latest_withdraw_time ?? 0),
    },
    oldPower: amountIn(json.old_tron_power),
  };
}

function permissionsIn(json: JsonObject): Partial<Account> {
  const [owner] = listIn([json.owner_permission ?? null]);
  const [witness] = listIn([json.witness_permission ?? null]);
  return {
    ...(owner && { ownerPermission: permissionIn(owner) }),
    ...(witness && { witnessPermission: permissionIn(witness) }),
    ...(json.active_permission !== undefined && {
      activePermissions: listIn(json.active_permission).map(permissionIn),
    }),
  };
}

function permissionIn(json: JsonObject): Permission {
  return messageOf(PermissionSchema, mergeJson(printJson(json), fieldsOf(PermissionSchema), false)) as Permission;
}

function stakeIn(parts: readonly JsonObject[]): Stake {
  const amount = (purpose: StakePurpose): bigint =>
    parts.filter(({ type }) => purposeIn(type) === purpose).reduce((sum, it) => sum + amountIn(it.amount), 0n);
  return { bandwidth: amount("bandwidth"), energy: amount("energy"), tronPower: amount("tronPower") };
}

function unstakingIn({ type, unfreeze_amount, unfreeze_expire_time }: JsonObject): Unstaking {
  return { purpose: purposeIn(type), amount: amountIn(unfreeze_amount), due: Number(unfreeze_expire_time ?? 0) };
}

function purposeIn(type: Json | undefined): StakePurpose {
  return PURPOSES[PURPOSE_NAMES.findIndex((it) => it === type)] ?? "bandwidth";
}

/** A contract, and its usage in the cycle of the network. */
export interface ContractState {
  readonly contract: ContractRecord;
  readonly use: ContractUse;
}

/** Returns the contract of a `getcontractinfo` answer; undefined for an address without one. */
export function contractIn(json: JsonObject, address: Address): ContractState | undefined {
  if (!isJsonObject(json.smart_contract)) return undefined;
  const definition = definitionIn(json.smart_contract);
  const code = json.runtimecode === undefined ? new Uint8Array() : hexToBytes(hexIn(json.runtimecode));
  const { energy_usage, energy_factor, update_cycle } = objectIn(json.contract_state);
  return {
    contract: { address, definition, code, codeHash: bytesToHex(keccak_256(code)) },
    use: {
      energyUsage: Number(energy_usage ?? 0),
      energyFactor: Number(energy_factor ?? 0),
      updateCycle: Number(update_cycle ?? 0),
    },
  };
}

function definitionIn(json: JsonObject): SmartContract {
  return messageOf(
    SmartContractSchema,
    mergeJson(printJson(json), fieldsOf(SmartContractSchema), false),
  ) as SmartContract;
}

/** Returns the token of a `getassetissuebyid` answer; undefined if there is none. */
export function tokenIn(json: JsonObject, id: TokenId): Token | undefined {
  if (json.id === undefined) return undefined;
  const fields = fieldsOf(AssetIssueContractSchema);
  const definition = messageOf(
    AssetIssueContractSchema,
    mergeJson(printJson(json), fields, false),
  ) as AssetIssueContract;
  return { id, definition, publicUse: UNUSED };
}

/** Returns a word of `eth_getStorageAt`; undefined for 0, which a node does not store. @throws {Error} no word */
export function wordIn(result: Json): bigint | undefined {
  if (typeof result !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(result)) throw new Error("the answer is no word");
  const word = BigInt(result);
  return word === 0n ? undefined : word;
}

/** Returns an address as JSON-RPC writes it. */
export function rpcAddress(address: Address): string {
  return `0x${bytesToHex(addressToBytes(address).subarray(1))}`;
}

function amountIn(value: Json | undefined): bigint {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : 0n;
}

function hexIn(value: Json | undefined): Hex {
  return hex(typeof value === "string" ? value : "");
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
