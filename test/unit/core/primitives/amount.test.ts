import assert from "node:assert/strict";
import { isChainError } from "../../../../src/core/errors/chain-error.ts";
import { parseCoins } from "../../../../src/core/primitives/amount.ts";

const INT64_MAX = 2n ** 63n - 1n;

describe("amount", () => {
  for (const [text, amount] of [
    ["1.5", 1_500_000n],
    ["0", 0n],
    ["0.000001", 1n],
    ["1.", undefined],
    ["007", 7_000_000n],
    [" 2.50 ", 2_500_000n],
    ["9007199254.740993", 9_007_199_254_740_993n],
    ["9223372036854.775807", INT64_MAX],
    ["9223372036854.775808", undefined],
    ["99999999999999999999", undefined],
    ["0.0000001", undefined],
    ["1.0000000", undefined],
    ["-1", undefined],
    ["+1", undefined],
    ["1e6", undefined],
    ["1,5", undefined],
    ["1 000", undefined],
    [".5", undefined],
    ["0x10", undefined],
    ["", undefined],
    ["NaN", undefined],
    ["١", undefined],
  ] as const) {
    it(`S37 ${JSON.stringify(text)} coins ${amount === undefined ? "are refused" : `are ${amount} sun`}`, () => {
      if (amount !== undefined) assert.equal(parseCoins(text), amount);
      else
        assert.throws(
          () => parseCoins(text),
          (thrown) => isChainError(thrown) && thrown.code === "AMOUNT_MALFORMED",
        );
    });
  }

  it("says what is wrong with an amount", () => {
    assert.throws(() => parseCoins("0.0000001"), /smallest part is 0\.000001/);
    assert.throws(() => parseCoins("99999999999999"), /larger than any amount on the chain/);
  });
});
