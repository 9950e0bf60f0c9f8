import { type Address, type Json, type JsonObject, toBase58 } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { untrusted } from "./untrusted.ts";

const ADDRESSES: readonly string[] = ["owner", "to", "contract", "receiver", "account"];
/** Longest hex text of an intent, in characters. */
const LONGEST_HEX = 1_000;

/** Returns an intent for a model: addresses in base58, amounts as decimal text, text of others marked. */
export function intentJson(intent: Intent): JsonObject {
  const fields = Object.entries(intent).map(([name, value]): readonly [string, Json] => [name, fieldJson(name, value)]);
  return Object.fromEntries(fields);
}

function fieldJson(name: string, value: unknown): Json {
  if (name === "kind" || typeof value === "number" || typeof value === "boolean") return value as Json;
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" && ADDRESSES.includes(name)) return toBase58(value as Address);
  if (name === "memo") return untrusted(Buffer.from(String(value), "hex").toString("utf8"));
  if (typeof value === "string" && /^[0-9a-f]*$/.test(value)) return value.slice(0, LONGEST_HEX);
  const json = JSON.stringify(value, (_key, it) => (typeof it === "bigint" ? String(it) : it));
  return untrusted(typeof value === "string" ? value : json);
}
