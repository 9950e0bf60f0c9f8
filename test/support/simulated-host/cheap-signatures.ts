import { createHash } from "node:crypto";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import type { Hex, TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import {
  addressOfPrivateKey as addressOf,
  generatePrivateKey,
  type PrivateKey,
  parsePrivateKey,
} from "../../../packages/tron/src/transaction/signature.ts";

/**
 * Replaces secp256k1 in the simulations, which check the same bytes many times: a signature is the signer's address and
 * a hash with the key. It cannot be made without the key, and fits no other bytes. Curves have tests of their own.
 */
export { generatePrivateKey, type PrivateKey, parsePrivateKey };

const DIGITS = 130;
const addresses = new Map<string, Address>();
/** All keys that were used, for verification. */
const keys = new Map<string, string>();
/** Receives each signed hash with its signer. */
let watcher: ((txId: TxId, signer: Address) => void) | undefined;

export function watchSignatures(reported: typeof watcher): void {
  watcher = reported;
}

export function addressOfPrivateKey(key: PrivateKey): Address {
  const hex = Buffer.from(key).toString("hex");
  const address = addresses.get(hex) ?? addressOf(key);
  addresses.set(hex, address);
  keys.set(address, hex);
  return address;
}

export function signTransactionId(txId: TxId, key: PrivateKey): Hex {
  const signer = addressOfPrivateKey(key);
  watcher?.(txId, signer);
  return `${signatureOf(txId, signer)}1b` as Hex;
}

/** @throws {ChainError} `SIGNATURE_MALFORMED` */
export function recoverAddress(txId: TxId, signature: Hex): Address {
  if (signature.length < DIGITS) throw new ChainError("SIGNATURE_MALFORMED", { reason: "it is too short" });
  const claimed = signature.slice(0, 42) as Hex as Address;
  if (keys.has(claimed) && signature.startsWith(signatureOf(txId, claimed))) return claimed;
  return `41${hash(signature, txId).slice(0, 40)}` as Hex as Address;
}

/** Messages are signed and recovered in tests of their own. */
export function signHash(): never {
  throw new Error("the simulations sign no messages");
}

/** @throws {Error} always */
export function recoverSigner(): never {
  throw new Error("the simulations recover no signers of messages");
}

/** The following replace `curve/keys.ts` of the chain: without a point, the chain recovers by `recoverAddress`. */
export { addressOfPrivateKey as accountOf, generatePrivateKey as newDevelopmentKey };

export function recoverPoint(): undefined {
  return undefined;
}

/** Signs with a key of the chain itself, which is not reported. Returns r, s and the recovery byte. */
export function signWithDevelopmentKey(id: TxId, key: PrivateKey): Uint8Array {
  return Buffer.from(`${signatureOf(id, addressOfPrivateKey(key))}00`, "hex");
}

export function accountOfPoint(): never {
  throw new Error("Cheap signatures have no points.");
}

export function compressedPublicKey(): never {
  throw new Error("Cheap signatures have no public keys.");
}

/** r and s. */
function signatureOf(txId: TxId, signer: Address): string {
  const digest = hash(keys.get(signer) ?? "", txId);
  return `${signer}${digest.slice(0, 22)}${digest}`;
}

function hash(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join(" ")).digest("hex");
}

/** Replaces the chain's cache of recovered signers, because these signatures have no curve points. */
export class KnownSigners {
  recognises(): boolean {
    return false;
  }

  note(): void {
    // There is nothing to cache.
  }
}
