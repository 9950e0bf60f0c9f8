import { normalizeZ } from "@noble/curves/abstract/curve.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Address } from "../../core/primitives/address.ts";
import { bytesToHex, hexToBytes, type TxId } from "../../core/primitives/bytes.ts";

const { Point } = secp256k1;
const { Fn } = Point;

/** From this signature on a signer has a table. It costs as much as thirty recoveries, and 500 kB. */
const WORTH_A_TABLE = 16;
const TABLES = 32;

/**
 * Recognises who signs often, at a fraction of what recovery costs.
 *
 * Recovery computes Q = r⁻¹(sR − zG) from the point R that r and the recovery byte name. For a Q that is known the
 * equation can be turned round: when (z/s)G + (r/s)Q is the very point R, recovery gives Q and nothing else. Both
 * products have tables then.
 */
export class KnownSigners {
  readonly #seen = new Map<Address, number>();
  readonly #tables = new Map<Address, PointTable>();
  #generator: PointTable | undefined;

  /** Whether recovery would give this signer; false as well when nothing is known of it. */
  recognises(signer: Address, id: TxId, normalised: Uint8Array): boolean {
    const key = this.#tables.get(signer);
    if (key === undefined) return false;
    const [r, s] = [normalised.subarray(0, 32), normalised.subarray(32, 64)].map(numberOf);
    if (r === undefined || s === undefined || !Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return false;
    const inverse = Fn.inv(s);
    const z = Fn.create(numberOf(hexToBytes(id)));
    this.#generator ??= pointTable(Point.BASE);
    const point = sumOfProducts([
      [this.#generator, Fn.mul(z, inverse)],
      [key, Fn.mul(r, inverse)],
    ]);
    return point !== undefined && isNamed(point, r, normalised[64] ?? 0);
  }

  /** Takes note of a recovery. */
  note(signer: Address, id: TxId, normalised: Uint8Array): void {
    const count = (this.#seen.get(signer) ?? 0) + 1;
    this.#seen.set(signer, count);
    if (count !== WORTH_A_TABLE) return;
    if (this.#tables.size >= TABLES) this.#forget();
    const recovered = Uint8Array.of(normalised[64] ?? 0, ...normalised.subarray(0, 64));
    const key = secp256k1.Signature.fromBytes(recovered, "recovered").recoverPublicKey(hexToBytes(id));
    this.#tables.set(signer, pointTable(key));
  }

  #forget(): void {
    this.#tables.clear();
    this.#seen.clear();
  }
}

/** Whether r and the recovery byte name this point: its x may be r or r + n, and one bit tells the parity of y. */
function isNamed({ x, y }: { x: bigint; y: bigint }, r: bigint, recovery: number): boolean {
  return x === ((recovery & 2) === 0 ? r : r + Fn.ORDER) && (y & 1n) === BigInt(recovery & 1);
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes)}`);
}

const { Fp } = Point;
const P = Fp.ORDER;
/** The field's prime is 2^256 less this. */
const COMPLEMENT = 2n ** 256n - P;
const WINDOW = 8;
const WINDOWS = Math.ceil(257 / WINDOW);
/** A digit is from -127 to 128, so half of the multiples are enough. */
const HALF = 2 ** (WINDOW - 1);
const MASK = 2n ** BigInt(WINDOW) - 1n;

export type CurvePoint = InstanceType<typeof Point>;

/** 1 to 128 times a point, the same of 256 times it, and so on: x and y in turn. 500 kB. */
type PointTable = readonly bigint[];

/** A point as X/Z², Y/Z³, each of them any number of its class: see `fold`. */
interface Jacobian {
  x: bigint;
  y: bigint;
  /** 0 when a special case of addition was met: what the sum is then unknown. */
  z: bigint;
}

function pointTable(point: CurvePoint): PointTable {
  const points: CurvePoint[] = [];
  let base = point;
  for (let window = 0; window < WINDOWS; window += 1) {
    let multiple = base;
    for (let times = 1; times <= HALF; times += 1) {
      points.push(multiple);
      if (times < HALF) multiple = multiple.add(base);
    }
    base = multiple.double();
  }
  return normalizeZ(Point, points).flatMap(({ x, y }) => [x, y]);
}

/**
 * The sum of products, each of a point with a scalar below the curve's order. It takes half the time of complete
 * formulas.
 *
 * @returns undefined for nothing, and when the sum meets a special case, such as a point and itself
 */
function sumOfProducts(
  terms: readonly (readonly [PointTable, bigint])[],
): { readonly x: bigint; readonly y: bigint } | undefined {
  const sum: Jacobian = { x: 0n, y: 0n, z: 0n };
  let empty = true;
  for (const [table, scalar] of terms) {
    for (const [window, digit] of digitsOf(scalar).entries()) {
      if (digit === 0) continue;
      const at = 2 * (window * HALF + Math.abs(digit) - 1);
      const [x = 0n, y = 0n] = [table[at], table[at + 1]];
      const signed = digit < 0 ? P - y : y;
      if (empty) Object.assign(sum, { x, y: signed, z: 1n });
      else addAffine(sum, x, signed);
      empty = false;
    }
  }
  return toAffine(sum);
}

/** The scalar in base 256 with signed digits, the lowest first. */
function digitsOf(scalar: bigint): readonly number[] {
  const digits: number[] = [];
  let rest = scalar;
  let carry = 0;
  for (let window = 0; window < WINDOWS; window += 1) {
    const digit = Number(rest & MASK) + carry;
    carry = digit > HALF ? 1 : 0;
    digits.push(carry === 1 ? digit - 2 * HALF : digit);
    rest >>= BigInt(WINDOW);
  }
  return digits;
}

/**
 * A shorter number of the same class modulo the prime: what stands above 256 bits counts 2^256 times less, and the
 * complement times more. It is 34 bits longer than 256 at most for a product of two that are not longer, and a third
 * of the price of a remainder.
 */
function fold(value: bigint): bigint {
  return BigInt.asUintN(256, value) + (value >> 256n) * COMPLEMENT;
}

/** A number of the same class of hardly more than 256 bits, for one of up to 650. */
function reduce(value: bigint): bigint {
  return fold(fold(value));
}

/** Mixed addition of Jacobian and affine coordinates. Once z is in the class of 0 it stays so. */
function addAffine(sum: Jacobian, x: bigint, y: bigint): void {
  const zz = reduce(sum.z * sum.z);
  const h = fold(x * zz) - sum.x;
  const slope = fold(y * fold(sum.z * zz)) - sum.y;
  const hh = reduce(h * h);
  const hhh = fold(h * hh);
  const v = fold(sum.x * hh);
  sum.x = reduce(slope * slope - hhh - 2n * v);
  sum.y = reduce(slope * (v - sum.x) - sum.y * hhh);
  sum.z = reduce(sum.z * h);
}

function toAffine(sum: Jacobian): { x: bigint; y: bigint } | undefined {
  const z = Fp.create(sum.z);
  if (z === 0n) return undefined;
  const inverse = Fp.inv(z);
  const square = Fp.sqr(inverse);
  return { x: Fp.mul(Fp.create(sum.x), square), y: Fp.mul(Fp.create(sum.y), Fp.mul(square, inverse)) };
}
