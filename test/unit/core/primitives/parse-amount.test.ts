import assert from "node:assert/strict";
import { parseAmount } from "../../../../src/core/primitives/parse-amount.ts";

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

  it("takes a comma for a mark between groups of three digits alone: 1,5 is not fifteen", () => {
    for (const [text, amount] of [
      ["1.5 coins", 1_500_000n],
      ["1,234,567.89 coins", 1_234_567_890_000n],
      ["1_500_000", 1_500_000n],
      ["1,500", 1_500n],
      ["1_00 sun", 100n],
    ] as const)
      assert.equal(parseAmount(text), amount, text);
    for (const text of [
      "1,5 coins",
      "1,5",
      "1,50",
      "1,5000",
      "1,500,00",
      "0,000001 coins",
      "1,",
      ",5",
      "1.5",
      "-1",
      "1e6",
      "",
    ])
      assert.throws(() => parseAmount(text), { code: "AMOUNT_MALFORMED" }, text);
  });
});
