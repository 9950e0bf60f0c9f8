import { keccak_256 } from "@noble/hashes/sha3.js";
import { t } from "@vscode/l10n";
import { isChainError } from "../errors/chain-error.ts";
import { type Address, parseAnyAddress } from "../primitives/address.ts";
import { type Hex, hex, hexToBytes } from "../primitives/bytes.ts";
import { isJsonObject, type Json, quoteJson } from "../primitives/json.ts";
import { type ForeignText, foreignText, rawText } from "../primitives/plain-text.ts";
import { type FieldType, malformed, type StructTypes, type TypedField } from "./typed-data-types.ts";

/** Value of typed data, of the type beside it. */
export type TypedValue =
  | { readonly kind: "integer"; readonly value: bigint; readonly bits: number }
  | { readonly kind: "address"; readonly value: Address }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "string"; readonly value: ForeignText }
  | { readonly kind: "bytes"; readonly value: Hex; readonly isFixed: boolean }
  | { readonly kind: "list"; readonly items: readonly TypedValue[] }
  | StructValue;

export interface StructValue {
  readonly kind: "struct";
  readonly type: string;
  readonly fields: readonly NamedValue[];
}

export interface NamedValue {
  readonly name: string;
  readonly value: TypedValue;
}

/** 32 bytes. */
type Word = Uint8Array;

/**
 * Reads a struct. Each field of the type needs a value, and other fields are refused: they would not be signed.
 *
 * @throws {ChainError} `TYPED_DATA_MALFORMED`
 */
export function readStruct(structs: StructTypes, type: string, json: Json | undefined, path: string): StructValue {
  if (!isJsonObject(json)) throw malformed(path, t`${quoteJson(json)} is not an object`);
  const fields = structs.get(type)?.fields ?? [];
  const names = new Set(fields.map(({ name }) => name));
  const further = Object.keys(json).find((name) => !names.has(name));
  if (further !== undefined) throw malformed(`${path}.${further.slice(0, 40)}`, t`the type ${type} has no such field`);
  return { kind: "struct", type, fields: fields.map((field) => readNamed(structs, field, json, path)) };
}

function readNamed(
  structs: StructTypes,
  { name, type }: TypedField,
  json: { readonly [name: string]: Json | undefined },
  path: string,
): NamedValue {
  const value = Object.hasOwn(json, name) ? json[name] : undefined;
  if (value === undefined) throw malformed(`${path}.${name}`, t`it is missing`);
  return { name, value: readValue(structs, type, value, `${path}.${name}`) };
}

function readValue(structs: StructTypes, type: FieldType, json: Json, path: string): TypedValue {
  switch (type.kind) {
    case "uint":
    case "int":
      return { kind: "integer", value: readInteger(type, json, path), bits: type.bits };
    case "address":
      return { kind: "address", value: readAddress(json, path) };
    case "bool":
      if (typeof json !== "boolean") throw malformed(path, t`${quoteJson(json)} is neither true nor false`);
      return { kind: "bool", value: json };
    case "string":
      if (typeof json !== "string") throw malformed(path, t`${quoteJson(json)} is not a text`);
      if (!json.isWellFormed()) throw malformed(path, t`the text has half of a character`);
      return { kind: "string", value: foreignText(json) };
    case "bytes":
      return { kind: "bytes", value: readBytes(undefined, json, path), isFixed: false };
    case "fixed-bytes":
      return { kind: "bytes", value: readBytes(type.size, json, path), isFixed: true };
    case "struct":
      return readStruct(structs, type.name, json, path);
    case "list": {
      if (!Array.isArray(json)) throw malformed(path, t`${quoteJson(json)} is not a list`);
      if (type.length !== undefined && json.length !== type.length)
        throw malformed(path, t`it has ${json.length} items, not ${type.length}`);
      return { kind: "list", items: json.map((it: Json, at) => readValue(structs, type.item, it, `${path}[${at}]`)) };
    }
  }
}

/** Returns keccak-256 of a struct: of the hash of its type and one word for each field. */
export function hashStruct(structs: StructTypes, { type, fields }: StructValue): Word {
  const typeHash = structs.get(type)?.typeHash ?? new Uint8Array();
  return keccak_256(Buffer.concat([typeHash, ...fields.map(({ value }) => wordOf(structs, value))]));
}

function wordOf(structs: StructTypes, value: TypedValue): Word {
  switch (value.kind) {
    case "integer":
      return hexToBytes(BigInt.asUintN(256, value.value).toString(16).padStart(64, "0"));
    case "address":
      return hexToBytes(value.value.slice(2).padStart(64, "0"));
    case "bool":
      return hexToBytes((value.value ? "1" : "0").padStart(64, "0"));
    case "string":
      return keccak_256(Buffer.from(rawText(value.value)));
    case "bytes":
      return value.isFixed ? hexToBytes(value.value.padEnd(64, "0")) : keccak_256(hexToBytes(value.value));
    case "list":
      return keccak_256(Buffer.concat(value.items.map((it) => wordOf(structs, it))));
    case "struct":
      return hashStruct(structs, value);
  }
}

const DECIMAL = /^-?(?:0|[1-9]\d{0,77})$/;
const PREFIXED_HEX = /^0x[\da-f]{1,64}$/i;

/** Reads an integer as JSON or as text, decimal or 0x…, without separators: wallets read the same value or refuse it. */
function readInteger({ kind, bits }: Extract<FieldType, { bits: number }>, json: Json, path: string): bigint {
  const value = integerIn(json);
  if (value === undefined) throw malformed(path, t`${quoteJson(json)} is not a whole number`);
  const fits = kind === "uint" ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  if (fits !== value) throw malformed(path, t`${String(value)} does not fit into ${kind + String(bits)}`);
  return value;
}

function integerIn(json: Json): bigint | undefined {
  if (typeof json === "bigint") return json;
  if (typeof json === "number") return Number.isSafeInteger(json) ? BigInt(json) : undefined;
  return typeof json === "string" && (DECIMAL.test(json) || PREFIXED_HEX.test(json)) ? BigInt(json) : undefined;
}

function readAddress(json: Json, path: string): Address {
  if (typeof json !== "string") throw malformed(path, t`${quoteJson(json)} is not an address`);
  try {
    return parseAnyAddress(json);
  } catch (error) {
    if (isChainError(error)) throw malformed(path, t`${quoteJson(json)} is not an address`);
    throw error;
  }
}

function readBytes(size: number | undefined, json: Json, path: string): Hex {
  if (typeof json !== "string" || !/^0x(?:[\da-f]{2})*$/i.test(json))
    throw malformed(path, t`${quoteJson(json)} is not hex such as 0x00ff`);
  const value = hex(json);
  if (size !== undefined && value.length !== 2 * size)
    throw malformed(path, t`it has ${value.length / 2} bytes, not ${size}`);
  return value;
}
