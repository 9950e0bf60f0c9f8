import assert from "node:assert/strict";
import { parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import {
  checkAmount,
  checkRecipient,
  type Review,
  recipientItems,
  reviewText,
  type ShownAccount,
  senderItems,
  validityButton,
  validityItems,
} from "../../../../src/features/transactions/send-coins.view.ts";
import type { Expiry } from "../../../../src/labels/reviews.ts";
import { ownKeySigns } from "../../../support/tracking/signing.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

/** Two addresses with the same six first and four last characters. */
const [FRIEND, POISON] = ["TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13", "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13"];
const alice: ShownAccount = { address: ALICE, name: "Alice", balance: sun(10_000_000n), canSign: true };
const bob: ShownAccount = { address: BOB, name: "Bob", balance: sun(20_000_000n), canSign: true };

describe("the accounts of Send Coins", () => {
  it("offers as senders those that can sign, the richest first, and then those for which others may", () => {
    const watched = { ...bob, name: "Watched", canSign: "maybe" } as const;
    const items = senderItems([alice, bob, watched, { ...bob, name: "Nobody here", canSign: false }]);

    assert.deepEqual(
      items.map((it) => it.label),
      ["$(key) Bob", "$(key) Alice", "$(eye) Watched"],
    );
    assert.equal(items[2]?.description, `if keys of its permissions are here · 20 coins · ${toBase58(BOB)}`);
    assert.equal(items[1]?.description, `10 coins · ${toBase58(ALICE)}`);
  });

  it("offers those that sign in the browser among those that can sign, and says so", () => {
    const items = senderItems([alice, { ...bob, signer: "outside" }]);

    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [
        ["$(browser) Bob", `signs in the browser · 20 coins · ${toBase58(BOB)}`],
        ["$(key) Alice", `10 coins · ${toBase58(ALICE)}`],
      ],
    );
  });

  it("never offers the sender as recipient", () => {
    assert.deepEqual(
      recipientItems([alice, bob], [], ALICE).map((it) => it.address),
      [BOB],
    );
  });

  it("offers the address book as recipients, after the accounts and each address once", () => {
    const friend = { address: parseAddress(FRIEND), label: "Friend", note: "address book" };

    const items = recipientItems([alice, bob], [{ address: BOB, label: "Bob" }, friend], ALICE);

    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [
        ["$(account) Bob", `20 coins · ${toBase58(BOB)}`],
        ["$(book) Friend", `address book · ${FRIEND}`],
      ],
    );
  });
});

describe("checkRecipient", () => {
  it("shows both forms of an address, whichever was typed", () => {
    const forms = `${toBase58(BOB)} = ${BOB}`;

    assert.deepEqual(checkRecipient(BOB, ALICE), { kind: "good", value: BOB, message: forms });
    assert.deepEqual(checkRecipient(` ${toBase58(BOB)} `, ALICE), { kind: "good", value: BOB, message: forms });
  });

  it("names a typing error by its checksum", () => {
    const mistyped = `${toBase58(BOB).slice(0, -1)}${toBase58(BOB).endsWith("2") ? "3" : "2"}`;

    const checked = checkRecipient(mistyped, ALICE);

    assert.equal(checked.kind, "wrong");
    assert.match(checked.kind === "wrong" ? checked.message : "", /mistyped/);
  });

  it("refuses the sender itself, and says nothing before anything was typed", () => {
    assert.equal(checkRecipient(ALICE, ALICE).kind, "wrong");
    assert.deepEqual(checkRecipient("  ", ALICE), { kind: "empty" });
  });
});

describe("checkAmount", () => {
  it("says the exact sun and what stays", () => {
    assert.deepEqual(checkAmount("1.5", sun(10_000_000n)), {
      kind: "good",
      value: 1_500_000n,
      message: "1,500,000 sun · 8.5 coins left, before fees",
    });
  });

  it("refuses more than there is", () => {
    const checked = checkAmount("10.000001", sun(10_000_000n));

    assert.deepEqual(checked, { kind: "wrong", message: "10,000,001 sun is more than the 10 coins on this account." });
  });

  it("refuses zero, letters and more than six decimals", () => {
    assert.deepEqual(
      ["0", "one", "1.0000001", "-1", "1,5"].map((it) => checkAmount(it, undefined).kind),
      ["wrong", "wrong", "wrong", "wrong", "wrong"],
    );
  });

  it("goes on without a balance when it is not known", () => {
    assert.deepEqual(checkAmount("2", undefined), { kind: "good", value: 2_000_000n, message: "2,000,000 sun" });
  });
});

const EXPIRY: Expiry = {
  lifetimeMs: 60_000,
  expiration: 60_000,
  now: 0,
  isLocalChain: false,
  timeOf: (ms) => new Date(ms).toISOString(),
};

