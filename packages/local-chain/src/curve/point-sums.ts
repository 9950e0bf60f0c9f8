import { secp256k1 } from "@noble/curves/secp256k1.js";
import { DIGIT_BITS, DIGITS, NUMBER_BYTES, PLACES } from "./field-arithmetic.ts";
import { fieldModule } from "./field-module.ts";

const { Point } = secp256k1;
const { Fp } = Point;

/** Affine coordinates. */
export interface CurvePoint {
  readonly x: bigint;
  readonly y: bigint;
}

/** Address of the multiples of a point: see `PointSums.keep`. */
export type PointTable = number & { readonly brand: "PointTable" };

const SCALAR_BITS = 256;
/** Width of the digits of a scalar in tables. Wider ones make sums faster and tables dearer. */
const TABLE_BITS = 6;
const HALF = 2 ** (TABLE_BITS - 1);
/** One more than full digits, for the last bits and a carry. */
const WINDOWS = Math.floor(SCALAR_BITS / TABLE_BITS) + 1;
/** Width of the digits of a scalar whose point has no table. */
const SINGLE_BITS = 4;
const POINT_BYTES = 2 * NUMBER_BYTES;
/** The point behind the last one is computed too. */
const TABLE_BYTES = (WINDOWS * HALF + 1) * POINT_BYTES;
const PAGE_BYTES = 65_536;
const WORDS = 8;
const DIGIT_MASK = 2 ** DIGIT_BITS - 1;
const TWO_DIGITS = BigInt(2 * DIGIT_BITS);

/** Memory for the factors of a batch of points, which begin with 1, and for the multiples of a point without table. */
const FACTORS = PLACES.free;
const SINGLE = FACTORS + NUMBER_BYTES + HALF * POINT_BYTES;
const TABLES = SINGLE + (2 ** (SINGLE_BITS - 1) + 1) * POINT_BYTES;

let assembled: WebAssembly.Module | undefined;

/** Exports of the module. */
interface FieldFunctions {
  add(point: number, negative: number): void;
  double(): void;
  subtract(target: number, left: number, right: number): void;
  affine(): void;
  invert(): void;
  root(): void;
  store(point: number, factors: number): void;
  normalise(point: number, factors: number): void;
}

/**
 * Sums of scalar products of points, with tables for points that are used often. The WebAssembly takes a quarter of the
 * time of bigints, and creates no garbage.
 */
export class PointSums {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #code: FieldFunctions;
  #tables = 0;
  readonly generator: PointTable;

