import { secp256k1 } from "@noble/curves/secp256k1.js";
import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import type { Address } from "../primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes, isHexPairs, stripHexPrefix, type TxId } from "../primitives/bytes.ts";
import { addressOfHash } from "./contract-types.ts";

/** Secp256k1 signing key, 32 bytes. It is passed as an argument and never stored. */
export type PrivateKey = Uint8Array & { readonly brand: "PrivateKey" };

const LENGTH = 65;
const RECOVERY_OFFSET = 27;

/** @throws {ChainError} `PRIVATE_KEY_MALFORMED`; the message never contains the text */
export function parsePrivateKey(text: string): PrivateKey {
  const digits = stripHexPrefix(text.trim());
  if (!isHexPairs(digits) || digits.length !== 64) {
    throw new ChainError("PRIVATE_KEY_MALFORMED", { reason: t`it must be 64 hex digits` });
  }
  const key = hexToBytes(digits);
  if (!secp256k1.utils.isValidSecretKey(key)) {
    throw new ChainError("PRIVATE_KEY_MALFORMED", { reason: t`the number is outside of the curve's range` });
  }
  return key as PrivateKey;
}

/** Generates a key from the system's random numbers. */
export function generatePrivateKey(): PrivateKey {
  return secp256k1.utils.randomSecretKey() as PrivateKey;
}

/** Returns the account of a key: 41 and the last 20 bytes of keccak-256 of the public key. */
export function addressOfPrivateKey(key: PrivateKey): Address {
  return addressOfPublicKey(secp256k1.getPublicKey(key, false));
}

/**
 * Signs a transaction: its txID is the signed hash (protocol reference §4.3).
 *
 * @returns 65 bytes as hex: r, s, and the recovery byte 27 or 28
 */
export function signTransactionId(txId: TxId, key: PrivateKey): Hex {
  return signHash(txId, key);
}

/**
 * Signs a hash of 32 bytes.
 *
 * @returns 65 bytes as hex: r, s, and the recovery byte 27 or 28
 */
export function signHash(hash: Hex, key: PrivateKey): Hex {
  const [recovery = 0, ...rs] = secp256k1.sign(hexToBytes(hash), key, { prehash: false, format: "recovered" });
  return bytesToHex(Uint8Array.of(...rs, recovery + RECOVERY_OFFSET));
}

/**
 * Recovers the signer. The recovery byte can be 0–7 or 27–34 and s can be high, as the node allows; bytes beyond 65 are
 * ignored (ECKey.java).
 *
 * @throws {ChainError} `SIGNATURE_MALFORMED`
 */
export function recoverAddress(txId: TxId, signature: Hex): Address {
  const bytes = hexToBytes(signature);
  if (bytes.length < LENGTH)
    throw new ChainError("SIGNATURE_MALFORMED", { reason: t`it has ${bytes.length} bytes, not ${LENGTH}` });
  return recoverSigner(txId, bytes.subarray(0, LENGTH - 1), recoveryOf(bytes[LENGTH - 1] ?? 0));
}

/**
 * Recovers the signer of a hash of 32 bytes.
 *
 * @param rs - r and s, 32 bytes each
 * @param recovery - 0–3
 * @throws {ChainError} `SIGNATURE_MALFORMED`
 */
export function recoverSigner(hash: Hex, rs: Uint8Array, recovery: number): Address {
  try {
    const recovered = secp256k1.Signature.fromBytes(Uint8Array.of(recovery, ...rs), "recovered");
    return addressOfPublicKey(recovered.recoverPublicKey(hexToBytes(hash)).toBytes(false));
  } catch (cause) {
    throw new ChainError(
      "SIGNATURE_MALFORMED",
      { reason: cause instanceof Error ? cause.message : String(cause) },
      { cause },
    );
  }
}

/** Returns the recovery ID, 0–3. Old encodings begin at 0 or 27, and add 4 for a compressed key. */
function recoveryOf(v: number): number {
  const header = v >= RECOVERY_OFFSET ? v - RECOVERY_OFFSET : v;
  if (header > 7) throw new ChainError("SIGNATURE_MALFORMED", { reason: t`its last byte is ${v}` });
  return header % 4;
}

function addressOfPublicKey(uncompressed: Uint8Array): Address {
  return addressOfHash(uncompressed.subarray(1));
}
