import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomUUID, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { ChainError } from "@finality/tron/errors";
import {
  type Address,
  bytesToHex,
  equalBytes,
  hexToBytes,
  isHexPairs,
  jsonDepth,
  parseAnyAddress,
  stripHexPrefix,
  toBase58,
} from "@finality/tron/primitives";
import { type Fields, object, type Read, ReadError, record, text, wholeNumber } from "@finality/tron/read";
import { addressOfPrivateKey, type PrivateKey, parsePrivateKey } from "@finality/tron/transaction";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { t } from "@vscode/l10n";

/** Format of a text that is imported as a key. */
export type KeyTextKind = "private key" | "mnemonic" | "keystore";

/**
 * Returns the likely format of a file or of pasted text, without checking it.
 *
 * @throws {ChainError} `KEY_TEXT_UNKNOWN`; nothing of the text enters the message
 */
export function kindOfKeyText(content: string): KeyTextKind {
  const text = content.replace(/^\uFEFF/, "").trim();
  if (text === "") throw unknown(t`it is empty`);
  if (text.startsWith("{")) return "keystore";
  if (text.startsWith("-----BEGIN")) throw unknown(t`it is PEM, which is for the JWT keys of networks`);
  if (isHexPairs(stripHexPrefix(text))) return "private key";
  if (/^\p{L}+(?:\s+\p{L}+){5,}$/u.test(text.normalize("NFKD").replace(/\p{M}/gu, ""))) return "mnemonic";
  throw unknown(t`it is neither a private key (64 hex digits) nor a mnemonic (12 to 24 words) nor a keystore (JSON)`);
}

function unknown(reason: string): ChainError {
  return new ChainError("KEY_TEXT_UNKNOWN", { reason });
}

/** Key derivation from the password; 32 bytes. */
type Derivation =
  | { readonly kind: "scrypt"; readonly salt: Uint8Array; readonly n: number; readonly r: number; readonly p: number }
  | { readonly kind: "pbkdf2"; readonly salt: Uint8Array; readonly rounds: number };

/** Key encrypted with a password (Web3 Secret Storage, version 3), parsed but not opened yet. */
export interface Keystore {
  /** Address in the file; some files have none. */
  readonly address: Address | undefined;
  readonly derivation: Derivation;
  readonly iv: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly mac: Uint8Array;
}

/** Maximum length of a keystore. */
const LONGEST_KEYSTORE = 64_000;

const MIB = 2 ** 20;
/** The file determines the memory and time of the password check: at most 1 GiB and some seconds. */
const MOST_MEMORY = 1_024 * MIB;
const MOST_WORK = 2 ** 24;
const MOST_ROUNDS = 10_000_000;
const DERIVED = 32;
const HALF = 16;
/** Cost that common tools use: 128 MiB, about half a second. */
const USUAL_COST = 2 ** 17;

/** Reads bytes in hex, with or without 0x. */
const bytes: Read<Uint8Array> = (value) => {
  const digits = stripHexPrefix(text(value)).toLowerCase();
  if (digits === "" || !/^(?:[0-9a-f]{2})+$/.test(digits)) throw new ReadError(t`hex`);
  return hexToBytes(digits);
};

const scryptFields = { salt: bytes, n: wholeNumber, r: wholeNumber, p: wholeNumber, dklen: wholeNumber };
const pbkdf2Fields = { salt: bytes, c: wholeNumber, prf: text, dklen: wholeNumber };

/**
 * Parses the text of a keystore file.
 *
 * @throws {ChainError} `KEYSTORE_REFUSED` if it is no keystore, has another version or method, or demands too much
 */
export function readKeystore(content: string): Keystore {
  const file = partOf(jsonOf(content), t`it`);
  if (Number(file.version) !== 3) throw refused(t`its version is not 3, the only supported one`);
  const crypto = partOf(file.crypto ?? file.Crypto, t`its part crypto`);
  if (crypto.cipher !== "aes-128-ctr") throw refused(t`its cipher is not aes-128-ctr, the only supported one`);
  const { iv } = read({ iv: bytes }, crypto.cipherparams, "cipherparams");
  const { ciphertext, mac } = read({ ciphertext: bytes, mac: bytes }, crypto, "crypto");
  if (iv.length !== HALF) throw refused(t`its iv has ${iv.length} bytes, not ${HALF}`);
  if (ciphertext.length !== 32) throw refused(t`it has ${ciphertext.length} bytes, but a signing key has 32`);
  if (mac.length !== 32) throw refused(t`its mac has ${mac.length} bytes, not 32`);
  return { address: addressOf(file.address), derivation: derivationOf(crypto), iv, ciphertext, mac };
}

/**
 * Opens a keystore. The key must belong to the address in the file.
 *
 * @throws {ChainError} `KEYSTORE_PASSWORD_WRONG`, `KEYSTORE_REFUSED`
 */
export async function openKeystore(keystore: Keystore, password: string): Promise<PrivateKey> {
  // Tools encode letters such as ü in different ways.
  for (const form of new Set([password, password.normalize("NFKC")])) {
    const derived = await derive(keystore.derivation, form);
    if (!equalBytes(macOf(derived, keystore.ciphertext), keystore.mac)) continue;
    const cipher = createDecipheriv("aes-128-ctr", derived.subarray(0, HALF), keystore.iv);
    const plain = Buffer.concat([cipher.update(keystore.ciphertext), cipher.final()]);
    derived.fill(0);
    return checkedKey(plain, keystore.address);
  }
  throw new ChainError("KEYSTORE_PASSWORD_WRONG", {});
}