  constructor() {
    assembled ??= new WebAssembly.Module(fieldModule());
    const { exports } = new WebAssembly.Instance(assembled, { env: { memory: this.#memory } });
    this.#code = exports as unknown as FieldFunctions;
    write(new Uint32Array(this.#memory.buffer), FACTORS, 1n);
    this.generator = this.keep(Point.BASE);
  }

  /** Creates the table of a point: 1 to 32 times the point, the same of 64 times the point, and so on. 110 kB. */
  keep(point: CurvePoint): PointTable {
    const start = TABLES + this.#tables * TABLE_BYTES;
    const missing = start + TABLE_BYTES - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#tables += 1;
    this.#writePoint(start, point);
    for (let window = 0; window < WINDOWS; window += 1) this.#multiply(start + window * HALF * POINT_BYTES, HALF, true);
    return start as PointTable;
  }

  /** Drops all tables except the generator's, and reuses their memory. */
  forget(): void {
    this.#tables = 1;
  }

  /**
   * Returns the sum of products, each with a scalar below the curve's order.
   *
   * @param single - product of a point without table
   * @returns undefined if it is zero, and for special cases such as a point plus itself
   */
  sum(
    terms: readonly (readonly [PointTable, bigint])[],
    single?: readonly [CurvePoint, bigint],
  ): CurvePoint | undefined {
    let empty = single === undefined || !this.#beginProduct(single);
    for (const [table, scalar] of terms) {
      const digits = digitsOf(scalar, TABLE_BITS);
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

  /** Returns the point with this x and an even or odd y; undefined if there is none. */
  pointWith(x: bigint, odd: boolean): CurvePoint | undefined {
    const square = Fp.create(x * x * x + 7n);
    const numbers = new Uint32Array(this.#memory.buffer);
    write(numbers, PLACES.z, square);
    this.#code.root();
    const y = Fp.create(read(numbers, PLACES.power));
    if (Fp.create(y * y) !== square) return undefined;
    return { x, y: ((y & 1n) === 1n) === odd ? y : Fp.ORDER - y };
  }

  /** Computes a product from its highest digit down. @returns false if the scalar is 0 */
  #beginProduct([point, scalar]: readonly [CurvePoint, bigint]): boolean {
    this.#writePoint(SINGLE, point);
    this.#multiply(SINGLE, 2 ** (SINGLE_BITS - 1), false);
    const digits = digitsOf(scalar, SINGLE_BITS);
    let empty = true;
    for (let index = digits.length - 1; index >= 0; index -= 1) {
      for (let doublings = 0; doublings < SINGLE_BITS && !empty; doublings += 1) this.#code.double();
      const digit = digits[index] ?? 0;
      if (digit === 0) continue;
      const multiple = SINGLE + (Math.abs(digit) - 1) * POINT_BYTES;
      if (empty) this.#begin(multiple, digit < 0);
      else this.#code.add(multiple, digit < 0 ? 1 : 0);
      empty = false;
    }
    return !empty;
  }

  /**
   * Writes multiples of a point behind it, from twice to so many times.
   *
   * @param twice - the point behind is twice the last one, with which the next window begins
   */
  #multiply(base: number, count: number, twice: boolean): void {
    const code = this.#code;
    this.#begin(base, false);
    let factors = FACTORS + NUMBER_BYTES;
    let point = base;
    const end = base + (twice ? count : count - 1) * POINT_BYTES;
    while (point < end) {
      if (point === base || point === base + (count - 1) * POINT_BYTES) code.double();
      else code.add(base, 0);
      point += POINT_BYTES;
      code.store(point, factors);
      factors += POINT_BYTES;
    }
    // The inversion takes Z from where it is.
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.copyWithin(PLACES.z, factors - NUMBER_BYTES, factors);
    code.invert();
    for (; point > base; point -= POINT_BYTES) {
      factors -= POINT_BYTES;
      code.normalise(point, factors);
    }
  }

  #writePoint(at: number, { x, y }: CurvePoint): void {
    const numbers = new Uint32Array(this.#memory.buffer);
    write(numbers, at, x);
    write(numbers, at + NUMBER_BYTES, y);
  }

  #begin(point: number, negative: boolean): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.copyWithin(PLACES.x, point, point + POINT_BYTES);
    if (negative) this.#code.subtract(PLACES.y, PLACES.zero, PLACES.y);
    bytes.fill(0, PLACES.z, PLACES.z + NUMBER_BYTES);
    bytes[PLACES.z] = 1;
  }

  #affineSum(): CurvePoint | undefined {
    this.#code.affine();
    const numbers = new Uint32Array(this.#memory.buffer);
    const x = Fp.create(read(numbers, PLACES.x));
    const y = Fp.create(read(numbers, PLACES.y));
    return x === 0n && y === 0n ? undefined : { x, y };
  }
}

/** Returns a scalar with signed digits of some bits, lowest first. */
function digitsOf(scalar: bigint, bits: number): Int16Array {
  const words = wordsOf(scalar);
  const digits = new Int16Array(Math.floor(SCALAR_BITS / bits) + 1);
  const base = 2 ** bits;
  let carry = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = (bitsAt(words, index * bits) & (base - 1)) + carry;
    carry = digit > base / 2 ? 1 : 0;
    digits[index] = carry === 1 ? digit - base : digit;
  }
  return digits;
}

/** Memory for the words of one number. Destructured arrays would be most of the garbage of a transaction here. */
const LONGS = new BigUint64Array(WORDS / 2 + 1);
const LONG_WORDS = new Uint32Array(LONGS.buffer);

/** Returns the 256 bits of a number as words, lowest first, and empty words. The next call overwrites them. */
function wordsOf(value: bigint): Uint32Array {
  LONGS[0] = value;
  LONGS[1] = value >> 64n;
  LONGS[2] = value >> 128n;
  LONGS[3] = value >> 192n;
  return LONG_WORDS;
}

/** Returns the 32 bits that begin at a bit. */
function bitsAt(words: Uint32Array, bit: number): number {
  const word = bit >>> 5;
  const shift = bit & 31;
  const own = words[word] ?? 0;
  return shift === 0 ? own : (own >>> shift) | ((words[word + 1] ?? 0) << (32 - shift));
}

/** Writes a number of at most 256 bits. @param at - in bytes */
function write(numbers: Uint32Array, at: number, value: bigint): void {
  const words = wordsOf(value);
  for (let digit = 0; digit < DIGITS; digit += 1) {
    numbers[at / 4 + digit] = bitsAt(words, digit * DIGIT_BITS) & DIGIT_MASK;
  }
}

/** Reads a number, which may be unreduced. Two digits at a time are exact as a double. */
function read(numbers: Uint32Array, at: number): bigint {
  let value = 0n;
  for (let digit = DIGITS - 2; digit >= 0; digit -= 2) {
    const low = numbers[at / 4 + digit] ?? 0;
    const high = numbers[at / 4 + digit + 1] ?? 0;
    value = (value << TWO_DIGITS) + BigInt(low + high * 2 ** DIGIT_BITS);
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
    const nextC = a - quotient * c;
    const nextD = b - quotient * d;
    const rest = left - quotient * right;
    a = c;
    b = d;
    c = nextC;
    d = nextD;
    left = right;
    right = rest;
  }
  return b === 0 ? oneStep(larger, smaller) : { a: BigInt(a), b: BigInt(b), c: BigInt(c), d: BigInt(d) };
}
