import assert from "node:assert/strict";
import { amountOf, inputsOf, integerOf } from "../../../../src/features/contracts/contract-arguments.ts";

describe("contract arguments", () => {
  it("T6: reject numbers that may have lost digits", () => {
    // biome-ignore lint/correctness/noPrecisionLoss: digits are lost on purpose
    for (const value of [9007199254740993, 4503599627370497.5, 1e21, 1.5])
      for (const input of [value, [value], { amount: value }])
        assert.throws(() => inputsOf([input]), {
          code: "COMMAND_ARGUMENT_MALFORMED",
          message: `The argument arguments cannot be used: write ${value} as a text, so that it keeps every digit.`,
        });
    assert.deepEqual(inputsOf([5, ["6"], { amount: -7 }]), [5n, ["6"], { amount: -7n }]);
  });

  it("T1: accept thousands separators, and reject a decimal comma", () => {
    assert.equal(amountOf("callValue", "1,000.5 coins"), 1_000_500_000n);
    assert.equal(amountOf("feeLimit", "1,000,000"), 1_000_000n);
    assert.equal(integerOf("tokenValue", "1,000", 0n, 5_000n), 1_000n);
    for (const text of ["0,001 coins", "1,5 coins", "1.000,50 coins", "1,5", "0,001"])
      assert.throws(() => amountOf("callValue", text), { code: "COMMAND_ARGUMENT_MALFORMED" }, text);
    for (const text of ["0,001", "1,5", "１５", "1e3", "-1"])
      assert.throws(() => integerOf("tokenValue", text, 0n, 5_000n), { code: "COMMAND_ARGUMENT_MALFORMED" }, text);
  });
});
