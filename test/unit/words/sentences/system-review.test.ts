import assert from "node:assert/strict";
import { sun } from "../../../../src/core/primitives/amount.ts";
import type { StakePurpose } from "../../../../src/core/transaction/intent.ts";
import {
  type AccountFacts,
  type SystemFacts,
  type SystemIntent,
  systemReviewText,
  systemWords,
} from "../../../../src/words/sentences/system-review.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const COIN = 1_000_000n;
const HEAD = 1_000_000;
const DAY = 86_400_000;
const NONE = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };

type Unstaking = readonly [purpose: StakePurpose, coins: bigint, due: number];

/** An account with 100 coins and 50 staked for energy; all stakes weigh 1,000 coins and share 10,000 energy. */
function someone(unstaking: readonly Unstaking[] = []): AccountFacts {
  const totals = { limit: 10_000n, weight: 1_000n };
  return {
    account: {
      address: ALICE,
      balance: sun(100n * COIN),
      stakes: {
        own: { ...NONE, ENERGY: sun(50n * COIN) },
        lent: NONE,
        borrowed: NONE,
        unstaking: unstaking.map(([purpose, coins, due]) => ({ purpose, amount: sun(coins * COIN), due })),
      },
    },
    resources: {
      freeBandwidthLimit: 600n,
      freeBandwidthUsed: 0n,
      stakedBandwidthLimit: 0n,
      stakedBandwidthUsed: 0n,
      energyLimit: 500n,
      energyUsed: 0n,
      energyTotals: totals,
      bandwidthTotals: totals,
    },
  };
}

function facts(owner: AccountFacts = someone(), receiver?: SystemFacts["receiver"]): SystemFacts {
  const parameters = new Map([["getUnfreezeDelayDays", 14n]]);
  return { owner, receiver, parameters, headTimestamp: HEAD, timeOf: (ms) => `day ${(ms - HEAD) / DAY}` };
}

const stake = (coins: bigint, resource: StakePurpose = "ENERGY"): SystemIntent => ({
  kind: "stake",
  owner: ALICE,
  resource,
  amount: sun(coins * COIN),
});

describe("the words of a stake", () => {
  it("say what it brings at the weight that it makes, and when it comes back", () => {
    const { action, lines, doubts } = systemWords(stake(50n), facts());

    assert.equal(action, "Stake 50 coins for energy");
    assert.deepEqual(lines, [
      "Stakes: 50 coins (50,000,000 sun)",
      "Brings: about 452 energy a day at today's weight: 500 → 952",
      "Comes back: unstake it whenever you want; 14 days later the coins can be withdrawn",
    ]);
    assert.deepEqual(doubts, []);
  });

  it("count votes in whole coins", () => {
    assert.equal(systemWords(stake(7n, "TRON_POWER"), facts()).effect, "7 votes");
  });

  it("say that a gateway does not tell what it brings, and name no figure then", () => {
    const silent = { account: someone().account, resources: undefined };

    assert.equal(systemWords(stake(50n), facts(silent)).effect, "an amount that this gateway does not tell");
  });

  it("doubt what the chain would refuse: less than a coin, more than the balance", () => {
    assert.deepEqual(systemWords({ ...stake(1n), amount: sun(999_999n) } as SystemIntent, facts()).doubts, [
      "The chain takes at least 1 coin.",
    ]);
    assert.deepEqual(systemWords(stake(101n), facts()).doubts, ["The account has 100 coins."]);
    assert.deepEqual(systemWords(stake(100n), facts()).doubts, []);
  });
});

describe("the words of an unstake", () => {
  const unstake = (coins: bigint): SystemIntent => ({ ...stake(coins), kind: "unstake" }) as SystemIntent;

  it("say the day on which the coins are free, by the time of the chain, and what comes with it", () => {
    const owner = someone([["ENERGY", 3n, HEAD - 1]]);
    const { lines } = systemWords(unstake(50n), facts(owner));

    assert.deepEqual(lines, [
      "Unstakes: 50 coins (50,000,000 sun) of 50 coins",
      "Takes away: about 500 energy a day at today's weight: 500 → 0",
      "Comes back: day 14, 14 days from now by the chain's time; withdraw it then",
      "Withdraws too: 3 coins (3,000,000 sun) that came back",
      "Votes: those that the rest of the stake does not carry are taken back",
    ]);
  });

  it("doubt more than is staked, and a 33rd part on its way back", () => {
    const full = someone(Array.from({ length: 32 }, () => ["ENERGY", 1n, HEAD + 1] as const));

    assert.deepEqual(systemWords(unstake(51n), facts()).doubts, ["Only 50 coins are staked for energy and not lent."]);
    assert.match(systemWords(unstake(1n), facts(full)).doubts.join(), /^32 parts .* allows 32\.$/);
  });
});

