import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { DIGIT_BITS, DIGITS, fieldCode, NUMBER_BYTES, PLACES, wasmModule } from "../../src/curve/field-arithmetic.ts";

const { Fp } = secp256k1.Point;
/** Allowed excess of a digit above 26 bits. */
const SLACK = 2 ** 19;
const MOST = 2 ** DIGIT_BITS + SLACK - 1;
const [LEFT, RIGHT, TARGET] = [0, 1, 2].map((it) => PLACES.free + it * NUMBER_BYTES) as [number, number, number];

interface Functions {
  multiply(target: number, left: number, right: number): void;
  square(target: number, number: number): void;
  subtract(target: number, left: number, right: number): void;
  affine(): void;
}

const memory = new WebAssembly.Memory({ initial: 1 });
const module = new WebAssembly.Module(wasmModule(fieldCode()));
const code = new WebAssembly.Instance(module, { env: { memory } }).exports as Functions;
const numbers = new Uint32Array(memory.buffer);

const write = (at: number, digits: readonly number[]): void => numbers.set(digits, at / 4);
const digitsAt = (at: number): readonly number[] => [...numbers.subarray(at / 4, at / 4 + DIGITS)];
const numberOf = (digits: readonly number[]): bigint =>
  digits.reduceRight((sum, digit) => (sum << BigInt(DIGIT_BITS)) + BigInt(digit), 0n);

/** Returns a result as a number of the field, and asserts that each digit is in the allowed range. */
function result(at: number): bigint {
  const digits = digitsAt(at);
  assert.ok(Math.max(...digits) <= MOST, `a digit of ${digits} is too big`);
  return Fp.create(numberOf(digits));
}

const digit = fc.oneof(fc.constantFrom(0, 1, MOST), fc.integer({ min: 0, max: MOST }));
const anyNumber = fc.array(digit, { minLength: DIGITS, maxLength: DIGITS });

describe("field arithmetic", () => {
  it("multiplies, squares and subtracts like the field, for any digits", () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (left, right) => {
        write(LEFT, left);
        write(RIGHT, right);
        const [a, b] = [numberOf(left), numberOf(right)];
        code.multiply(TARGET, LEFT, RIGHT);
        assert.equal(result(TARGET), Fp.create(a * b));
        code.square(TARGET, LEFT);
        assert.equal(result(TARGET), Fp.create(a * a));
        code.subtract(TARGET, LEFT, RIGHT);
        assert.equal(result(TARGET), Fp.create(a - b));
      }),
      { numRuns: 500 },
    );
  });

  it("does so with the largest digits, and in place", () => {
    const most = Array<number>(DIGITS).fill(MOST);
    const value = numberOf(most);
    write(LEFT, most);
    code.multiply(LEFT, LEFT, LEFT);
    assert.equal(result(LEFT), Fp.create(value * value));
    write(RIGHT, most);
    code.subtract(RIGHT, LEFT, RIGHT);
    assert.equal(result(RIGHT), Fp.create(value * value - value));
    write(RIGHT, Array<number>(DIGITS).fill(0));
    write(LEFT, most);
    code.subtract(LEFT, RIGHT, LEFT);
    assert.equal(result(LEFT), Fp.create(-value));
  });

  it("converts coordinates to affine ones, and to 0 when Z has no inverse", () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (x, y, z) => {
        for (const [at, digits] of [
          [PLACES.x, x],
          [PLACES.y, y],
          [PLACES.z, z],
        ] as const)
          write(at, digits);
        const divisor = Fp.create(numberOf(z));
        const inverse = divisor === 0n ? 0n : Fp.inv(divisor);
        code.affine();
        assert.equal(result(PLACES.x), Fp.create(numberOf(x) * inverse ** 2n));
        assert.equal(result(PLACES.y), Fp.create(numberOf(y) * inverse ** 3n));
      }),
      {
        numRuns: 100,
        examples: [
          [[1], [1], [0]].map(([it = 0]) => [it, ...Array<number>(DIGITS - 1).fill(0)]) as [
            number[],
            number[],
            number[],
          ],
        ],
      },
    );
  });
});
