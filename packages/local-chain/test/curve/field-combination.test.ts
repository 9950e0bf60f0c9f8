import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { DIGIT_BITS, DIGITS, fieldCode, NUMBER_BYTES, PLACES, wasmModule } from "../../src/curve/field-arithmetic.ts";

const { Fp } = secp256k1.Point;
/** Allowed excess of a digit above 26 bits. */
const SLACK = 2 ** 19;
const MOST = 2 ** DIGIT_BITS + SLACK - 1;
const [LEFT, RIGHT, TARGET] = [0, 1, 2].map((it) => PLACES.free + it * NUMBER_BYTES) as [number, number, number];

const memory = new WebAssembly.Memory({ initial: 1 });
const module = new WebAssembly.Module(wasmModule(fieldCode()));
const code = new WebAssembly.Instance(module, { env: { memory } }).exports as {
  combine(target: number, left: number, right: number, p: number, q: number): void;
  root(): void;
};
const numbers = new Uint32Array(memory.buffer);

const write = (at: number, digits: readonly number[]): void => numbers.set(digits, at / 4);
const numberOf = (digits: readonly number[]): bigint =>
  digits.reduceRight((sum, digit) => (sum << BigInt(DIGIT_BITS)) + BigInt(digit), 0n);

function result(at: number): bigint {
  const digits = [...numbers.subarray(at / 4, at / 4 + DIGITS)];
  assert.ok(Math.max(...digits) <= MOST, `a digit of ${digits} is too large`);
  return Fp.create(numberOf(digits));
}

const digit = fc.oneof(fc.constantFrom(0, 1, MOST), fc.integer({ min: 0, max: MOST }));
const anyNumber = fc.array(digit, { minLength: DIGITS, maxLength: DIGITS });
const [zero, most] = [Array<number>(DIGITS).fill(0), Array<number>(DIGITS).fill(MOST)];

describe("field arithmetic of doublings", () => {
  it("combines multiples of numbers with any digits", () => {
    fc.assert(
      fc.property(
        anyNumber,
        anyNumber,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 8 }),
        (a, b, p, q) => {
          write(LEFT, a);
          write(RIGHT, b);
          code.combine(TARGET, LEFT, RIGHT, p, q);
          assert.equal(result(TARGET), Fp.create(BigInt(p) * numberOf(a) - BigInt(q) * numberOf(b)));
        },
      ),
      {
        numRuns: 500,
        examples: [
          [most, zero, 4, 8],
          [most, most, 4, 8],
          [zero, most, 4, 8],
        ],
      },
    );
  });

  it("finds a root of each square", () => {
    fc.assert(
      fc.property(anyNumber, (digits) => {
        write(PLACES.z, digits);
        const value = Fp.create(numberOf(digits));
        code.root();
        const root = result(PLACES.power);
        const isSquare = value === 0n || Fp.pow(value, (Fp.ORDER - 1n) / 2n) === 1n;
        assert.equal(Fp.create(root * root) === value, isSquare);
      }),
      { numRuns: 50 },
    );
  });
});
