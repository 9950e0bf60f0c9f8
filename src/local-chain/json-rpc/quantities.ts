import type { Address } from "../../core/primitives/address.ts";
import { bytesToHex } from "../../core/primitives/bytes.ts";

/** A number as JSON-RPC prints it: hex without zeros in front. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

export function dataOf(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`;
}

/** The 20 bytes of an address, without the 41. */
export function shortAddress(address: Address): string {
  return `0x${address.slice(2)}`;
}

/** So many bytes of zeros: what the chain has nothing for. */
export function zeros(bytes: number): string {
  return `0x${"00".repeat(bytes)}`;
}
