import {
  type Address,
  addressFromBytes,
  bytesToHex,
  type Hex,
  isJsonObject,
  type Json,
} from "@finality/tron/primitives";
import type { Block } from "../chain/block.ts";
import { validAddress } from "../chain/transaction.ts";
import { JavaError, looseHex, nullPointerException } from "../http/java-values.ts";
import type { NodeView } from "../node/node-view.ts";

/** Returns whether the chain answers as 4.8.2. */
export function isSince482({ chain }: NodeView): boolean {
  return chain.nodeVersion !== "4.8.0";
}

/** A parameter of the wrong type: the node reports invalid JSON for the whole request. */
export class MalformedParameter extends Error {
  override readonly name = "Unreadable";
}

/** Reads a text; numbers and booleans are converted. @throws {MalformedParameter} */
export function text(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object") throw new MalformedParameter();
  return String(value);
}

/** @throws {MalformedParameter | JavaError} */
export function flag(value: Json | undefined): boolean {
  if (value === null || value === undefined) throw nullPointerException("null");
  if (typeof value !== "boolean") throw new MalformedParameter();
  return value;
}

/** Reads the text fields of an object without other fields. @throws {MalformedParameter} */
export function textFields<Name extends string>(
  value: Json | undefined,
  names: readonly Name[],
): { readonly [name in Name]?: string | undefined } {
  const object = fieldsAmong(value, names);
  const entries = names.filter((it) => it in object).map((it) => [it, text(object[it])] as const);
  return Object.fromEntries(entries) as { readonly [name in Name]?: string | undefined };
}

/** Reads an object without other fields. @throws {MalformedParameter} */
export function fieldsAmong(
  value: Json | undefined,
  names: readonly string[],
): { readonly [name: string]: Json | undefined } {
  if (!isJsonObject(value)) throw new MalformedParameter();
  if (Object.keys(value).some((it) => !names.includes(it))) throw new MalformedParameter();
  return value;
}

/** Reads an address of 20 bytes, or of 21 with the prefix 41. @throws {RpcError} */
export function addressOf(view: NodeView, input: string | undefined): Address {
  const bytes = checkedHex(input ?? "");
  const address = bytes.length === 20 ? addressFromBytes(Uint8Array.of(0x41, ...bytes)) : validAddress(bytes);
  if (address === undefined) throw invalidParams(isSince482(view) ? "invalid address" : "invalid address hash value");
  return address;
}

/** Reads hex; an error means invalid parameters. @throws {RpcError} */
function checkedHex(input: string): Uint8Array {
  try {
    return looseHex(input);
  } catch (error) {
    throw error instanceof JavaError ? invalidParams(error.message) : error;
  }
}

const HASH = /^(?:0x)?[0-9a-f]{64}$/i;
/** Hash of 4.8.0, whose check lets all letters pass. */
const LOOSE_HASH = /^(?:0x)?[a-z0-9]{64}$/i;

/** Reads a block or transaction hash. @throws {RpcError | JavaError} */
export function hashOf(view: NodeView, input: string | undefined): Hex {
  if (isSince482(view)) {
    if (input === undefined || !HASH.test(input)) throw invalidParams("invalid hash value");
  } else if (input === undefined) {
    throw nullPointerException('Cannot invoke "java.lang.CharSequence.length()" because "this.text" is null');
  } else if (!LOOSE_HASH.test(input)) {
    throw invalidParams("invalid hash value");
  }
  return bytesToHex(checkedHex(input));
}

const QUANTITY = /^0x([+-]?[0-9a-f]+)$/i;
const MOST = 2n ** 63n - 1n;

/** Reads an amount: hex with 0x, at most 63 bits; 0 if missing. @throws {RpcError} */
export function amountOf(view: NodeView, input: string | undefined): bigint {
  if (input === undefined || input === "") return 0n;
  const amount = hexNumber(input);
  if (amount === undefined) throw invalidParams("invalid param value: invalid hex number");
  if (amount < 0n && isSince482(view)) throw invalidParams("invalid param value: negative");
  return amount;
}

/** Returns a hex number with 0x within 63 bits. */
export function hexNumber(input: string): bigint | undefined {
  const digits = QUANTITY.exec(input)?.[1];
  if (digits === undefined) return undefined;
  const size = BigInt(`0x${digits.replace(/^[+-]/, "")}`);
  if (size > MOST) return undefined;
  return digits.startsWith("-") ? -size : size;
}

