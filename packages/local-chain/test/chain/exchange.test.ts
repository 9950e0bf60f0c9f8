import assert from "node:assert/strict";
import { bought, inProportion, type Sides, tooImprecise } from "../../src/chain/trading.ts";

function sides(named: bigint, other: bigint): Sides {
  return { named: { asset: "1000001", amount: named }, other: { asset: "_", amount: other } };
}

/** Reserve of the sold asset, reserve of the bought asset, sold amount, and the result of Java. */
const TRADES = [
  [1549n, 1323n, 1023n, 526n],
  [8n, 207_521_697_689_761n, 317_383_706_576n, 207_521_697_684_438n],
  [822_944_223_024n, 983_611_461_009_882n, 521_542_786_962n, 381_554_792_908_060n],
] as const;

describe("bought", () => {
  it("returns the results of Java", () => {
    for (const [named, other, amount, received] of TRADES) assert.equal(bought(sides(named, other), amount), received);
  });

  it("returns 0 for too small an amount", () => {
    assert.equal(bought(sides(1_000_000n, 10n), 1n), 0n);
  });

  it("can return the whole reserve, which closes the exchange", () => {
    assert.equal(bought(sides(1n, 1_000n), 1_000_000_000_000_000n), 1_000n);
  });
});

describe("inProportion", () => {
  it("rounds down", () => {
    assert.equal(inProportion(sides(3n, 10n), 2n), 6n);
  });

  it("is too imprecise when rounding loses more than one part in 10,000", () => {
    assert.equal(tooImprecise(sides(3n, 10n), 2n), true, "6.6667 as 6");
    assert.equal(tooImprecise(sides(10n, 100_020n), 1n), false, "10,002 as it is");
    assert.equal(tooImprecise(sides(2n, 10_001n), 1n), false, "5,000.5 as 5,000: a part in 10,000");
    assert.equal(tooImprecise(sides(2n, 9_999n), 1n), true, "4,999.5 as 4,999: a little more");
  });
});
