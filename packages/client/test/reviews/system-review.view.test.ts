import assert from "node:assert/strict";
import { COIN, HEAD, systemFacts } from "../../../../test/support/tracking/system-facts.ts";
import { ALICE, ownKeySigns } from "../../../../test/support/tracking/tracked.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { StakePurpose } from "../../../tron/src/transaction/intent.ts";
import type { SystemIntent } from "../../src/reviews/system-effect.view.ts";
import { effectOf, systemReviewText } from "../../src/reviews/system-review.view.ts";

const stake = (coins: bigint, resource: StakePurpose = "ENERGY"): SystemIntent => ({
  kind: "stake",
  owner: ALICE,
  resource,
  amount: sun(coins * COIN),
});

describe("systemReviewText", () => {
  const review = (coins: bigint) => ({
    words: effectOf(stake(coins), systemFacts()),
    network: { name: "Main", production: true },
    from: { address: ALICE, name: "Alice" },
    signing: ownKeySigns({ owner: ALICE }),
    cost: { parts: [{ kind: "free-bandwidth", bytes: 280n, amount: sun(0n) }], fee: sun(0n) } as const,
    expiry: { lifetimeMs: 60_000, expiration: HEAD + 60_000, now: HEAD, isLocalChain: false, timeOf: String },
    proofCost: { blocks: 20, requests: 1 },
    matchingFields: 9,
    warnings: [],
  });

  it("shows look-alikes, amounts, costs and the verification", () => {
    const { title, detail } = systemReviewText(review(50n));

    assert.equal(title, "Stake 50 coins for energy?");
    assert.match(detail, /^Network: Main \(real money\)\nFrom: Alice · T\w+\nStakes: 50 coins/);
    assert.match(detail, /\nCosts: nothing \(280 bytes of free bandwidth\)\n/);
    assert.match(detail, /Verified: 9 of 9 fields match your request\.$/);
    const { detail: withWarnings } = systemReviewText({
      ...review(50n),
      warnings: ["⚠ This is not the account.", "now T1"],
    });

    assert.match(withWarnings, /^⚠ This is not the account\.\nnow T1\n\nNetwork: Main/);
  });

  it("shows first that the chain would refuse it", () => {
    const { title, detail } = systemReviewText(review(500n));

    assert.equal(title, "Stake 500 coins for energy although the chain would refuse it?");
    assert.match(detail, /^⚠ The account has 100 coins\.\n/);
  });
});
