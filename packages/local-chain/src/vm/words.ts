import { type Address, bytesToHex } from "@finality/tron/primitives";

const ADDRESS_MASK = (1n << 160n) - 1n;
export const MAX_LONG = (1n << 63n) - 1n;

/** An address operand counts by its last 20 bytes. */
export function addressOf(word: bigint): Address {
  return `41${(word & ADDRESS_MASK).toString(16).padStart(40, "0")}` as Address;
}

/** The word of an address without its prefix 41, as ADDRESS, ORIGIN and CALLER push it. */
export function wordOf(address: Address): bigint {
  return BigInt(`0x${address.slice(2)}`);
}

/** The word of an address with its prefix 41, as CREATE and CREATE2 push it: 21 bytes. */
export function prefixedWordOf(address: Address): bigint {
  return BigInt(`0x${address}`);
}

export function wordOfBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

export function bytesOfWord(word: bigint): Uint8Array {
  return Buffer.from(word.toString(16).padStart(64, "0"), "hex");
}

/** Chain time in ms as code knows it. */
export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** Eight bytes, as Java writes a long. */
export function bytesOfLong(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}
