import { randomBytes } from "node:crypto";
import { jubjub, jubjub_findGroupHash, jubjub_groupHash } from "@noble/curves/misc.js";
import { blake2b, blake2s } from "@noble/hashes/blake2.js";

/**
 * The keys of shielded addresses: those of Zcash's Sapling (protocol specification §4.2.2), on the curve Jubjub, with
 * one personalization of TRON's own. All numbers are in little-endian order.
 */

type Point = typeof jubjub.Point.BASE;

const { ORDER } = jubjub.Point.Fn;
const KEY_LENGTH = 32;
const DIVERSIFIER_LENGTH = 11;
/** A viewing key is a number below 2^251. */
const TOP_BITS = 0b111;

/** What a spending key stands for. */
export interface ExpandedKey {
  readonly ask: Uint8Array;
  readonly nsk: Uint8Array;
  readonly ovk: Uint8Array;
}

export function expandedKey(spendingKey: Uint8Array): ExpandedKey {
  const derived = (index: number): Uint8Array =>
    blake2b(Uint8Array.of(...spendingKey, index), { personalization: ascii("Ztron_ExpandSeed") });
  return {
    ask: scalarBytes(numberOf(derived(0))),
    nsk: scalarBytes(numberOf(derived(1))),
    ovk: derived(2).subarray(0, KEY_LENGTH),
  };
}

/** The public key of the one that authorizes spending. */
export function authorizingKey(ask: Uint8Array): Uint8Array {
  return times(spendingBase(), numberOf(ask)).toBytes();
}

/** The public key of the one by which notes are spent. */
export function nullifierKey(nsk: Uint8Array): Uint8Array {
  return times(generator("Zcash_H_"), numberOf(nsk)).toBytes();
}

export function incomingViewingKey(ak: Uint8Array, nk: Uint8Array): Uint8Array {
  const key = blake2s(Uint8Array.of(...ak, ...nk), { personalization: ascii("Zcashivk") });
  key[KEY_LENGTH - 1] = (key[KEY_LENGTH - 1] ?? 0) & TOP_BITS;
  return key;
}

/** The public key behind an address; undefined for a diversifier that has none, which are half of them. */
export function transmissionKey(ivk: Uint8Array, diversifier: Uint8Array): Uint8Array | undefined {
  const base = diversifiedBase(diversifier);
  return base && times(base, numberOf(ivk)).toBytes();
}

export function randomDiversifier(): Uint8Array {
  for (;;) {
    const diversifier = new Uint8Array(randomBytes(DIVERSIFIER_LENGTH));
    if (diversifiedBase(diversifier) !== undefined) return diversifier;
  }
}

/** 32 random bytes. */
export function randomKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_LENGTH));
}

/** A random number of the curve's group. */
export function randomScalar(): Uint8Array {
  return scalarBytes(numberOf(randomBytes(2 * KEY_LENGTH)));
}

/** Authorizes the spending of a note: a signature of RedJubjub with a key that alpha has changed. */
export function spendSignature(ask: Uint8Array, alpha: Uint8Array, hash: Uint8Array): Uint8Array {
  const key = (numberOf(ask) + numberOf(alpha)) % ORDER;
  const publicKey = times(spendingBase(), key).toBytes();
  const message = Uint8Array.of(...publicKey, ...hash);
  const nonce = challenge(randomBytes(80), message);
  const commitment = times(spendingBase(), nonce).toBytes();
  return Uint8Array.of(...commitment, ...scalarBytes(nonce + challenge(commitment, message) * key));
}

function challenge(...parts: readonly Uint8Array[]): bigint {
  return numberOf(blake2b(Buffer.concat(parts), { personalization: ascii("Zcash_RedJubjubH") })) % ORDER;
}

function spendingBase(): Point {
  return generator("Zcash_G_");
}

function generator(personalization: string): Point {
  return jubjub_findGroupHash(new Uint8Array(), ascii(personalization));
}

function diversifiedBase(diversifier: Uint8Array): Point | undefined {
  try {
    return jubjub_groupHash(diversifier, ascii("Zcash_gd"));
  } catch {
    return undefined;
  }
}

/** The library refuses to multiply by 0. */
function times(point: Point, factor: bigint): Point {
  const scalar = factor % ORDER;
  return scalar === 0n ? jubjub.Point.ZERO : point.multiply(scalar);
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).reverse().toString("hex")}`);
}

function scalarBytes(number: bigint): Uint8Array {
  const digits = (number % ORDER).toString(16).padStart(2 * KEY_LENGTH, "0");
  return new Uint8Array(Buffer.from(digits, "hex").reverse());
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_LENGTH = 6;

/** Bytes as text with a prefix and a checksum (BIP 173). */
export function bech32(prefix: string, bytes: Uint8Array): string {
  const bits = [...bytes].map((it) => it.toString(2).padStart(8, "0")).join("");
  const words = (bits.match(/.{1,5}/g) ?? []).map((it) => Number.parseInt(it.padEnd(5, "0"), 2));
  const codes = [...prefix].map((it) => it.charCodeAt(0));
  const head = [...codes.map((it) => it >> 5), 0, ...codes.map((it) => it & 31)];
  const sum = polymod([...head, ...words, ...new Array<number>(CHECKSUM_LENGTH).fill(0)]) ^ 1;
  const checksum = Array.from({ length: CHECKSUM_LENGTH }, (_, index) => (sum >> (5 * (5 - index))) & 31);
  return `${prefix}1${[...words, ...checksum].map((it) => CHARSET[it]).join("")}`;
}

function polymod(words: readonly number[]): number {
  return words.reduce((sum, word) => {
    const top = sum >> 25;
    const next = ((sum & 0x1ffffff) << 5) ^ word;
    return GENERATORS.reduce((value, generator, index) => ((top >> index) & 1 ? value ^ generator : value), next);
  }, 1);
}
