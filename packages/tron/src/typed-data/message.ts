import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, type Hex } from "../primitives/bytes.ts";

/** Hash of a message or of typed data that is signed, 32 bytes. It can never be a txID, which is a SHA-256. */
export type MessageDigest = Hex & { readonly of: "MessageDigest" };

const PREFIX = "\u0019TRON Signed Message:\n";

/**
 * Returns the hash of a message (TIP-191, `signMessageV2` of TronLink and TronWeb): the prefix, the number of bytes in
 * decimal, and the bytes.
 */
export function messageDigest(message: Uint8Array): MessageDigest {
  return digestOf(String(message.length), message);
}

/**
 * Returns the hash of the first form, `signMessage` of TronWeb: it always has the length 32. Only for verification,
 * because two messages of different length can have one hash.
 */
export function firstFormDigest(message: Uint8Array): MessageDigest {
  return digestOf("32", message);
}

function digestOf(length: string, message: Uint8Array): MessageDigest {
  return bytesToHex(keccak_256(Buffer.concat([Buffer.from(PREFIX + length), message]))) as MessageDigest;
}
