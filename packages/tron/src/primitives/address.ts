import { ChainError, isChainError } from "../errors/chain-error.ts";
import { bytesToHex, equalBytes, type Hex, hexToBytes, isHexPairs, sha256, shorten, stripHexPrefix } from "./bytes.ts";

/** Account or contract: 21 bytes as 42 lower-case hex digits that begin with 41. */
export type Address = Hex & { readonly of: "Address" };

/** The same address for display: base58check, 34 characters, T…. */
export type Base58Address = string & { readonly brand: "Base58Address" };

const LENGTH = 21;
const PREFIX = 0x41;
const CHECKSUM_LENGTH = 4;

/**
 * Parses either form of an address. Hex of mixed case has a checksum in its case, as in EIP-55 and TronWeb.
 *
 * @throws {ChainError} `ADDRESS_MALFORMED` if it is no address at all, `ADDRESS_CHECKSUM_MISMATCH` for a typing error,
 *   `ADDRESS_PREFIX_UNKNOWN` for 21 bytes that do not begin with 41
 * @example
 * parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp"); // "41dd791d6b49e190062d650e6a23c575510d35f2f9"
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim();
  const digits = stripHexPrefix(trimmed);
  return isHexPairs(digits) && digits.length === 2 * LENGTH ? fromHex(digits) : fromBase58(trimmed);
}

/** Parses an address in either form; returns undefined for any other text. */
export function addressIn(text: string): Address | undefined {
  try {
    return parseAddress(text);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

/** @throws {ChainError} `ADDRESS_MALFORMED`, `ADDRESS_PREFIX_UNKNOWN` */
export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== LENGTH) throw new ChainError("ADDRESS_MALFORMED", { text: shorten(bytesToHex(bytes)) });
  if (bytes[0] !== PREFIX) throw new ChainError("ADDRESS_PREFIX_UNKNOWN", { text: bytesToHex(bytes) });
  return bytesToHex(bytes) as Address;
}

/** Returns the 21 bytes of an address, 41 first. */
export function addressToBytes(address: Address): Uint8Array {
  return hexToBytes(address);
}

/**
 * @example
 * toBase58(parseAddress("41dd791d6b49e190062d650e6a23c575510d35f2f9")); // "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp"
 */
export function toBase58(address: Address): Base58Address {
  return bytesToBase58Check(hexToBytes(address)) as Base58Address;
}

/** Base58check of any bytes: the node prints unusual lengths with it too. */
export function bytesToBase58Check(payload: Uint8Array): string {
  return encodeBase58(Uint8Array.of(...payload, ...checksum(payload)));
}

function fromHex(digits: string): Address {
  const address = addressFromBytes(hexToBytes(digits));
  if (hasRightCase(digits.slice(2))) return address;
  throw new ChainError("ADDRESS_CHECKSUM_MISMATCH", { text: digits });
}

function fromBase58(text: string): Address {
  const bytes = bytesOfBase58(text);
  const payload = bytes.subarray(0, -CHECKSUM_LENGTH);
  if (!equalBytes(bytes.subarray(-CHECKSUM_LENGTH), checksum(payload))) {
    throw new ChainError(
      bytes.length === LENGTH + CHECKSUM_LENGTH ? "ADDRESS_CHECKSUM_MISMATCH" : "ADDRESS_MALFORMED",
      {
        text: shorten(text),
      },
    );
  }
  return addressFromBytes(payload);
}

/** Longer texts are no address, and decoding them would take long. */
const LONGEST_TEXT = 128;

function bytesOfBase58(text: string): Uint8Array {
  const bytes = text.length > LONGEST_TEXT ? undefined : decodeBase58(text);
  if (bytes === undefined) throw new ChainError("ADDRESS_MALFORMED", { text: shorten(text) });
  return bytes;
}

function checksum(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_LENGTH);
}

/**
 * Base58 of addresses, without a checksum. Own code instead of a package for all bases, because it is loaded at
 * activation.
 */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Encodes bytes; each zero byte at the start is a `1`. Takes time quadratic in the length. */
function encodeBase58(bytes: Uint8Array): string {
  const digits = convert([...bytes], 256, 58);
  return ALPHABET[0]?.repeat(zerosAt(bytes)) + digits.map((digit) => ALPHABET[digit]).join("");
}

