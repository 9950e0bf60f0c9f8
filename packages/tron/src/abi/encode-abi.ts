import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import type { Address } from "../primitives/address.ts";
import { type Hex, hex, isHexPairs } from "../primitives/bytes.ts";
import { selectorOf } from "./abi-signature.ts";
import type { AbiParameter, AbiType } from "./abi-type.ts";

/** Value of an ABI type: integers are bigints, addresses 41…, bytes hex without 0x, arrays and tuples are lists. */
export type AbiInput = bigint | boolean | string | Hex | Address | readonly AbiInput[];

const WORD_DIGITS = 64;

/**
 * Encodes values in the contract ABI; the inverse of `decodeAbi`. Addresses become 20 bytes without the prefix 41.
 *
 * @returns hex, without 0x
 * @throws {ChainError} `ABI_MALFORMED` if a value does not fit its type
 */
export function encodeAbi(parameters: readonly AbiParameter[], values: readonly AbiInput[]): Hex {
  return hex(encodeFields(parameters, values));
}

/**
 * Returns the data of a call: the selector and the encoded arguments.
 *
 * @param signature - Canonical, such as `transfer(address,uint256)`.
 * @throws {ChainError} `ABI_MALFORMED` if a value does not fit its type
 */
export function encodeCall(signature: string, parameters: readonly AbiParameter[], values: readonly AbiInput[]): Hex {
  return hex(selectorOf(signature) + encodeFields(parameters, values));
}

function encodeFields(fields: readonly AbiParameter[], values: readonly AbiInput[]): string {
  if (fields.length !== values.length)
    throw malformed(t`${fields.length} values are needed, but there are ${values.length}`);
  const types = fields.map(({ type }) => type);
  return joined(types, values);
}

/** Heads first, then the dynamic values that they point to. */
function joined(types: readonly AbiType[], values: readonly AbiInput[]): string {
  const size = types.reduce((sum, { head }) => sum + head, 0);
  let heads = "";
  let tails = "";
  for (const [index, type] of types.entries()) {
    const encoded = encode(type, values[index]);
    if (!type.dynamic) heads += encoded;
    else {
      heads += word(BigInt(size + tails.length / 2));
      tails += encoded;
    }
  }
  return heads + tails;
}

function encode(type: AbiType, value: AbiInput | undefined): string {
  switch (type.kind) {
    case "uint":
    case "int":
      return encodeInteger(type, value);
    case "bool":
      return word(flag(value) ? 1n : 0n);
    case "address":
      return addressDigits(value).padStart(WORD_DIGITS, "0");
    case "fixed-bytes":
      return bytesDigits(value, type.size).padEnd(WORD_DIGITS, "0");
    case "bytes":
      return span(bytesDigits(value));
    case "string":
      return span(Buffer.from(text(value), "utf8").toString("hex"));
    case "tuple":
      return encodeFields(type.fields, list(value, type));
    case "array":
      return encodeArray(type, list(value, type));
  }
}

function encodeArray(type: Extract<AbiType, { kind: "array" }>, items: readonly AbiInput[]): string {
  if (type.length !== undefined && type.length !== items.length)
    throw malformed(t`${type.text} needs ${type.length} items, but there are ${items.length}`);
  const body = joined(
    items.map(() => type.element),
    items,
  );
  return type.length === undefined ? word(BigInt(items.length)) + body : body;
}

function encodeInteger(
  { kind, bits, text: name }: Extract<AbiType, { kind: "uint" | "int" }>,
  value: AbiInput | undefined,
): string {
  if (typeof value !== "bigint") throw malformed(t`${name} must be a whole number`);
  const fits = kind === "uint" ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  if (fits !== value) throw malformed(t`${String(value)} does not fit into ${name}`);
  return word(BigInt.asUintN(256, value));
}

function flag(value: AbiInput | undefined): boolean {
  if (typeof value !== "boolean") throw malformed(t`bool must be true or false`);
  return value;
}

function text(value: AbiInput | undefined): string {
  if (typeof value !== "string") throw malformed(t`string must be text`);
  return value;
}

function addressDigits(value: AbiInput | undefined): string {
  const digits = text(value);
  if (!/^41[\da-f]{40}$/.test(digits)) throw malformed(t`address must be 41 and 40 hex digits`);
  return digits.slice(2);
}

function bytesDigits(value: AbiInput | undefined, size?: number): string {
  const digits = text(value);
  if (digits !== "" && !isHexPairs(digits)) throw malformed(t`bytes must be pairs of hex digits`);
  if (size !== undefined && digits.length !== 2 * size) throw malformed(t`bytes${size} must have ${size} bytes`);
  return digits.toLowerCase();
}

function list(value: AbiInput | undefined, { text: name }: AbiType): readonly AbiInput[] {
  if (!Array.isArray(value)) throw malformed(t`${name} must be a list`);
  return value as readonly AbiInput[];
}

/** Encodes a length in bytes and the bytes, padded to whole words. */
function span(digits: string): string {
  const padded = digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return word(BigInt(digits.length / 2)) + padded;
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, "0");
}

function malformed(reason: string): ChainError {
  return new ChainError("ABI_MALFORMED", { reason });
}

/**
 * Value as entered, before its ABI type is known. Numbers can be text, addresses can be account names, and a tuple is a
 * list or an object with field names.
 */
export type InputValue = bigint | string | boolean | readonly InputValue[] | { readonly [name: string]: InputValue };
