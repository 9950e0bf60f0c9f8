import assert from "node:assert/strict";
import { parseAmount } from "../../../../src/core/primitives/amount.ts";

describe("parseAmount", () => {
  it("takes a number without a unit as sun, and coins with theirs", () => {
    assert.deepEqual(
      ["1500000", "1_500_000 sun", "1.5 coins", "1.5coins", "1,500,000", "1 coin", "0.000001 TRX", "0"].map(
        parseAmount,
      ),
      [1_500_000n, 1_500_000n, 1_500_000n, 1_500_000n, 1_500_000n, 1_000_000n, 1n, 0n],
    );
  });

  it("refuses what could mean either, and what no chain can hold", () => {
    for (const text of ["1.5", "", "-1", "1e6", "1.5 sun", "five", "1 ether", "9223372036854775808", "0.0000001 coins"])
      assert.throws(() => parseAmount(text), { code: "AMOUNT_MALFORMED" }, text);
  });
});