/**
 * Encrypts a key as a keystore file, by scrypt.
 *
 * @param cost - scrypt cost, a power of two: 8 of it are KiB of memory
 */
export async function printKeystore(key: PrivateKey, password: string, cost = USUAL_COST): Promise<string> {
  const [salt, iv] = [randomBytes(32), randomBytes(HALF)];
  // Uses the normalization that other tools and keyboards use.
  const derived = await derive({ kind: "scrypt", salt, n: cost, r: 8, p: 1 }, password.normalize("NFKC"));
  const cipher = createCipheriv("aes-128-ctr", derived.subarray(0, HALF), iv);
  const ciphertext = Buffer.concat([cipher.update(key), cipher.final()]);
  const mac = bytesToHex(macOf(derived, ciphertext));
  derived.fill(0);
  const crypto = {
    cipher: "aes-128-ctr",
    ciphertext: bytesToHex(ciphertext),
    cipherparams: { iv: bytesToHex(iv) },
    kdf: "scrypt",
    kdfparams: { dklen: DERIVED, n: cost, r: 8, p: 1, salt: bytesToHex(salt) },
    mac,
  };
  // Without 41: tools of other chains compare it with their own result.
  const address = addressOfPrivateKey(key).slice(2);
  return `${JSON.stringify({ version: 3, id: randomUUID(), address, crypto }, undefined, 2)}\n`;
}

function jsonOf(content: string): unknown {
  if (content.length > LONGEST_KEYSTORE) throw refused(t`it is too long: ${content.length} characters`);
  const json = content.replace(/^\uFEFF/, "").trim();
  if (jsonDepth(json) > 16) throw refused(t`it is nested deeper than a keystore`);
  try {
    return JSON.parse(json);
  } catch {
    throw refused(t`it is not JSON`);
  }
}

function partOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  try {
    return record(value);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw refused(t`${name} is not ${error.expected} of JSON`);
  }
}

function read<F extends Fields>(fields: F, value: unknown, part: string) {
  try {
    return object(fields)(value);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw refused(t`${part}${error.path} is not ${error.expected}`);
  }
}

function derivationOf({ kdf, kdfparams }: Readonly<Record<string, unknown>>): Derivation {
  const named = String(kdf).toLowerCase();
  if (named === "scrypt") {
    const { salt, n, r, p, dklen } = read(scryptFields, kdfparams, "kdfparams");
    requireLength(dklen);
    if (n < 2 || (n & (n - 1)) !== 0 || n > MOST_WORK)
      throw refused(t`its scrypt parameter n is not a supported power of two`);
    if (r < 1 || p < 1) throw refused(t`its scrypt parameters r and p must be 1 or more`);
    const tooMuch = 128 * n * r > MOST_MEMORY || n * r * p > MOST_WORK;
    if (tooMuch) throw refused(t`its scrypt parameters need too much memory or time`);
    return { kind: "scrypt", salt, n, r, p };
  }
  if (named === "pbkdf2") {
    const { salt, c, prf, dklen } = read(pbkdf2Fields, kdfparams, "kdfparams");
    requireLength(dklen);
    if (prf !== "hmac-sha256") throw refused(t`its prf for pbkdf2 is not hmac-sha256, the only supported one`);
    if (c < 1 || c > MOST_ROUNDS) throw refused(t`its pbkdf2 must have 1 to ${MOST_ROUNDS} rounds`);
    return { kind: "pbkdf2", salt, rounds: c };
  }
  throw refused(t`its kdf is neither scrypt nor pbkdf2`);
}

function requireLength(dklen: number): void {
  if (dklen !== DERIVED) throw refused(t`its dklen is ${dklen}, not ${DERIVED}`);
}

/** Reads the common forms: 40 digits of Ethereum, 42 digits beginning with 41, or T…. */
function addressOf(value: unknown): Address | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  try {
    return parseAnyAddress(text(value));
  } catch {
    throw refused(t`its address is not valid`);
  }
}

const scryptBytes = promisify<string, Uint8Array, number, object, Buffer>(scrypt);
const pbkdf2Bytes = promisify(pbkdf2);

async function derive(derivation: Derivation, password: string): Promise<Uint8Array> {
  const { salt } = derivation;
  if (derivation.kind === "pbkdf2") return await pbkdf2Bytes(password, salt, derivation.rounds, DERIVED, "sha256");
  const { n, r, p } = derivation;
  return await scryptBytes(password, salt, DERIVED, { N: n, r, p, maxmem: 128 * r * (n + p) + 32 * MIB });
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  return keccak_256(Buffer.concat([derived.subarray(HALF, DERIVED), ciphertext]));
}

function checkedKey(plain: Buffer, address: Address | undefined): PrivateKey {
  const key = parsePrivateKey(plain.toString("hex"));
  plain.fill(0);
  const found = addressOfPrivateKey(key);
  if (address === undefined || address === found) return key;
  key.fill(0);
  throw refused(t`it names the address ${toBase58(address)}, but its key belongs to ${toBase58(found)}`);
}

function refused(reason: string): ChainError {
  return new ChainError("KEYSTORE_REFUSED", { reason });
}
