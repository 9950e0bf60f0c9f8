/**
 * Powers that equal Java's StrictMath to the last bit, which decides the result of an exchange; JavaScript's own powers
 * differ. The method and constants are those of fdlibm, which Java prescribes. Copyright (C) 2004 by Sun Microsystems,
 * Inc. All rights reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided
 * that this notice is preserved.
 */

/** A number in two parts: the head has 32 bits that are zero, so that products of heads are exact. */
interface Split {
  readonly head: number;
  readonly tail: number;
}

/**
 * @param base - at least 1
 * @param exponent - above 0, so that the result is below 2^1023
 */
export function strictPower(base: number, exponent: number): number {
  const logarithm = binaryLogarithm(base);
  const head = headOf(exponent);
  const tail = (exponent - head) * logarithm.head + exponent * logarithm.tail;
  return powerOfTwo({ head: head * logarithm.head, tail });
}

const MANTISSA = 0x000f_ffff;
const HIDDEN_BIT = 0x0010_0000;
const BIAS = 0x3ff0_0000;
/** Above these mantissas of the high word a number is nearer to 1.5, and to 2. */
const BELOW_ROOT_OF_3_HALVES = 0x3_988e;
const ROOT_OF_3 = 0xb_b67a;

/** The numbers next to which a logarithm is computed, and their binary logarithms. */
const NEAR_ONE = { point: 1, index: 0, logarithm: { head: 0, tail: 0 } };
const NEAR_THREE_HALVES = {
  point: 1.5,
  index: 1,
  logarithm: { head: 0.5849624872207642, tail: 1.350039202129749e-8 },
};
/** 2 / (3 ln 2). */
const SCALE = 0.9617966939259756;
const SCALE_HEAD = 0.9617967009544373;
const SCALE_TAIL = -7.028461650952758e-9;

function binaryLogarithm(x: number): Split {
  const high = highWord(x);
  const mantissa = high & MANTISSA;
  const nearest = mantissa > BELOW_ROOT_OF_3_HALVES && mantissa < ROOT_OF_3 ? NEAR_THREE_HALVES : NEAR_ONE;
  const halved = mantissa >= ROOT_OF_3;
  const exponent = ((high - BIAS) >> 20) + (halved ? 1 : 0);
  const reduced = withHighWord(x, (mantissa | BIAS) - (halved ? HIDDEN_BIT : 0));
  const series = logarithmSeries(reduced, nearest);
  const scaledHead = SCALE_HEAD * series.head;
  const scaledTail = SCALE_TAIL * series.head + series.tail * SCALE + nearest.logarithm.tail;
  const head = headOf(scaledHead + scaledTail + nearest.logarithm.head + exponent);
  return { head, tail: scaledTail - (head - exponent - nearest.logarithm.head - scaledHead) };
}

/** The coefficients of the series, the highest power first. */
const LOGARITHM = [
  0.20697501780033842, 0.23066074577556175, 0.272728123808534, 0.33333332981837743, 0.4285714285785502, 0.6,
];

/** 1.5 × ln(x / point), from the quotient (x − point) / (x + point). */
function logarithmSeries(x: number, { point, index }: typeof NEAR_ONE): Split {
  const difference = x - point;
  const reciprocal = 1 / (x + point);
  const quotient = difference * reciprocal;
  const head = headOf(quotient);
  const sumHead = withHighWord(0, ((highWord(x) >> 1) | 0x2000_0000) + 0x0008_0000 + (index << 18));
  const sumTail = x - (sumHead - point);
  const tail = reciprocal * (difference - head * sumHead - head * sumTail);
  const square = quotient * quotient;
  const rest = square * square * polynomial(LOGARITHM, square) + tail * (head + quotient);
  const headSquare = head * head;
  const factorHead = headOf(3 + headSquare + rest);
  const factorTail = rest - (factorHead - 3 - headSquare);
  const product = head * factorHead;
  const correction = tail * factorHead + factorTail * quotient;
  const sum = headOf(product + correction);
  return { head: sum, tail: correction - (sum - product) };
}

const HALF = 0x3fe0_0000;
const LN_2 = Math.LN2;
const LN_2_HEAD = 0.6931471824645996;
const LN_2_TAIL = -1.904654299957768e-9;
/** The coefficients of the exponential, the highest power first. */
const EXPONENTIAL = [
  4.1381367970572385e-8, -0.0000016533902205465252, 0.00006613756321437934, -0.0027777777777015593, 0.16666666666666602,
];

function powerOfTwo({ head, tail }: Split): number {
  const whole = highWord(head + tail) > HALF ? Math.floor(head + tail + 0.5) : 0;
  const fraction = head - whole;
  const t = headOf(tail + fraction);
  const product = t * LN_2_HEAD;
  const correction = (tail - (t - fraction)) * LN_2 + t * LN_2_TAIL;
  const z = product + correction;
  const lost = correction - (z - product);
  const square = z * z;
  const reduced = z - square * polynomial(EXPONENTIAL, square);
  const ratio = (z * reduced) / (reduced - 2) - (lost + z * lost);
  const power = 1 - (ratio - z);
  return withHighWord(power, highWord(power) + (whole << 20));
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, it) => sum * x + it);
}

const VIEW = new DataView(new ArrayBuffer(8));

function highWord(x: number): number {
  VIEW.setFloat64(0, x);
  return VIEW.getInt32(0);
}

function withHighWord(x: number, word: number): number {
  VIEW.setFloat64(0, x);
  VIEW.setInt32(0, word);
  return VIEW.getFloat64(0);
}

function headOf(x: number): number {
  VIEW.setFloat64(0, x);
  VIEW.setInt32(4, 0);
  return VIEW.getFloat64(0);
}
