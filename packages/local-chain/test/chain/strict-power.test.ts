import assert from "node:assert/strict";
import { strictPower } from "../../src/chain/strict-power.ts";

/** Results of StrictMath.pow of OpenJDK 17. */
const POWERS = [
  [1.0002619005985591, 2000, 1.6883177469415915],
  [1.0001808505762115, 2000, 1.4357228483186026],
  [1.0000914176026725, 2000, 1.2006065034764635],
  [1.3917559545596119, 0.0005, 1.0001652967732773],
  [1.927282523897071, 0.0005, 1.0003281093120993],
] as const;

describe("strictPower", () => {
  it("returns the results of OpenJDK", () => {
    for (const [base, exponent, power] of POWERS)
      assert.equal(strictPower(base, exponent), power, `${base} to the ${exponent}`);
  });

  it("is exact for exact results", () => {
    assert.deepEqual(
      [strictPower(1, 2000), strictPower(2, 10), strictPower(4, 0.5), strictPower(1.5, 3), strictPower(3, 4)],
      [1, 1024, 2, 3.375, 81],
    );
  });
});