/** Prints a number as hex without leading zeros. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

export function dataOf(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`;
}

/** Returns an address in 20 bytes without the prefix 41. */
export function shortAddress(address: Address): string {
  return `0x${address.slice(2)}`;
}

/** Returns zero bytes as hex, for values that the chain does not have. */
export function zeros(bytes: number): string {
  return `0x${"00".repeat(bytes)}`;
}

/** Value of `data` beside the text of an exception that the node's annotations name. */
const NOTHING_MORE = "{}";

/** A JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** Null prints no data. */
  readonly data: Json;

  constructor(code: number, message: string, data: Json = NOTHING_MORE) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function invalidRequest(message = "invalid json request"): RpcError {
  return new RpcError(-32600, message);
}

export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message);
}

/** Returns the error of a known but unsupported method. */
export function notAvailable(method: string): RpcError {
  return new RpcError(-32601, `the method ${method} does not exist/is not available`);
}

/** @param data - revert data, as hex with 0x */
export function nodeError(message: string, data?: string): RpcError {
  return new RpcError(-32000, message, data);
}

export function tooManyResults(most: number): RpcError {
  return new RpcError(-32005, `query returned more than ${most} results`);
}

const NUMBER = /^(?:0x[0-9a-f]+|\d+)$/i;

/**
 * Returns the block of a number or tag; a number without 0x is decimal.
 *
 * @throws {RpcError} `pending`, or neither a tag nor a number
 */
export function blockOf(view: NodeView, input: string | undefined): Block | undefined {
  switch (input?.toLowerCase()) {
    case "latest":
      return view.newest;
    case "earliest":
      return view.block(0);
    case "finalized":
      return view.solid;
    case "pending":
      throw invalidParams("TAG pending not supported");
    case "safe":
      throw unsupportedSafe(view);
    default:
      return view.block(Number(blockNumber(view, input)));
  }
}

/** Returns the error for the tag `safe`, which 4.8.0 takes for a number. */
export function unsupportedSafe(view: NodeView): RpcError {
  return invalidParams(isSince482(view) ? "TAG safe not supported" : "invalid block number");
}

/** The block of an id. */
export function blockOfHash(view: NodeView, id: string): Block | undefined {
  const block = view.block(Number.parseInt(id.slice(0, 16), 16));
  return block?.id === id ? block : undefined;
}

/** Checks that a block tag is `latest`: only current state is available. @throws {RpcError} anything but `latest` */
export function checkLatest(view: NodeView, input: string | undefined): void {
  switch (input?.toLowerCase()) {
    case "latest":
      return;
    case "earliest":
    case "pending":
    case "finalized":
      throw invalidParams(`TAG [earliest | pending | finalized${isSince482(view) ? " | safe" : ""}] not supported`);
    case "safe":
      if (isSince482(view)) throw invalidParams("TAG [earliest | pending | finalized | safe] not supported");
      throw unsupportedSafe(view);
    default:
      blockNumber(view, input);
      throw invalidParams("QUANTITY not supported, just support TAG as latest");
  }
}

/** Longest number of a block on 4.8.2. */
const LONGEST_NUMBER = 20;

/** @throws {RpcError} */
export function blockNumber(view: NodeView, input: string | undefined): bigint {
  if (input === undefined || !NUMBER.test(input)) throw invalidParams("invalid block number");
  const number = BigInt(input);
  if (isSince482(view) && (input.length > LONGEST_NUMBER || number > MOST)) throw invalidParams("invalid block number");
  return number;
}

/** Data of a call: `data`, or on 4.8.2 `input`. */
export interface CallData {
  readonly data?: string | undefined;
  readonly input?: string | undefined;
}

const STRICT_HEX = /^0x(?:[0-9a-f]{2})*$/i;

/** Returns the data of a call in hex, which 4.8.2 checks. @throws {RpcError} */
export function callData(view: NodeView, { data, input }: CallData): string | undefined {
  if (!isSince482(view)) return data;
  if (input !== undefined && input !== "" && !STRICT_HEX.test(input)) throw invalidHex("input");
  try {
    looseHex(data ?? "");
  } catch (error) {
    throw error instanceof JavaError ? invalidHex("data") : error;
  }
  return input ?? data;
}

function invalidHex(field: string): RpcError {
  return invalidParams(`invalid hex string for "${field}"`);
}
