import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { inverse, PointSums, type PointTable } from "../../src/curve/point-sums.ts";

const { Point } = secp256k1;
const { ORDER } = Point.Fn;

const scalar = fc.oneof(
  fc.constantFrom(0n, 1n, 127n, 128n, 129n, 255n, 256n, 2n ** 255n, ORDER - 1n, ORDER >> 1n),
  fc.bigInt({ min: 0n, max: ORDER - 1n }),
);

describe("PointSums", () => {
  const sums = new PointSums();
  const secret = 0x1234_5678_9abc_def0n ** 4n % ORDER;
  const point = Point.BASE.multiply(secret);
  let table: PointTable;

  before(() => {
    table = sums.keep(point);
  });

  const expected = (one: bigint, other: bigint): { x: bigint; y: bigint } | undefined => {
    const multiple = (one + other * secret) % ORDER;
    if (multiple === 0n) return undefined;
    const { x, y } = Point.BASE.multiply(multiple);
    return { x, y };
  };

  it("equals the curve's sum for small, large and zero scalars", () => {
    fc.assert(
      fc.property(scalar, scalar, (one, other) => {
        const terms = [
          [sums.generator, one],
          [table, other],
        ] as const;
        assert.deepEqual(sums.sum(terms), expected(one, other));
      }),
      { numRuns: howOften(40, 1_000) },
    );
  });

  it("returns undefined when a point is added to itself or its opposite, and recovers", () => {
    const { generator } = sums;
    assert.equal(
      sums.sum([
        [generator, 5n],
        [generator, 5n],
      ]),
      undefined,
    );
    assert.equal(
      sums.sum([
        [generator, 5n],
        [generator, ORDER - 5n],
      ]),
      undefined,
    );
    assert.equal(sums.sum([]), undefined);
    assert.deepEqual(
      sums.sum([
        [generator, 5n],
        [table, 7n],
      ]),
      expected(5n, 7n),
    );
  });

  it("keeps the generator when other tables are dropped, and reuses the memory", () => {
    const other = new PointSums();
    const first = other.keep(point);
    other.forget();
    const doubled = other.keep(point.double());
    assert.equal(doubled, first);
    assert.deepEqual(
      other.sum([
        [other.generator, 3n],
        [doubled, 4n],
      ]),
      expected(3n, 8n),
    );
  });
});

describe("inverse", () => {
  it("inverts numbers of every length", () => {
    const numbers = fc.tuple(fc.bigInt({ min: 1n, max: ORDER - 1n }), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(numbers, ([number, shift]) => {
        const value = number >> BigInt(shift) || 1n;

        assert.equal(inverse(value, ORDER), Point.Fn.inv(value));
      }),
      { numRuns: howOften(300, 10_000) },
    );
  });

  it("inverts numbers next to both ends", () => {
    for (const value of [1n, 2n, 3n, ORDER >> 1n, ORDER - 2n, ORDER - 1n]) {
      assert.equal(inverse(value, ORDER), Point.Fn.inv(value));
    }
  });
});
