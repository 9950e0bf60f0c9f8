import { type Sun, sun } from "../../primitives/amount.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import { type ForeignText, foreignText } from "../../primitives/plain-text.ts";
import type { StakePurpose } from "../../transaction/intent.ts";
import type { Account, AccountResources, AccountStakes, ChainParameters, NodeInfo, Trc10Token } from "../gateway.ts";
import * as read from "./answer.ts";
import { parsePermissions } from "./permissions.ts";
import { isAbsent } from "./transaction.ts";

/** `{}` is an account that is not activated. */
export function parseAccount(json: Json): Account | undefined {
  const object = read.asObject(json, "the account");
  if (isAbsent(object)) return undefined;
  const address = read.addressField(object, "address");
  return {
    address,
    balance: read.sunField(object, "balance"),
    energyStake: energyStake(object),
    stakes: stakesOf(object),
    trc10: trc10Of(object),
    permissions: parsePermissions(object, address),
  };
}

function trc10Of(account: JsonObject): ReadonlyMap<string, bigint> {
  return new Map(objectsIn(account.assetV2).map((it) => [read.textField(it, "key"), read.integerField(it, "value")]));
}

/** The answer of `getReward`: sun. */
export function parseReward(json: Json): Sun {
  return read.sunField(read.asObject(json, "the reward"), "reward");
}

/** `{}` is a number that no token has. Texts are bytes of the issuer in hex. */
export function parseTrc10Token(json: Json): Trc10Token | undefined {
  const object = read.asObject(json, "the token");
  if (isAbsent(object)) return undefined;
  const textOf = (name: string): ForeignText =>
    foreignText(Buffer.from(read.hexField(object, name), "hex").toString("utf8"));
  return {
    id: read.textField(object, "id"),
    name: textOf("name"),
    symbol: textOf("abbr"),
    decimals: Number(read.integerField(object, "precision")),
    issuer: read.addressField(object, "owner_address"),
  };
}

function stakesOf(account: JsonObject): AccountStakes {
  const energy = objectOr(account.account_resource);
  const own = (purpose: StakePurpose): Sun =>
    read.sunField(objectsIn(account.frozenV2).find((it) => purposeOf(it) === purpose) ?? {}, "amount");
  return {
    own: { BANDWIDTH: own("BANDWIDTH"), ENERGY: own("ENERGY"), TRON_POWER: own("TRON_POWER") },
    lent: {
      BANDWIDTH: read.sunField(account, "delegated_frozenV2_balance_for_bandwidth"),
      ENERGY: read.sunField(energy, "delegated_frozenV2_balance_for_energy"),
    },
    borrowed: {
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

/** The first one is not printed, for its number is 0. */
function purposeOf({ type }: JsonObject): StakePurpose {
  return type === "ENERGY" || type === "TRON_POWER" ? type : "BANDWIDTH";
}

function objectsIn(json: Json | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? json.map(objectOr) : [];
}

/** Own stakes and those lent by others, of both kinds that the chain has had. */
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

/** `{}` is an account that is not activated; one without resources still has the totals of the network. */
export function parseAccountResources(json: Json): AccountResources | undefined {
  const object = read.asObject(json, "the resources");
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
  };
}

/** In any order, with keys that nobody knows yet; a key without a value is 0. */
export function parseChainParameters(json: Json): ChainParameters {
  const object = read.asObject(json, "the parameters");
  if (object.chainParameter === undefined) throw read.fault("chainParameter", "is missing");
  return new Map(
    read.listField(object, "chainParameter").map((it): [string, bigint] => {
      const entry = read.asObject(it, "a parameter");
      return [read.textField(entry, "key"), read.integerField(entry, "value")];
    }),
  );
}

/** The version of a node and its two heights, from `getnodeinfo`. */
export function parseNodeInfo(json: Json): NodeInfo {
  const object = read.asObject(json, "the node info");
  const config = isJsonObject(object.configNodeInfo) ? object.configNodeInfo : {};
  return {
    version: read.textField(config, "codeVersion"),
    head: height(read.textField(object, "block")),
    solid: height(read.textField(object, "solidityBlock")),
  };
}

/** Heights are printed as `Num:328,ID:000…`. */
function height(text: string): number {
  const digits = /^Num:(\d{1,15}),/.exec(text)?.[1];
  if (digits === undefined) throw read.fault("block", "has no height");
  return Number(digits);
}
