import { createHmac, pbkdf2Sync } from "node:crypto";
import { hexToBytes } from "@finality/tron/primitives";
import type { PrivateKey } from "@finality/tron/transaction";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { compressedPublicKey } from "../curve/keys.ts";

/** Mnemonic that Hardhat, Anvil and TronBox's runtime environment use. Its keys are public. */
export const DEVELOPMENT_MNEMONIC = "test test test test test test test test test test test junk";

/** Keys of the quick starts of TronBox's runtime environment, which are public too. */
export const DEVELOPMENT_KEYS: readonly string[] = [
  "dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5",
  "c8afe0306dbb962a4ce8c09954f050c57facf05eb7ac88497ee1489d741aaff1",
];

const { Fn } = secp256k1.Point;
const HARDENED = 0x8000_0000;
/** The path m/44'/60'/0'/0 of the tools above. */
const PATH = [44 + HARDENED, 60 + HARDENED, HARDENED, 0];
const WORDS = /^[a-z]+(?: [a-z]+){11,23}$/;

/**
 * Derives the first keys of a mnemonic (BIP-39, BIP-32) at `m/44'/60'/0'/0`. Its checksum is not checked.
 *
 * @throws {TypeError} not 12 to 24 lower-case words
 */
export function keysOfMnemonic(mnemonic: string, count: number): readonly PrivateKey[] {
  if (!WORDS.test(mnemonic)) throw new TypeError("A mnemonic has 12 to 24 words in lower case, with a space between.");
  const seed = pbkdf2Sync(mnemonic, "mnemonic", 2048, 64, "sha512");
  const parent = PATH.reduce(childOf, splitKey(hmac(Buffer.from("Bitcoin seed"), seed)));
  return Array.from({ length: count }, (_, index) => childOf(parent, index).key as PrivateKey);
}

interface ExtendedKey {
  readonly key: Uint8Array;
  readonly chainCode: Uint8Array;
}

function childOf({ key, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const parent = index >= HARDENED ? Buffer.concat([Uint8Array.of(0), key]) : compressedPublicKey(key);
  const number = Buffer.alloc(4);
  number.writeUInt32BE(index);
  const derived = splitKey(hmac(chainCode, Buffer.concat([parent, number])));
  return { ...derived, key: Fn.toBytes(Fn.add(Fn.fromBytes(derived.key), Fn.fromBytes(key))) };
}

function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  return createHmac("sha512", key).update(data).digest();
}

function splitKey(bytes: Uint8Array): ExtendedKey {
  return { key: bytes.subarray(0, 32), chainCode: bytes.subarray(32) };
}

/** @throws {TypeError} no 32 bytes in hex, with or without 0x, or no key of the curve */
export function parsePrivateKey(text: string): PrivateKey {
  const digits = text.replace(/^0x/i, "");
  const key = /^[\da-f]{64}$/i.test(digits) ? hexToBytes(digits.toLowerCase()) : undefined;
  if (key === undefined || !secp256k1.utils.isValidSecretKey(key))
    throw new TypeError("A private key has 32 bytes in hex.");
  return key as PrivateKey;
}
