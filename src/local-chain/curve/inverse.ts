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
  let [larger, smaller] = [prime, value];
  // How often the value is in each of them, modulo the prime.
  let [inLarger, inSmaller] = [0n, 1n];
  while (smaller !== 0n) {
    const [a, b, c, d] = smaller < SMALL ? oneStep(larger, smaller) : stepsOf(larger, smaller);
    [larger, smaller] = [a * larger + b * smaller, c * larger + d * smaller];
    [inLarger, inSmaller] = [a * inLarger + b * inSmaller, c * inLarger + d * inSmaller];
  }
  return inLarger < 0n ? inLarger + prime : inLarger;
}

/** What steps make of two numbers: a and b times them, and c and d times them. */
type Steps = readonly [a: bigint, b: bigint, c: bigint, d: bigint];

function oneStep(larger: bigint, smaller: bigint): Steps {
  return [0n, 1n, 1n, -(larger / smaller)];
}

/** As many steps as the leading digits are sure of (Knuth, The Art of Computer Programming, 4.5.2, algorithm L). */
function stepsOf(larger: bigint, smaller: bigint): Steps {
  const shift = BigInt(Math.max(0, Math.floor(Math.log2(Number(larger))) - LEADING_BITS));
  let [left, right] = [Number(larger >> shift), Number(smaller >> shift)];
  let [a, b, c, d] = [1, 0, 0, 1];
  while (right + c !== 0 && right + d !== 0) {
    const quotient = Math.floor((left + a) / (right + c));
    if (quotient !== Math.floor((left + b) / (right + d))) break;
    [a, b, c, d] = [c, d, a - quotient * c, b - quotient * d];
    [left, right] = [right, left - quotient * right];
  }
  return b === 0 ? oneStep(larger, smaller) : [BigInt(a), BigInt(b), BigInt(c), BigInt(d)];
}
