import assert from "node:assert/strict";
import * as fc from "fast-check";
import { bothUnits, coinsText, formatCoins, formatTokenAmount, sunText } from "../../src/format/amounts.ts";
import { sun } from "../../src/primitives/amount.ts";
import { parseCoins } from "../../src/primitives/parse-amount.ts";
import { foreignText } from "../../src/primitives/plain-text.ts";

const INT64_MAX = 2n ** 63n - 1n;

describe("formatCoins and related formats", () => {
  for (const [amount, text] of [
    [0n, "0"],
    [1n, "0.000001"],
    [1_500_000n, "1.5"],
    [1_000_000n, "1"],
    [1_234_567_890_000n, "1,234,567.89"],
    [90_000_000_000_000_000n, "90,000,000,000"],
    [-1_500_000n, "-1.5"],
    [INT64_MAX, "9,223,372,036,854.775807"],
    [-(2n ** 63n), "-9,223,372,036,854.775808"],
  ] as const) {
    it(`shows ${amount} sun as ${text} coins`, () => {
      assert.equal(formatCoins(sun(amount)), text);
    });
  }

  it("S37 is exact for every amount of the chain", () => {
    return fc.assert(
      fc.property(fc.bigInt(0n, INT64_MAX), (amount) => {
        assert.equal(parseCoins(formatCoins(sun(amount)).replaceAll(",", "")), amount);
      }),
    );
  });

  it("uses the singular for one coin only", () => {
    assert.deepEqual(
      [1_000_000n, 0n, 1_000_001n, 2_000_000n].map((it) => coinsText(sun(it))),
      ["1 coin", "0 coins", "1.000001 coins", "2 coins"],
    );
  });

  it("shows sun, alone and beside coins", () => {
    assert.equal(sunText(sun(1_234_567n)), "1,234,567 sun");
    assert.equal(bothUnits(sun(1_000_000n)), "1 coin (1,000,000 sun)");
  });

  it("shows a token with its own decimals, and invisible characters of its symbol by number", () => {
    const symbol = foreignText("T\u202EEA");

    assert.equal(formatTokenAmount(1_234_567n, { decimals: 0, symbol }), "1,234,567 T⟨U+202E⟩EA");
    assert.equal(formatTokenAmount(2n ** 256n - 1n, { decimals: 77, symbol: foreignText("") }).slice(0, 4), "1.15");
  });
});
