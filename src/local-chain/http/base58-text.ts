import { decodeBase58 } from "../../core/primitives/address.ts";
import { bytesToHex, equalBytes, type Hex, sha256 } from "../../core/primitives/bytes.ts";

const ADDRESS_LENGTH = 21;
/** Characters; an address and its checksum have at most 35. */
const LONGEST = 64;

/** What the node makes of a base58 text: an address, a complaint about a character, or `null`. */
export type Base58Payload =
  | { readonly kind: "payload"; readonly hex: Hex }
  | { readonly kind: "illegal"; readonly character: string; readonly index: number }
  | { readonly kind: "refused" };

/** Reads base58check as Commons.decodeFromBase58Check does: the alphabet first, then length, checksum and prefix. */
export function base58Payload(text: string): Base58Payload {
  const index = [...text].findIndex((character) => decodeBase58(character) === undefined);
  if (index >= 0) return { kind: "illegal", character: text[index] ?? "", index };
  const bytes = text.length <= LONGEST ? decodeBase58(text) : undefined;
  if (bytes === undefined) return { kind: "refused" };
  const payload = bytes.subarray(0, -4);
  const checksum = sha256(sha256(payload)).subarray(0, 4);
  const valid = payload.length === ADDRESS_LENGTH && payload[0] === 0x41 && equalBytes(bytes.subarray(-4), checksum);
  return valid ? { kind: "payload", hex: bytesToHex(payload) } : { kind: "refused" };
}
