import { type Sun, sun } from "../../primitives/amount.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import type { Account, AccountResources, ChainParameters, NodeInfo } from "../gateway.ts";
import * as read from "./answer.ts";
import { isAbsent } from "./transaction.ts";

/** `{}` is an account that is not activated. */
export function parseAccount(json: Json): Account | undefined {
  const object = read.asObject(json, "the account");
  if (isAbsent(object)) return undefined;
  return {
    address: read.addressField(object, "address"),
    balance: read.sunField(object, "balance"),
    energyStake: energyStake(object),
  };
}

/** Own stakes and those lent by others, of both kinds that the chain has had. */
function energyStake(account: JsonObject): Sun {
  const resource = objectOr(account.account_resource);
  const own = Array.isArray(account.frozenV2)
    ? account.frozenV2.map(objectOr).find(({ type }) => type === "ENERGY")
    : {};
  const parts = [
    read.integerField(own ?? {}, "amount"),
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