/** Decodes a text; undefined if it has a character outside base58. */
export function decodeBase58(text: string): Uint8Array | undefined {
  const digits = [...text].map((letter) => ALPHABET.indexOf(letter));
  if (digits.includes(-1)) return undefined;
  return Uint8Array.of(...new Uint8Array(zerosAt(digits)), ...convert(digits, 58, 256));
}

/** Converts a number to digits of another base, the highest one first, without leading zeros. */
function convert(digits: readonly number[], from: number, to: number): readonly number[] {
  const result: number[] = [];
  for (const digit of digits) {
    let carry = digit;
    for (let at = 0; at < result.length; at++) {
      carry += (result[at] ?? 0) * from;
      result[at] = carry % to;
      carry = Math.floor(carry / to);
    }
    for (; carry > 0; carry = Math.floor(carry / to)) result.push(carry % to);
  }
  return result.reverse();
}

function zerosAt(digits: ArrayLike<number>): number {
  let count = 0;
  while (count < digits.length && digits[count] === 0) count++;
  return count;
}

const DIGITS = 40;

/**
 * Parses an address in any form: also as the 20 bytes of tools for other chains, with or without 0x.
 *
 * @throws {ChainError} as `parseAddress`
 */
export function parseAnyAddress(text: string): Address {
  const trimmed = text.trim();
  const digits = stripHexPrefix(trimmed);
  if (digits.length !== DIGITS || !isHexPairs(digits)) return parseAddress(trimmed);
  if (hasRightCase(digits)) return parseAddress(`41${digits}`);
  throw new ChainError("ADDRESS_CHECKSUM_MISMATCH", { text: shorten(trimmed) });
}

/** Parses an address in any form; returns undefined for any other text. */
export function anyAddressIn(text: string): Address | undefined {
  try {
    return parseAnyAddress(text);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

/**
 * Returns true if the case of the 40 hex digits is the EIP-55 checksum. TronWeb's `toChecksumAddress` appends the same
 * one to 41. Digits in one case only have no checksum and pass.
 */
export function hasRightCase(digits: string): boolean {
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak256(Buffer.from(lower)).toString("hex");
  return [...digits].every((digit, at) => digit === (hash.charAt(at) > "7" ? digit.toUpperCase() : lower[at]));
}

const RATE = 136;

/**
 * Keccak-256 of less than 136 bytes. Own code instead of a package: addresses are parsed at activation, before any
 * cryptography library is loaded. Signing and key derivation use the library.
 */
export function keccak256(bytes: Uint8Array): Buffer {
  if (bytes.length >= RATE) throw new RangeError();
  const lanes = new BigUint64Array(25);
  const block = Buffer.from(lanes.buffer);
  block.set(bytes);
  block.writeUInt8(1, bytes.length);
  block.writeUInt8(block.readUInt8(RATE - 1) | 0x80, RATE - 1);
  permute(lanes);
  return block.subarray(0, 32);
}

/** Keccak-f[1600] (FIPS 202, section 3.3). Lane (x, y) is at x + 5y; the array cuts each lane to 64 bits. */
function permute(lanes: BigUint64Array): void {
  const lane = (at: number): bigint => lanes[at] ?? 0n;
  const rotated = (value: bigint, by: number): bigint => (value << BigInt(by)) | (value >> BigInt(64 - by));
  for (let round = 0, register = 1; round < 24; round++) {
    const column = lanes.slice(0, 5).map((_, x) => [5, 10, 15, 20].reduce((sum, y) => sum ^ lane(x + y), lane(x)));
    lanes.forEach((value, at) => {
      lanes[at] = value ^ (column[(at + 4) % 5] ?? 0n) ^ rotated(column[(at + 1) % 5] ?? 0n, 1);
    });
    for (let step = 0, x = 1, y = 0, moved = lane(1); step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = lane(x + 5 * y);
      lanes[x + 5 * y] = rotated(moved, (((step + 1) * (step + 2)) / 2) % 64);
      moved = next;
    }
    const before = lanes.slice();
    const inRow = (at: number, x: number): bigint => before[at - (at % 5) + ((at + x) % 5)] ?? 0n;
    before.forEach((value, at) => {
      lanes[at] = value ^ (~inRow(at, 1) & inRow(at, 2));
    });
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) lanes[0] = lane(0) ^ (1n << BigInt(2 ** bit - 1));
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  }
}
