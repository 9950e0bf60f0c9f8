import { hash } from "node:crypto";
import { ChainError } from "../errors/chain-error.ts";

/** Bytes as lower-case hex, two digits a byte, without 0x. */
export type Hex = string & { readonly brand: "Hex" };

const PAIRS = /^(?:[0-9a-f]{2})*$/i;

/**
 * Parses hex: upper or lower case, with or without 0x.
 *
 * @throws {ChainError} `HEX_MALFORMED`
 * @example
 * hex("0xDEad"); // "dead"
 */
export function hex(text: string): Hex {
  return hexDigits(text).toLowerCase() as Hex;
}

function hexDigits(text: string): string {
  const digits = stripHexPrefix(text);
  if (!PAIRS.test(digits)) throw new ChainError("HEX_MALFORMED", { text: shorten(text) });
  return digits;
}

/** Removes 0x or 0X at the start of a text. */
export function stripHexPrefix(text: string): string {
  return text.startsWith("0x") || text.startsWith("0X") ? text.slice(2) : text;
}

/** Returns true if the text consists of pairs of hex digits only; false for the empty text. */
export function isHexPairs(text: string): boolean {
  return text.length > 0 && PAIRS.test(text);
}

/** @throws {ChainError} `HEX_MALFORMED` */
export function hexToBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(hexDigits(text), "hex"));
}

/**
 * Encodes bytes as lower-case hex without 0x. Copies them first, because a short view of memory takes five times as
 * long.
 */
export function bytesToHex(bytes: Uint8Array): Hex {
  return Buffer.from(bytes).toString("hex") as Hex;
}

export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** Shortens a text for a message. */
export function shorten(text: string, length = 80): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Returns the SHA-256 of the bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash("sha256", bytes, "buffer"));
}

/** ID of a transaction: 64 lower-case hex digits. */
export type TxId = Hex & { readonly of: "TxId" };

/**
 * Returns the txID: SHA-256 of the serialized `raw_data`; signatures are not included (gateway document, Transaction).
 */
export function transactionId(rawData: Uint8Array): TxId {
  return hash("sha256", rawData, "hex") as TxId;
}

const TX_ID = /^(?:0x)?([0-9a-f]{64})$/i;

/** Parses a pasted txID (upper case, 0x, whitespace); undefined for other text. */
export function parseTxId(text: string): TxId | undefined {
  return TX_ID.exec(text.trim())?.[1]?.toLowerCase() as TxId | undefined;
}
