import { type Address, parseAddress } from "../../primitives/address.ts";
import { type Sun, sun } from "../../primitives/amount.ts";
import { type Hex, hex, isHexPairs, parseTxId, shorten, type TxId } from "../../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";

/*
 * No readers of `core/primitives/read.ts`: on the wire absent means zero, empty or none, numbers become bigints, and
 * what is not asked for is most of an answer, so each parser takes the fields that it needs.
 */

/** A field of an answer that is not what it has to be. `readAnswer` turns it into a `ChainError` with the raw body. */
export class FieldFault extends Error {
  override readonly name = "FieldFault";
}

/** The fault of one field, by its path. */
export function fault(path: string, reason: string): FieldFault {
  return new FieldFault(`${path} ${reason}`);
}

/** An object, or an empty one when it is left out: the node omits empty messages. */
export function objectField(parent: JsonObject, name: string): JsonObject {
  const value = parent[name] ?? {};
  if (!isJsonObject(value)) throw fault(name, "is not an object");
  return value;
}

/** A list, or an empty one when it is left out: the node omits empty lists. @throws {FieldFault} */
export function listField(parent: JsonObject, name: string): readonly Json[] {
  const value = parent[name] ?? [];
  if (!Array.isArray(value)) throw fault(name, "is not a list");
  return value as readonly Json[];
}

/** A value that has to be an object. @throws {FieldFault} */
export function asObject(value: Json | undefined, path: string): JsonObject {
  if (!isJsonObject(value)) throw fault(path, "is not an object");
  return value;
}

/** An int64; left out means 0. */
export function integerField(parent: JsonObject, name: string): bigint {
  const value = parent[name] ?? 0;
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) return BigInt(value);
  throw fault(name, `is not an integer but ${shorten(String(value), 40)}`);
}

/** An amount in sun; left out means 0. @throws {FieldFault} */
export function sunField(parent: JsonObject, name: string): Sun {
  return sun(integerField(parent, name));
}

/** A height or a time in ms: exact as a number, not negative; left out means 0. */
export function numberField(parent: JsonObject, name: string): number {
  const value = Number(integerField(parent, name));
  if (!Number.isSafeInteger(value) || value < 0) throw fault(name, "is out of range");
  return value;
}

/** Text; left out means empty. */
export function textField(parent: JsonObject, name: string): string {
  const value = parent[name] ?? "";
  if (typeof value !== "string") throw fault(name, "is not text");
  return value;
}

/** Bytes as hex; left out means none. */
export function hexField(parent: JsonObject, name: string): Hex {
  const text = textField(parent, name);
  if (text !== "" && !isHexPairs(text)) throw fault(name, "is not hex");
  return hex(text);
}

/** 64 hex digits that have to be there. */
export function hashField<H extends Hex = TxId>(parent: JsonObject, name: string): H {
  const value = parent[name];
  const hash = typeof value === "string" ? parseTxId(value) : undefined;
  if (hash === undefined) throw fault(name, "is not a hash of 64 hex digits");
  return hash as Hex as H;
}

/** An address that has to be there. @throws {FieldFault} */
export function addressField(parent: JsonObject, name: string): Address {
  const address = optionalAddressField(parent, name);
  if (address === undefined) throw fault(name, "is not an address");
  return address;
}

/** Undefined also for bytes that are no address: the genesis block has a sentence there. */
export function optionalAddressField(parent: JsonObject, name: string): Address | undefined {
  try {
    return parseAddress(textField(parent, name));
  } catch {
    return undefined;
  }
}
