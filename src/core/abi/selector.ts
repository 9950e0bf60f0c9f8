import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, type Hex } from "../primitives/bytes.ts";

/** The first four bytes of a call or of revert data: eight hex digits. */
export type Selector = Hex & { readonly of: "Selector" };

/**
 * The selector of a canonical signature.
 *
 * @example
 * selectorOf("transfer(address,uint256)"); // "a9059cbb"
 */
export function selectorOf(signature: string): Selector {
  return topicOf(signature).slice(0, 8) as Selector;
}

/** The first topic of an event: 64 hex digits. */
export function topicOf(signature: string): Hex {
  return bytesToHex(keccak_256(Buffer.from(signature, "utf8")));
}
