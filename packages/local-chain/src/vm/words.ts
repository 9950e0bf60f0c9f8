import { type Address, bytesToHex } from "@finality/tron/primitives";

const ADDRESS_MASK = (1n << 160n) - 1n;
export const MAX_LONG = (1n << 63n) - 1n;

/** Returns the address of an operand: its last 20 bytes. */
export function addressOf(word: bigint): Address {
  return `41${(word & ADDRESS_MASK).toString(16).padStart(40, "0")}` as Address;
}

/** Returns the word of an address without the prefix 41, as ADDRESS, ORIGIN and CALLER push it. */
export function wordOf(address: Address): bigint {
  return BigInt(`0x${address.slice(2)}`);
}

/** Returns the word of an address with the prefix 41, 21 bytes, as CREATE and CREATE2 push it. */
export function prefixedWordOf(address: Address): bigint {
  return BigInt(`0x${address}`);
}

export function wordOfBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

export function bytesOfWord(word: bigint): Uint8Array {
  return Buffer.from(word.toString(16).padStart(64, "0"), "hex");
}

/** Returns chain time in seconds, as code reads it. */
export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** Encodes a long in eight bytes. */
export function bytesOfLong(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}
