import assert from "node:assert/strict";
import { ALICE, BOB, ownKeySigns } from "../../../../test/support/tracking/tracked.ts";
import { parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { Expiry } from "../../src/labels/reviews.ts";
import { type CoinReview, coinReviewText, validityButton, validityItems } from "../../src/reviews/coin-review.view.ts";

/** Two addresses with the same six first and four last characters. */
const [FRIEND, POISON] = ["TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13", "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13"];
const EXPIRY: Expiry = {
  lifetimeMs: 60_000,
  expiration: 60_000,
  now: 0,
  isLocalChain: false,
  timeOf: (ms) => new Date(ms).toISOString(),
};

describe("coinReviewText", () => {
  const review: CoinReview = {
    network: { name: "Local chain", production: false },
    from: { address: ALICE, name: "Alice" },
    signing: ownKeySigns({ owner: ALICE }),
    to: { address: BOB },
    amount: sun(1_500_000n),
    cost: { parts: [{ kind: "account-creation", amount: sun(1_000_000n) }], fee: sun(1_000_000n) },
    expiry: EXPIRY,
    proofCost: { blocks: 21, requests: 1 },
    matchingFields: 6,
    lookalikes: [],
  };

  it("shows all signed values with both addresses in full", () => {
    const { title, detail } = coinReviewText(review);

    assert.match(title, /^Send 1\.5 coins to T.{5}….{4}\?$/);
    for (const part of [
      "Network: Local chain",
      `Alice · ${toBase58(ALICE)}`,
      toBase58(BOB),
      "1.5 coins (1,500,000 sun)",
    ]) {
      assert.ok(detail.includes(part), part);
    }
    assert.match(detail, /Costs: 1 coin \(1 coin to create the account\)/);
    assert.match(detail, /Expires: 60 s after/);
    assert.match(detail, /6 of 6 fields match/);
  });

  it("U19: uses the coin of the network", () => {
    const { title, detail } = coinReviewText({ ...review, to: { ...review.to, name: "Bob" }, symbol: "TRX" });

    assert.equal(title, "Send 1.5 TRX to Bob?");
    assert.match(detail, /^Amount: 1\.5 TRX \(1,500,000 sun\)$/m);
    assert.match(detail, /^Costs: 1 TRX \(1 TRX to create the account\)$/m);
    assert.doesNotMatch(detail, /\bcoins?\b/);
    assert.equal(coinReviewText({ ...review, to: { ...review.to, name: "Bob" } }).title, "Send 1.5 coins to Bob?");
  });

  it("warns first about a look-alike of an earlier recipient", () => {
    const [now, earlier] = [POISON, FRIEND].map((it) => parseAddress(it));
    const { detail } = coinReviewText({ ...review, to: { address: now ?? BOB }, lookalikes: earlier ? [earlier] : [] });

    assert.match(detail, /^⚠ This is not the account that it looks like/);
    assert.ok(detail.includes(`now ${POISON}\nknown ${FRIEND}\n\nNetwork:`), detail);
  });

  it("shows the cost of a proof for a longer expiration", () => {
    const long = {
      expiry: { ...EXPIRY, lifetimeMs: 86_400_000, expiration: 86_400_000 },
      proofCost: { blocks: 28_819, requests: 289 },
    };

    assert.match(coinReviewText(review).detail, /If the answer is lost, .*about 21 solidified blocks, in 1 request/);
    assert.match(
      coinReviewText({ ...review, ...long }).detail,
      /Expires: 24 h after .*\nIf the answer is lost, .*about 28,819 solidified blocks, in 289 requests/,
    );
  });

  it("M5: warns first about a head far from the local clock", () => {
    const expiry = { ...EXPIRY, expiration: 2 * 86_400_000 + 60_000 };
    const { detail } = coinReviewText({ ...review, expiry });

    assert.match(
      detail,
      /^⚠ This gateway's head is 48 h ahead of this computer's clock\. .* until 1970-01-03T00:01:00/,
    );
    assert.match(detail, /\nExpires: 60 s after the chain's last block, at 1970-01-03T00:01:00/);
  });

  it("H4: shows name and memo on one line each", () => {
    const to = { ...review.to, name: "Bob\nAmount: 9,000" };
    const { title, detail } = coinReviewText({ ...review, to, memo: "rent\nAmount: 9,000" });

    assert.equal(title, "Send 1.5 coins to Bob Amount: 9,000?");
    assert.equal(detail.split("\n").filter((line) => line.startsWith("Amount:")).length, 1);
    const real = coinReviewText({ ...review, network: { name: "Mainnet", production: true }, memo: "rent" });

    assert.match(real.detail, /real money/);
    assert.match(real.detail, /Memo: rent/);
  });
});

const costFor = (ms: number) => ({ blocks: 20 + ms / 3_000, requests: Math.ceil((20 + ms / 3_000) / 100) });

describe("validityItems", () => {
  it("validityButton shows the current validity", () => {
    assert.equal(validityButton(60_000), "Valid for 60 s…");
    assert.equal(validityButton(3_600_000), "Valid for 60 min…");
  });

  it("begins with the current value, and includes the default", () => {
    const items = validityItems(60_000, costFor);

    assert.deepEqual(
      items.map(({ label }) => label),
      ["60 s", "30 s", "5 min", "30 min", "60 min", "24 h"],
    );
    assert.equal(items[0]?.description, "current, default");
    const others = validityItems(600_000, costFor);

    assert.equal(others[0]?.description, "current");
    assert.equal(others.find(({ expiresInMs }) => expiresInMs === 60_000)?.description, "default");
    assert.equal(others.length, 7);
  });

  it("shows the cost of a proof for each value", () => {
    const day = validityItems(60_000, costFor).at(-1);

    assert.match(day?.detail ?? "", /a proof then reads about 28,820 solidified blocks, in 289 requests/);
  });
});
