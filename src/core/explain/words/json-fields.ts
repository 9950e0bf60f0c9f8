import { addressIn, toBase58 } from "../../primitives/address.ts";
import { isHexPairs } from "../../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, printJson } from "../../primitives/json.ts";
import { readMessage } from "../decode/message-text.ts";
import type { DecodedField } from "../result/explanation.ts";
import { clip } from "./finding.ts";

/** Any form of an address, that of 20 bytes too, as T…; other text stays. */
export function addressText(text: string): string {
  const digits = text.replace(/^0x/i, "");
  const address = addressIn(digits.length === 40 && isHexPairs(digits) ? `41${digits}` : text);
  return address === undefined ? text : toBase58(address);
}

const MAX_CHILDREN = 100;
const MAX_DEPTH = 12;

/** JSON of the chain as a tree: addresses as T…, times as dates of the chain, messages decoded. */
export function fieldsOfJson(json: JsonObject, depth = 0): readonly DecodedField[] {
  return Object.entries(json)
    .slice(0, MAX_CHILDREN)
    .flatMap(([name, value]) => (value === undefined ? [] : [fieldOfJson(name, value, depth)]));
}

function fieldOfJson(name: string, value: Json, depth: number): DecodedField {
  if (depth >= MAX_DEPTH) return { name, value: "…", kind: "text" };
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_CHILDREN) as readonly Json[];
    const children = items.map((item, index) => fieldOfJson(`[${index}]`, item, depth + 1));
    return { name, value: `${value.length} items`, kind: "list", children };
  }
  if (isJsonObject(value)) return { name, value: "", kind: "list", children: fieldsOfJson(value, depth + 1) };
  return typeof value === "string" ? fieldOfText(name, value) : fieldOfNumber(name, value);
}

function fieldOfText(name: string, value: string): DecodedField {
  if (name === "message" || name === "resMessage") return { name, value: readMessage(value).readable, kind: "text" };
  if (/address$/i.test(name)) return { name, value: addressText(value), kind: "address" };
  if (/^(?:txid|id)$/i.test(name)) return { name, value, kind: "tx-id" };
  return { name, value, kind: isHexPairs(value) ? "hex" : "text" };
}

function fieldOfNumber(name: string, value: Json): DecodedField {
  const text = clip(printJson(value), 100);
  const time = /^(?:expiration|timestamp|blockTimeStamp)$/.test(name);
  return { name, value: text, kind: typeof value === "boolean" || value === null ? "text" : time ? "time" : "number" };
}
