/**
 * Powers to the bit as Java's StrictMath gives them: what an exchange pays depends on the last bit, and JavaScript's own
 * powers differ in it.
 *
 * The method and its constants are those of fdlibm, which Java prescribes. Copyright (C) 2004 by Sun Microsystems, Inc.
 * All rights reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided that
 * this notice is preserved.
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
  logarithm: { head: 0.584_962_487_220_764_160_156, tail: 1.350_039_202_129_748_971_28e-8 },
};
/** 2 / (3 ln 2). */
const SCALE = 0.961_796_693_925_975_554_329;
const SCALE_HEAD = 0.961_796_700_954_437_255_859;
const SCALE_TAIL = -7.028_461_650_952_758_265_16e-9;

function binaryLogarithm(x: number): Split {
  const high = highWord(x);
  const mantissa = high & MANTISSA;
  const around = mantissa > BELOW_ROOT_OF_3_HALVES && mantissa < ROOT_OF_3 ? NEAR_THREE_HALVES : NEAR_ONE;
  const halved = mantissa >= ROOT_OF_3;
  const exponent = ((high - BIAS) >> 20) + (halved ? 1 : 0);
  const reduced = withHighWord(x, (mantissa | BIAS) - (halved ? HIDDEN_BIT : 0));
  const series = logarithmSeries(reduced, around);
  const scaledHead = SCALE_HEAD * series.head;
  const scaledTail = SCALE_TAIL * series.head + series.tail * SCALE + around.logarithm.tail;
  const head = headOf(scaledHead + scaledTail + around.logarithm.head + exponent);
  return { head, tail: scaledTail - (head - exponent - around.logarithm.head - scaledHead) };
}

/** The coefficients of the series, the highest power first. */
const LOGARITHM = [
  0.206_975_017_800_338_417_784, 0.230_660_745_775_561_754_067, 0.272_728_123_808_534_006_489,
  0.333_333_329_818_377_432_918, 0.428_571_428_578_550_184_252, 0.599_999_999_999_999_946_487_25,
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
const LN_2 = 0.693_147_180_559_945_286_227;
const LN_2_HEAD = 0.693_147_182_464_599_609_375;
const LN_2_TAIL = -1.904_654_299_957_768_045_25e-9;
/** The coefficients of the exponential, the highest power first. */
const EXPONENTIAL = [
  4.138_136_797_057_238_460_39e-8, -1.653_390_220_546_525_153_9e-6, 6.613_756_321_437_934_361_17e-5,
  -2.777_777_777_701_559_338_42e-3, 0.166_666_666_666_666_019_037,
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
