import { createHmac, randomBytes } from "node:crypto";
import { type Address, bytesToHex, type TxId } from "@finality/tron/primitives";
import { addressOfHash, type PrivateKey } from "@finality/tron/transaction";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type CurvePoint, inverse, PointSums } from "./point-sums.ts";

const { Fn, Fp } = secp256k1.Point;
const { ORDER } = Fn;

let created: PointSums | undefined;

/** Sums whose generator table all chains of the process share. */
function pointSums(): PointSums {
  created ??= new PointSums();
  return created;
}

/** Returns a new random key. */
export function newDevelopmentKey(): PrivateKey {
  const key = new Uint8Array(randomBytes(32));
  return Fn.isValidNot0(numberOf(key)) ? (key as PrivateKey) : newDevelopmentKey();
}

/** Returns the account of a key, as `addressOfPrivateKey` does, without its slow start. */
export function accountOf(key: PrivateKey): Address {
  return accountOfPoint(publicKeyOf(key));
}

function publicKeyOf(key: Uint8Array): CurvePoint {
  const point = pointSums().sum([[pointSums().generator, numberOf(key)]]);
  if (point === undefined) throw new RangeError("A private key is not 0.");
  return point;
}

/** Returns the 33 bytes of the public key of a key. */
export function compressedPublicKey(key: Uint8Array): Uint8Array {
  const { x, y } = publicKeyOf(key);
  return Uint8Array.of(2 + Number(y & 1n), ...bytesOf(x));
}

export function accountOfPoint({ x, y }: CurvePoint): Address {
  return addressOfHash(bytesOf(x), bytesOf(y));
}

/**
 * Recovers the public key of a signature: Q = r⁻¹(sR − zG), with the point R that r and the recovery byte name.
 *
 * @param normalised - r, s, and the recovery byte from 0 to 3
 * @returns undefined for an invalid signature, and for special cases of `PointSums.sum`
 */
export function recoverPoint(id: TxId, normalised: Uint8Array): CurvePoint | undefined {
  const r = numberOf(normalised.subarray(0, 32));
  const s = numberOf(normalised.subarray(32, 64));
  const recovery = normalised[64] ?? 0;
  if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return undefined;
  const x = (recovery & 2) === 0 ? r : r + ORDER;
  const sums = pointSums();
  const point = x < Fp.ORDER ? sums.pointWith(x, (recovery & 1) === 1) : undefined;
  if (point === undefined) return undefined;
  const overR = inverse(r, ORDER);
  const hash = Fn.create(BigInt(`0x${id}`));
  return sums.sum([[sums.generator, Fn.mul(Fn.neg(hash), overR)]], [point, Fn.mul(s, overR)]);
}

/**
 * Signs a hash, as `signTransactionId` does, with keys that protect nothing: its duration depends on the key.
 *
 * @returns r, s, and the recovery byte 0 or 1
 */
export function signWithDevelopmentKey(id: TxId, key: PrivateKey): Uint8Array {
  const sums = pointSums();
  const [hash, secret] = [Fn.create(BigInt(`0x${id}`)), numberOf(key)];
  for (const nonce of nonces(bytesOf(hash), key)) {
    const point = sums.sum([[sums.generator, nonce]]);
    const r = point === undefined ? 0n : Fn.create(point.x);
    if (point === undefined || r === 0n) continue;
    const s = Fn.mul(inverse(nonce, ORDER), Fn.create(hash + r * secret));
    if (s === 0n) continue;
    const high = s > ORDER >> 1n;
    const recovery = (point.x === r ? 0 : 2) + Number(((point.y & 1n) === 1n) !== high);
    return Uint8Array.of(...bytesOf(r), ...bytesOf(high ? ORDER - s : s), recovery);
  }
  throw new RangeError("There is no nonce.");
}

/** Yields the nonces of RFC 6979 for SHA-256. */
function* nonces(hash: Uint8Array, key: Uint8Array): Generator<bigint> {
  let mac: Uint8Array = new Uint8Array(32);
  let state: Uint8Array = new Uint8Array(32).fill(1);
  const advance = (...parts: readonly Uint8Array[]): void => {
    mac = hmac(mac, state, ...parts);
    state = hmac(mac, state);
  };
  advance(Uint8Array.of(0), key, hash);
  advance(Uint8Array.of(1), key, hash);
  for (;;) {
    state = hmac(mac, state);
    const nonce = numberOf(state);
    if (Fn.isValidNot0(nonce)) yield nonce;
    advance(Uint8Array.of(0));
  }
}

function hmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  return createHmac("sha256", key).update(Buffer.concat(parts)).digest();
}

function bytesOf(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes)}`);
}
