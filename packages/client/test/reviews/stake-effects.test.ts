import assert from "node:assert/strict";
import { COIN, DAY, HEAD, someone, systemFacts } from "../../../../test/support/tracking/system-facts.ts";
import { ALICE, BOB } from "../../../../test/support/tracking/tracked.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { StakePurpose } from "../../../tron/src/transaction/intent.ts";
import { stakeIntentEffect } from "../../src/reviews/system-effect.view.ts";

type StakeIntent = Parameters<typeof stakeIntentEffect>[0];

const stake = (coins: bigint, resource: StakePurpose = "ENERGY"): StakeIntent => ({
  kind: "stake",
  owner: ALICE,
  resource,
  amount: sun(coins * COIN),
});

describe("stakeIntentEffect of a stake", () => {
  it("shows the resources that it adds, and when the coins are available", () => {
    const { action, lines, doubts } = stakeIntentEffect(stake(50n), systemFacts());

    assert.equal(action, "Stake 50 coins for energy");
    assert.deepEqual(lines, [
      "Stakes: 50 coins (50,000,000 sun)",
      "Brings: about 452 energy a day at the current total stake: 500 → 952",
      "Available: unstake it at any time; 14 days later the coins can be withdrawn",
    ]);
    assert.deepEqual(doubts, []);
    assert.equal(stakeIntentEffect(stake(7n, "TRON_POWER"), systemFacts()).effect, "7 votes");
    const silent = { account: someone().account, resources: undefined };

    assert.equal(
      stakeIntentEffect(stake(50n), systemFacts(silent)).effect,
      "an amount that this gateway does not report",
    );
  });

  it("G22: names no day when the gateway does not return getUnfreezeDelayDays", () => {
    const silent = { ...systemFacts(), parameters: new Map() };
    const unstake = { ...stake(50n), kind: "unstake" } as StakeIntent;

    for (const intent of [stake(50n), unstake]) {
      const available = stakeIntentEffect(intent, silent).lines.find((it) => it.startsWith("Available: "));
      assert.match(available ?? "", /the gateway does not report/);
      assert.doesNotMatch(available ?? "", /\d/);
    }
  });

  it("warns about amounts that the chain would refuse", () => {
    assert.deepEqual(stakeIntentEffect({ ...stake(1n), amount: sun(999_999n) } as StakeIntent, systemFacts()).doubts, [
      "The minimum is 1 coin.",
    ]);
    assert.deepEqual(stakeIntentEffect(stake(101n), systemFacts()).doubts, ["The account has 100 coins."]);
    assert.deepEqual(stakeIntentEffect(stake(100n), systemFacts()).doubts, []);
  });
});

describe("stakeIntentEffect of an unstake", () => {
  const unstake = (coins: bigint): StakeIntent => ({ ...stake(coins), kind: "unstake" }) as StakeIntent;

  it("shows the day by chain time and the finished unstakes", () => {
    const owner = someone([["ENERGY", 3n, HEAD - 1]]);
    const { lines } = stakeIntentEffect(unstake(50n), systemFacts(owner));

    assert.deepEqual(lines, [
      "Unstakes: 50 coins (50,000,000 sun) of 50 coins",
      "Removes: about 500 energy a day at the current total stake: 500 → 0",
      "Available: day 14, 14 days from now by the chain's time; withdraw it then",
      "Also withdraws: 3 coins (3,000,000 sun) from finished unstakes",
      "Votes: the chain removes votes that the remaining stake does not cover",
    ]);
  });

  it("warns about more than is staked, and about a 33rd unstake", () => {
    const full = someone(Array.from({ length: 32 }, () => ["ENERGY", 1n, HEAD + 1] as const));

    assert.deepEqual(stakeIntentEffect(unstake(51n), systemFacts()).doubts, [
      "Only 50 coins are staked for energy and not delegated.",
    ]);
    assert.match(stakeIntentEffect(unstake(1n), systemFacts(full)).doubts.join(), /^32 unstakes .* allows 32\.$/);
  });
});

describe("stakeIntentEffect of unstaked coins", () => {
  const waiting = someone([
    ["ENERGY", 3n, HEAD],
    ["ENERGY", 5n, HEAD + DAY],
    ["BANDWIDTH", 7n, HEAD + 2 * DAY],
  ]);

  it("separates available from later amounts", () => {
    const { action, lines } = stakeIntentEffect({ kind: "withdraw", owner: ALICE }, systemFacts(waiting));

    assert.equal(action, "Withdraw 3 coins");
    assert.deepEqual(lines.slice(1), ["Later: 5 coins on day 1", "Later: 7 coins on day 2"]);
    assert.deepEqual(stakeIntentEffect({ kind: "withdraw", owner: ALICE }, systemFacts()).doubts, [
      "No unstake has finished yet.",
    ]);
  });

  it("sums the stakes that a cancellation restores", () => {
    const { lines, doubts } = stakeIntentEffect({ kind: "cancel-unstakes", owner: ALICE }, systemFacts(waiting));

    assert.deepEqual(lines, [
      "Stakes again: 7 coins (7,000,000 sun) for bandwidth",
      "Stakes again: 5 coins (5,000,000 sun) for energy",
      "Withdraws: 3 coins (3,000,000 sun) from finished unstakes",
    ]);
    assert.deepEqual(doubts, []);
    assert.equal(stakeIntentEffect({ kind: "cancel-unstakes", owner: ALICE }, systemFacts()).doubts.length, 1);
  });
});

describe("stakeIntentEffect of a delegation", () => {
  const delegate = {
    kind: "delegate",
    owner: ALICE,
    receiver: BOB,
    resource: "ENERGY",
    amount: sun(20n * COIN),
  } as const;
  const bob = { ...someone(), party: { address: BOB, name: "Bob" } };

  it("shows the resources of both accounts, the lock and a receiver that is not activated", () => {
    const { lines } = stakeIntentEffect({ ...delegate, lockPeriod: 28_800n }, systemFacts(someone(), bob));

    assert.deepEqual(lines.slice(2), [
      "Receiver: 500 → 700 energy a day",
      "You: 500 → 300 energy a day",
      "Taken back: after 28,800 blocks, 24 h from now",
    ]);
    assert.match(lines[1] ?? "", /^To: Bob · T/);
    assert.equal(stakeIntentEffect(delegate, systemFacts(someone(), bob)).lines.at(-1), "Taken back: at any time");
    const undelegation = stakeIntentEffect({ ...delegate, kind: "undelegate" }, systemFacts(someone(), bob));

    assert.deepEqual(undelegation.lines.slice(2), ["Receiver: 500 → 300 energy a day", "You: 500 → 700 energy a day"]);
    const missing = { account: undefined, resources: undefined, party: { address: BOB } };

    assert.match(stakeIntentEffect(delegate, systemFacts(someone(), missing)).doubts.join(), /not activated/);
  });
});