describe("the words of what comes back", () => {
  const waiting = someone([
    ["ENERGY", 3n, HEAD],
    ["ENERGY", 5n, HEAD + DAY],
    ["BANDWIDTH", 7n, HEAD + 2 * DAY],
  ]);

  it("tell what is due now from what is due later", () => {
    const { action, lines } = systemWords({ kind: "withdraw", owner: ALICE }, facts(waiting));

    assert.equal(action, "Withdraw 3 coins");
    assert.deepEqual(lines.slice(1), ["Later: 5 coins on day 1", "Later: 7 coins on day 2"]);
    assert.deepEqual(systemWords({ kind: "withdraw", owner: ALICE }, facts()).doubts, ["Nothing has come back yet."]);
  });

  it("sum up by purpose what cancelling stakes again", () => {
    const { lines, doubts } = systemWords({ kind: "cancel-unstakes", owner: ALICE }, facts(waiting));

    assert.deepEqual(lines, [
      "Stakes again: 7 coins (7,000,000 sun) for bandwidth",
      "Stakes again: 5 coins (5,000,000 sun) for energy",
      "Withdraws: 3 coins (3,000,000 sun) that came back",
    ]);
    assert.deepEqual(doubts, []);
    assert.equal(systemWords({ kind: "cancel-unstakes", owner: ALICE }, facts()).doubts.length, 1);
  });
});

describe("the words of a delegation", () => {
  const delegate = {
    kind: "delegate",
    owner: ALICE,
    receiver: BOB,
    resource: "ENERGY",
    amount: sun(20n * COIN),
  } as const;
  const bob = { ...someone(), party: { address: BOB, name: "Bob" } };

  it("say what both can use after it, and until when it is locked", () => {
    const { lines } = systemWords({ ...delegate, lockPeriod: 28_800n }, facts(someone(), bob));

    assert.deepEqual(lines.slice(2), [
      "Receiver: 500 → 700 energy a day",
      "You: 500 → 300 energy a day",
      "Taken back: not before 28,800 blocks have passed, 24 h from now",
    ]);
    assert.match(lines[1] ?? "", /^To: Bob · T/);
    assert.equal(systemWords(delegate, facts(someone(), bob)).lines.at(-1), "Taken back: whenever you want");
  });

  it("go the other way when it is taken back", () => {
    const { lines } = systemWords({ ...delegate, kind: "undelegate" }, facts(someone(), bob));

    assert.deepEqual(lines.slice(2), ["Receiver: 500 → 300 energy a day", "You: 500 → 700 energy a day"]);
  });

  it("doubt a receiver that is not there", () => {
    const nobody = { account: undefined, resources: undefined, party: { address: BOB } };

    assert.match(systemWords(delegate, facts(someone(), nobody)).doubts.join(), /not activated/);
  });
});

describe("the review of a transaction of the system", () => {
  const review = (coins: bigint) => ({
    words: systemWords(stake(coins), facts()),
    network: "Main",
    production: true,
    from: { address: ALICE, name: "Alice" },
    cost: { parts: [{ kind: "free-bandwidth", bytes: 280n, amount: sun(0n) }], fee: sun(0n) } as const,
    expiry: { lifetimeMs: 60_000, expiration: HEAD + 60_000, now: HEAD, isLocalChain: false, timeOf: String },
    proofCost: { blocks: 20, requests: 1 },
    matchingFields: 9,
  });

  it("asks with what moves, what it costs, and that the bytes say no more", () => {
    const { title, detail } = systemReviewText(review(50n));

    assert.equal(title, "Stake 50 coins for energy?");
    assert.match(detail, /^Network: Main \(real money\)\nFrom: Alice · T\w+\nStakes: 50 coins/);
    assert.match(detail, /\nCosts: nothing \(280 bytes of free bandwidth\)\n/);
    assert.match(detail, /The bytes say exactly what you asked: 9 of 9 fields match\.$/);
  });

  it("begins with what the chain would refuse", () => {
    const { title, detail } = systemReviewText(review(500n));

    assert.equal(title, "Stake 500 coins for energy although the chain would refuse it?");
    assert.match(detail, /^⚠ The account has 100 coins\.\n/);
  });
});
