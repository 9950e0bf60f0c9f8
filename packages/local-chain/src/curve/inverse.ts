/** Doubles hold numbers of so many bits and a few more, and divide them without a rounding that could be seen. */
const LEADING_BITS = 50;
const SMALL = 2n ** BigInt(LEADING_BITS);

/**
 * The inverse of a number modulo a prime, by Euclid's algorithm in Lehmer's way: most of its steps are made on leading
 * digits, and many of them change the whole numbers at once.
 *
 * @param value - above 0 and below the prime
 */
export function inverse(value: bigint, prime: bigint): bigint {
  let larger = prime;
  let smaller = value;
  // How often the value is in each of them, modulo the prime.
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

/** What steps make of two numbers: a and b times them, and c and d times them. */
interface Steps {
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
  readonly d: bigint;
}

function oneStep(larger: bigint, smaller: bigint): Steps {
  return { a: 0n, b: 1n, c: 1n, d: -(larger / smaller) };
}

/** As many steps as the leading digits are sure of (Knuth, The Art of Computer Programming, 4.5.2, algorithm L). */
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
