import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import type { Address } from "../primitives/address.ts";
import { type Hex, hex, hexToBytes, isHexPairs, stripHexPrefix } from "../primitives/bytes.ts";
import { type PrivateKey, recoverSigner, signHash } from "../transaction/signature.ts";
import type { MessageDigest } from "./message.ts";

/** Signature of a message: 65 bytes as hex, r, s and the recovery byte. */
export interface MessageSignature {
  readonly r: Hex;
  readonly s: Hex;
  /** 0 or 1, whichever of the two forms the last byte has. */
  readonly recovery: 0 | 1;
  /** The last byte: 0 or 1, or 27 or 28. Contracts take 27 and 28 only. */
  readonly v: number;
}

const DIGITS = 130;
/** Half of the curve order: OpenZeppelin and wallets refuse a larger s, because a second signature would be valid. */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Reads a signature in hex, with or without 0x.
 *
 * @throws {ChainError} `SIGNATURE_MALFORMED` if it has another length, another recovery byte, or a high s
 */
export function parseMessageSignature(text: string): MessageSignature {
  const digits = stripHexPrefix(text.trim());
  if (!isHexPairs(digits)) throw malformed(t`it is not hex`);
  if (digits.length !== DIGITS) throw malformed(t`it has ${digits.length / 2} bytes, not ${DIGITS / 2}`);
  const [r, s, v] = [hex(digits.slice(0, 64)), hex(digits.slice(64, 128)), Number.parseInt(digits.slice(128), 16)];
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery !== 0 && recovery !== 1) throw malformed(t`its last byte is ${v}, not 0, 1, 27 or 28`);
  if (BigInt(`0x${s}`) > LARGEST_S) throw malformed(t`its s is in the upper half, which contracts refuse`);
  return { r, s, recovery, v };
}

/** Returns both forms of a signature as 0x…: with 27 or 28 at the end, and with 0 or 1. */
export function signatureForms({ r, s, recovery }: MessageSignature): readonly [string, string] {
  return [`0x${r}${s}${(recovery + 27).toString(16)}`, `0x${r}${s}0${recovery}`];
}

/** Signs the hash of a message. @returns 65 bytes as hex, with the recovery byte 27 or 28 */
export function signMessageDigest(digest: MessageDigest, key: PrivateKey): Hex {
  return signHash(digest, key);
}

/** Returns the account that signed. @throws {ChainError} `SIGNATURE_MALFORMED` if no key can have */
export function recoverMessageSigner(digest: MessageDigest, { r, s, recovery }: MessageSignature): Address {
  return recoverSigner(digest, hexToBytes(r + s), recovery);
}

function malformed(reason: string): ChainError {
  return new ChainError("SIGNATURE_MALFORMED", { reason });
}
