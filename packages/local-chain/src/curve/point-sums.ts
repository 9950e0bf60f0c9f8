import { normalizeZ } from "@noble/curves/abstract/curve.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { DIGIT_BITS, DIGITS, fieldCode, NUMBER_BYTES, PLACES, wasmModule } from "./field-arithmetic.ts";

const { Point } = secp256k1;
const { Fp } = Point;

type CurvePoint = InstanceType<typeof Point>;

/** Address of the multiples of a point: see `PointSums.keep`. */
export type PointTable = number & { readonly brand: "PointTable" };

const SCALAR_BYTES = 32;
/** One window for each byte of a scalar, and one for the last carry. */
const WINDOWS = SCALAR_BYTES + 1;
/** Digits are from -127 to 128, so half of the multiples suffice. */
const HALF = 128;
const POINT_BYTES = 2 * NUMBER_BYTES;
const TABLE_BYTES = WINDOWS * HALF * POINT_BYTES;
const PAGE_BYTES = 65_536;
const WORDS = 8;
const DIGIT_MASK = 2 ** DIGIT_BITS - 1;

/** Exports of the module. */
interface FieldFunctions {
  add(point: number, negative: number): void;
  subtract(target: number, left: number, right: number): void;
  affine(): void;
}

/**
 * Sums of scalar products of points with tables. The WebAssembly takes a quarter of the time of bigints, and creates no
 * garbage.
 */
export class PointSums {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #code: FieldFunctions;
  #tables = 0;
  readonly generator: PointTable;

  constructor() {
    const module = new WebAssembly.Module(wasmModule(fieldCode()));
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.#code = exports as FieldFunctions;
    this.generator = this.keep(Point.BASE);
  }

  /** Creates the table of a point: 1 to 128 times the point, the same of 256 times the point, and so on. 340 kB. */
  keep(point: CurvePoint): PointTable {
    const start = PLACES.free + this.#tables * TABLE_BYTES;
    const missing = start + TABLE_BYTES - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#tables += 1;
    const numbers = new Uint32Array(this.#memory.buffer);
    for (const [index, { x, y }] of multiplesOf(point).entries()) {
      write(numbers, start + index * POINT_BYTES, x);
      write(numbers, start + index * POINT_BYTES + NUMBER_BYTES, y);
    }
    return start as PointTable;
  }

  /** Drops all tables except the generator's, and reuses their memory. */
  forget(): void {
    this.#tables = 1;
  }

  /**
   * Returns the sum of products, each with a scalar below the curve's order.
   *
   * @returns undefined without terms, and for special cases such as a point plus itself
   */
  sum(terms: readonly (readonly [PointTable, bigint])[]): { readonly x: bigint; readonly y: bigint } | undefined {
    let empty = true;
    for (const [table, scalar] of terms) {
      const digits = digitsOf(scalar);
      for (let window = 0; window < WINDOWS; window += 1) {
        const digit = digits[window] ?? 0;
        if (digit === 0) continue;
        const point = table + (window * HALF + Math.abs(digit) - 1) * POINT_BYTES;
        if (empty) this.#begin(point, digit < 0);
        else this.#code.add(point, digit < 0 ? 1 : 0);
        empty = false;
      }
    }
    return empty ? undefined : this.#affineSum();
  }

  #begin(point: number, negative: boolean): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.copyWithin(PLACES.x, point, point + POINT_BYTES);
    if (negative) this.#code.subtract(PLACES.y, PLACES.zero, PLACES.y);
    bytes.fill(0, PLACES.z, PLACES.z + NUMBER_BYTES);
    bytes[PLACES.z] = 1;
  }

  #affineSum(): { readonly x: bigint; readonly y: bigint } | undefined {
    this.#code.affine();
    const numbers = new Uint32Array(this.#memory.buffer);
    const [x, y] = [Fp.create(read(numbers, PLACES.x)), Fp.create(read(numbers, PLACES.y))];
    return x === 0n && y === 0n ? undefined : { x, y };
  }
}

/** Returns the multiples of a point in table order. */
function multiplesOf(point: CurvePoint): readonly CurvePoint[] {
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
  return normalizeZ(Point, points);
}