describe("reviewText", () => {
  const review: Review = {
    network: "Local chain",
    production: false,
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

  it("shows everything that will be signed, the whole address of both sides included", () => {
    const { title, detail } = reviewText(review);

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

  it("U19: says every amount with the symbol of the network's coin, and with coins where none is known", () => {
    const { title, detail } = reviewText({ ...review, to: { ...review.to, name: "Bob" }, symbol: "TRX" });

    assert.equal(title, "Send 1.5 TRX to Bob?");
    assert.match(detail, /^Amount: 1\.5 TRX \(1,500,000 sun\)$/m);
    assert.match(detail, /^Costs: 1 TRX \(1 TRX to create the account\)$/m);
    assert.doesNotMatch(detail, /\bcoins?\b/);
    assert.equal(reviewText({ ...review, to: { ...review.to, name: "Bob" } }).title, "Send 1.5 coins to Bob?");
    const checked = checkAmount("1.5", sun(10_000_000n), "TRX");
    assert.equal(checked.kind === "good" && checked.message, "1,500,000 sun · 8.5 TRX left, before fees");
  });

  it("names an earlier recipient that looks the same, with both in full below each other, before anything else", () => {
    const [now, earlier] = [POISON, FRIEND].map((it) => parseAddress(it));
    const { detail } = reviewText({ ...review, to: { address: now ?? BOB }, lookalikes: earlier ? [earlier] : [] });

    assert.match(detail, /^⚠ This is not the account that it looks like/);
    assert.ok(detail.includes(`now ${POISON}\nknown ${FRIEND}\n\nNetwork:`), detail);
  });

  it("says before a long expiration is chosen what a proof would cost then", () => {
    const long = {
      expiry: { ...EXPIRY, lifetimeMs: 86_400_000, expiration: 86_400_000 },
      proofCost: { blocks: 28_819, requests: 289 },
    };

    assert.match(reviewText(review).detail, /If it gets lost: .* about 21 solidified blocks, in 1 request/);
    assert.match(
      reviewText({ ...review, ...long }).detail,
      /Expires: 24 h after .*\nIf it gets lost: .* about 28,819 solidified blocks, in 289 requests/,
    );
  });

  it("M5: begins with the head of a gateway that is far from this clock, and says until when the bytes are good", () => {
    const expiry = { ...EXPIRY, expiration: 2 * 86_400_000 + 60_000 };
    const { detail } = reviewText({ ...review, expiry });

    assert.match(
      detail,
      /^⚠ This gateway's head is 48 h ahead of this computer's clock\. .* until 1970-01-03T00:01:00/,
    );
    assert.match(detail, /\nExpires: 60 s after the chain's last block, at 1970-01-03T00:01:00/);
  });

  it("H4: has a name and a memo in one line each", () => {
    const to = { ...review.to, name: "Bob\nAmount: 9,000" };
    const { title, detail } = reviewText({ ...review, to, memo: "rent\nAmount: 9,000" });

    assert.equal(title, "Send 1.5 coins to Bob Amount: 9,000?");
    assert.equal(detail.split("\n").filter((line) => line.startsWith("Amount:")).length, 1);
  });

  it("says that money is real and shows a memo", () => {
    const { detail } = reviewText({ ...review, production: true, memo: "rent" });

    assert.match(detail, /real money/);
    assert.match(detail, /Memo: rent/);
  });
});

const costFor = (ms: number) => ({ blocks: 20 + ms / 3_000, requests: Math.ceil((20 + ms / 3_000) / 100) });

describe("how long a payment may wait", () => {
  it("is a button of the review that says what holds now", () => {
    assert.equal(validityButton(60_000), "Valid for 60 s…");
    assert.equal(validityButton(3_600_000), "Valid for 60 min…");
  });

  it("begins with what holds now, so that Enter changes nothing", () => {
    const items = validityItems(60_000, costFor);

    assert.deepEqual(
      items.map(({ label }) => label),
      ["60 s", "30 s", "5 min", "30 min", "60 min", "24 h"],
    );
    assert.equal(items[0]?.description, "as it is now, usual");
  });

  it("offers the usual time to who has another one by the setting", () => {
    const items = validityItems(600_000, costFor);

    assert.equal(items[0]?.description, "as it is now");
    assert.equal(items.find(({ expiresInMs }) => expiresInMs === 60_000)?.description, "usual");
    assert.equal(items.length, 7);
  });

  it("says what a proof would cost with each of them", () => {
    const day = validityItems(60_000, costFor).at(-1);

    assert.match(day?.detail ?? "", /a proof reads about 28,820 solidified blocks, in 289 requests/);
  });
});
