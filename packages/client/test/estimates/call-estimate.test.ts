import assert from "node:assert/strict";
import { sun } from "../../../tron/src/primitives/amount.ts";
import {
  decisiveMargin,
  isTight,
  type LimitEffect,
  limitVerdict,
  requiredEnergyOf,
  STIPEND,
  suggestedFeeLimit,
} from "../../src/estimates/call-estimate.ts";
import type { CallCost } from "../../src/estimates/costs.ts";

const PRICE = 210n;

function estimate(
  energy: bigint,
  change: { maxFeeLimit?: bigint; sufficient?: bigint; limitEffect?: LimitEffect } = {},
) {
  const { maxFeeLimit, sufficient, limitEffect = "possible" } = change;
  return {
    cost: { neededFeeLimit: sun(energy * PRICE) } as CallCost,
    price: PRICE,
    sufficient,
    limitEffect,
    ...(maxFeeLimit === undefined ? {} : { maxFeeLimit: sun(maxFeeLimit) }),
  };
}

describe("suggestedFeeLimit and isTight", () => {
  it("add the margin to the needed energy", () => {
    assert.equal(suggestedFeeLimit(estimate(100_000n), 20n), 120_000n * PRICE);
    assert.equal(decisiveMargin(estimate(100_000n), 20n), "margin");
  });

  it("add at least the stipend", () => {
    assert.equal(suggestedFeeLimit(estimate(7_216n), 20n), (7_216n + STIPEND) * PRICE);
    assert.equal(suggestedFeeLimit(estimate(100_000n), 0n), (100_000n + STIPEND) * PRICE);
    assert.equal(decisiveMargin(estimate(7_216n), 20n), "stipend");
    assert.equal(decisiveMargin(estimate(5n * STIPEND), 20n), "margin", "both are equal");
  });

  it("round up to whole energy, at most to the maximum of the chain", () => {
    assert.equal(suggestedFeeLimit(estimate(33_333n), 7n) % PRICE, 0n);
    assert.ok(suggestedFeeLimit(estimate(33_333n), 7n) * 100n >= 33_333n * PRICE * 107n);
    assert.equal(suggestedFeeLimit(estimate(100_000n, { maxFeeLimit: 21_000_001n }), 20n), 21_000_001n);
  });

  it("report a limit that covers the energy without the stipend, unless the node confirmed it", () => {
    const limit = (energy: bigint) => sun(energy * PRICE);

    assert.equal(isTight(estimate(7_216n), limit(7_216n)), true);
    assert.equal(isTight(estimate(7_216n), limit(7_216n + STIPEND)), false);
    assert.equal(isTight(estimate(7_216n), limit(7_215n)), false, "that is too small, and said elsewhere");
    assert.equal(isTight(estimate(7_216n, { sufficient: 7_300n }), limit(7_300n)), false);
    assert.equal(
      isTight(estimate(7_216n, { limitEffect: "none" }), limit(7_216n)),
      false,
      "the code passes nothing on",
    );
  });
});

describe("requiredEnergyOf", () => {
  it("stops at a distance of one coin", () => {
    const run = { energy: 100_000n, price: 100n };

    assert.equal(requiredEnergyOf({ ...run, maxFeeLimit: sun(11_000_000n) }), 110_000n);
    assert.equal(requiredEnergyOf({ ...run, maxFeeLimit: sun(11_000_002n) }), 105_001n);
  });

  const maxFeeLimit = sun(15_000_000_000n);

  it("S73 returns the result of the node's bisection", () => {
    const recorded = [
      [302n, 604n],
      [520n, 1_040n],
      [28_057n, 31_565n],
      [13_057n, 16_322n],
      [8_301n, 12_452n],
    ] as const;
    for (const [energy, required] of recorded)
      assert.equal(requiredEnergyOf({ energy, price: 210n, maxFeeLimit }), required);
  });

  it("returns more for a call that passes coins on when the price allows fine steps", () => {
    assert.equal(requiredEnergyOf({ energy: 7_216n, price: 420n, maxFeeLimit }), 9_020n);
    assert.equal(requiredEnergyOf({ energy: 7_216n, price: 420n, maxFeeLimit, peak: 9_516n }), 10_824n);
  });
});

describe("limitVerdict", () => {
  const cost = (energyLimit: bigint, shortages: CallCost["shortages"] = []) => ({ energyLimit, shortages }) as CallCost;
  const tooSmall = [{ kind: "fee-limit", covers: 5n, needed: sun(2_100n) }] as const;
  const tooLarge = [{ kind: "fee-limit-above-maximum", maximum: sun(1n) }] as const;

  it("N4: is certain only when the limit cannot change the run, is above the maximum or allows no energy", () => {
    assert.equal(limitVerdict({ limitEffect: "none", cost: cost(10n) }), "covered");
    assert.equal(limitVerdict({ limitEffect: "none", cost: cost(5n, tooSmall) }), "short");
    for (const limitEffect of ["possible", "seen"] as const) {
      assert.equal(limitVerdict({ limitEffect, cost: cost(10n) }), "depends");
      assert.equal(limitVerdict({ limitEffect, cost: cost(5n, tooSmall) }), "depends");
      assert.equal(limitVerdict({ limitEffect, cost: cost(0n, tooSmall) }), "short");
      assert.equal(limitVerdict({ limitEffect, cost: cost(10n, tooLarge) }), "short");
    }
  });
});
