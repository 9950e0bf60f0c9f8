import { t } from "@vscode/l10n";
import { coinsText } from "../format/coins.ts";
import { sun } from "../primitives/amount.ts";
import { isJsonObject, type Json } from "../primitives/json.ts";
import type { Raw } from "./gen/transaction_pb.js";
import { rawDataToJson } from "./transaction-json.ts";

/**
 * Difference between the built and the requested transaction, with values for display: addresses in base58, amounts in
 * coins and sun.
 */
export interface Difference {
  /** Such as `raw_data.contract[0].parameter.value.amount`, or `txID`. */
  readonly path: string;
  readonly asked: string;
  readonly built: string;
}

/** One field that is as it was asked, or within the builder's choice. */
export interface VerifiedField {
  readonly path: string;
  readonly value: string;
}

/** Display value of a missing field. */
export const NOTHING = t`nothing`;

/** Integers that count sun, whatever the contract. */
const COIN_FIELDS = new Set(["fee_limit", "call_value", "frozen_balance", "unfreeze_balance", "balance"]);

/** Every field of `raw_data` that JSON shows, in words for people. */
export function fieldsOf(raw: Raw): readonly VerifiedField[] {
  return leaves({ raw_data: rawDataToJson(raw, true) }, "", isCoinTransfer(raw));
}

/** The fields that two `raw_data` do not have in common, as far as JSON shows them. */
export function differencesBetween(requested: Raw, built: Raw): readonly Difference[] {
  const expected = new Map(fieldsOf(requested).map((it) => [it.path, it.value]));
  const found = new Map(fieldsOf(built).map((it) => [it.path, it.value]));
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((path) => expected.get(path) !== found.get(path))
    .map((path) => ({ path, asked: expected.get(path) ?? NOTHING, built: found.get(path) ?? NOTHING }));
}

/** `amount` counts sun here, and units of a token in a token transfer. */
function isCoinTransfer(raw: Raw): boolean {
  return raw.contract[0]?.type === 1;
}

function leaves(value: Json | undefined, path: string, coinTransfer: boolean): readonly VerifiedField[] {
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((it, index) => leaves(it, `${path}[${index}]`, coinTransfer));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, it]) =>
      leaves(it, path === "" ? name : `${path}.${name}`, coinTransfer),
    );
  }
  return [{ path, value: inWords(value, path.slice(path.lastIndexOf(".") + 1), coinTransfer) }];
}

function inWords(value: Json | undefined, name: string, coinTransfer: boolean): string {
  const isInteger = typeof value === "number" || typeof value === "bigint";
  const isCoins = COIN_FIELDS.has(name) || (name === "amount" && coinTransfer);
  return isInteger && isCoins ? t`${coinsText(sun(BigInt(value)))} (${String(value)} sun)` : String(value);
}