/** Returns a scalar in base 256 with signed digits, lowest first. */
function digitsOf(scalar: bigint): Int16Array {
  const bytes = Buffer.from(scalar.toString(16).padStart(2 * SCALAR_BYTES, "0"), "hex").reverse();
  const digits = new Int16Array(WINDOWS);
  let carry = 0;
  for (let window = 0; window < WINDOWS; window += 1) {
    const digit = (bytes[window] ?? 0) + carry;
    carry = digit > HALF ? 1 : 0;
    digits[window] = carry === 1 ? digit - 2 * HALF : digit;
  }
  return digits;
}

/** Writes a number of at most 256 bits. @param at - in bytes */
function write(numbers: Uint32Array, at: number, value: bigint): void {
  const words = new Uint32Array(WORDS + 1);
  for (let word = 0, rest = value; word < WORDS; word += 1, rest >>= 32n) words[word] = Number(rest & 0xffff_ffffn);
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const [word, shift] = [(digit * DIGIT_BITS) >>> 5, (digit * DIGIT_BITS) & 31];
    const [own = 0, next = 0] = [words[word], words[word + 1]];
    const bits = shift === 0 ? own : (own >>> shift) | (next << (32 - shift));
    numbers[at / 4 + digit] = bits & DIGIT_MASK;
  }
}

/** Reads a number, which may be unreduced. Two digits at a time are exact as a double. */
function read(numbers: Uint32Array, at: number): bigint {
  let value = 0n;
  for (let digit = DIGITS - 2; digit >= 0; digit -= 2) {
    const [low = 0, high = 0] = [numbers[at / 4 + digit], numbers[at / 4 + digit + 1]];
    value = (value << BigInt(2 * DIGIT_BITS)) + BigInt(low + high * 2 ** DIGIT_BITS);
  }
  return value;
}

/** Bits of the leading digits, which doubles divide without visible rounding. */
const LEADING_BITS = 50;
const SMALL = 2n ** BigInt(LEADING_BITS);

/**
 * Returns the inverse modulo a prime with Lehmer's variant of Euclid's algorithm: most steps work on leading digits,
 * and are applied to the whole numbers at once.
 *
 * @param value - above 0 and below the prime
 */
export function inverse(value: bigint, prime: bigint): bigint {
  let larger = prime;
  let smaller = value;
  // Coefficients of the value, modulo the prime.
  let inLarger = 0n;
  let inSmaller = 1n;
  while (smaller !== 0n) {
    const { a, b, c, d } = smaller < SMALL ? oneStep(larger, smaller) : leadingSteps(larger, smaller);
    const next = a * larger + b * smaller;
    smaller = c * larger + d * smaller;
    larger = next;
    const inNext = a * inLarger + b * inSmaller;
    inSmaller = c * inLarger + d * inSmaller;
    inLarger = inNext;
  }
  return inLarger < 0n ? inLarger + prime : inLarger;
}

/** Matrix of combined steps. */
interface Steps {
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
  readonly d: bigint;
}

function oneStep(larger: bigint, smaller: bigint): Steps {
  return { a: 0n, b: 1n, c: 1n, d: -(larger / smaller) };
}

/** Returns the steps that the leading digits determine (Knuth, The Art of Computer Programming, 4.5.2, algorithm L). */
function leadingSteps(larger: bigint, smaller: bigint): Steps {
  const shift = BigInt(Math.max(0, Math.floor(Math.log2(Number(larger))) - LEADING_BITS));
  let left = Number(larger >> shift);
  let right = Number(smaller >> shift);
  let a = 1;
  let b = 0;
  let c = 0;
  let d = 1;
  while (right + c !== 0 && right + d !== 0) {
    const quotient = Math.floor((left + a) / (right + c));
    if (quotient !== Math.floor((left + b) / (right + d))) break;
    const [nextC, nextD, rest] = [a - quotient * c, b - quotient * d, left - quotient * right];
    a = c;
    b = d;
    c = nextC;
    d = nextD;
    left = right;
    right = rest;
  }
  return b === 0 ? oneStep(larger, smaller) : { a: BigInt(a), b: BigInt(b), c: BigInt(c), d: BigInt(d) };
}
