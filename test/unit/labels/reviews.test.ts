import assert from "node:assert/strict";
import type { Approval } from "../../../packages/client/src/tokens.ts";
import { parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import {
  approvalWarning,
  costText,
  type Expiry,
  expiryWords,
  likenessOf,
  lookalikeLines,
  partyText,
} from "../../../src/labels/reviews.ts";
import { ALICE } from "../../support/tracking/tracked.ts";

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

/** A draft that has 60 s of a head so far ahead of this clock. */
function expiryAt(aheadMs: number, isLocalChain = false): Expiry {
  const expiration = NOW + aheadMs + 60_000;
  return { lifetimeMs: 60_000, expiration, now: NOW, isLocalChain, timeOf: (ms) => `hour ${ms / HOUR}` };
}

describe("expiryWords", () => {
  it("says the lifetime alone while head and clock agree", () => {
    for (const aheadMs of [0, 3_000, -60_000, 299_000, -299_000])
      assert.deepEqual(expiryWords(expiryAt(aheadMs)), { line: "Expires: 60 s after the chain's last block" });
  });

  it("M5: a head 48 h ahead is said plainly, with the time until which the bytes are good", () => {
    const { line, alarm } = expiryWords({ ...expiryAt(48 * HOUR), timeOf: () => "22 November" });

    assert.equal(line, "Expires: 60 s after the chain's last block, at 22 November");
    assert.equal(
      alarm,
      "This gateway's head is 48 h ahead of this computer's clock. The transaction can be executed until 22 November, 48 h from now by the clock of this computer. Check the clock; if it is right, use another gateway.",
    );
  });

  it("M5: so is a head that is behind", () => {
    assert.match(
      expiryWords(expiryAt(-3 * HOUR)).alarm ?? "",
      /^This gateway's head is 3 h behind this computer's clock/,
    );
  });

  it("M5: minutes are said, seconds are not", () => {
    assert.equal(expiryWords(expiryAt(300_000)).alarm, undefined);
    assert.match(expiryWords(expiryAt(301_000)).alarm ?? "", /5 min ahead/);
  });

  it("M5: the local chain, whose time a person moves, is said without alarm", () => {
    const { line, alarm } = expiryWords(expiryAt(48 * HOUR, true));

    assert.equal(alarm, undefined);
    assert.match(line, /; the time of the local chain is 48 h ahead of this computer's clock$/);
  });
});

describe("partyText", () => {
  it("H4: a name is one line before the whole address", () => {
    const text = partyText({ address: ALICE, name: `Bob\nSends: 9,000 coins${"x".repeat(100)}` });

    assert.match(text, /^Bob Sends: 9,000 coinsx{38}… · T\w{33}$/);
  });
});

const SPENDER = parseAddress("TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW");
const MOST = 2n ** 256n - 1n;
const reported = (approval: Partial<Approval>, balance: bigint | undefined): string | undefined =>
  approvalWarning({ spender: SPENDER, amount: 1n, adds: false, ...approval }, balance, (amount) => `${amount} TEA`);

describe("the warning of an approval", () => {
  it("of the maximum is named as one of everything, with its spender", () => {
    const sentence = reported({ amount: MOST }, MOST);
    assert.match(sentence ?? "", /every token of this kind that you have or will ever have/);
    assert.ok(sentence?.includes(toBase58(SPENDER)));
  });

  it("of more than the holder has says both amounts", () => {
    assert.match(reported({ amount: 500n }, 3n) ?? "", /to spend 500 TEA, and you have 3 TEA/);
    assert.match(reported({ amount: 500n, adds: true }, 3n) ?? "", /to spend 500 TEA more, and you have 3 TEA/);
  });

  it("up to the balance of the holder needs no warning, nor does one of a holder with an unknown balance", () => {
    assert.equal(reported({ amount: 3n }, 3n), undefined);
    assert.equal(reported({ amount: 3n }, undefined), undefined);
  });
});

describe("lookalikeLines", () => {
  it("shows both accounts in full, below each other", () => {
    const [warning, now, known] = lookalikeLines(SPENDER, ALICE);
    assert.match(warning ?? "", /^⚠ This is not the account that it looks like/);
    assert.deepEqual([now, known], [`now ${toBase58(SPENDER)}`, `known ${toBase58(ALICE)}`]);
  });
});

describe("likenessOf", () => {
  const FRIEND = { address: parseAddress("TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13"), label: "Friend" };
  const POISON = parseAddress("TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13");

  it("names whom a typed address only looks like, in full", () => {
    const { detail } = likenessOf(POISON, [{ address: ALICE, label: "Alice" }, FRIEND]);

    assert.equal(detail, `⚠ Not Friend, ${toBase58(FRIEND.address)}: only the ends are the same`);
  });

  it("is silent about the address itself, and about one without look-alikes", () => {
    assert.deepEqual(likenessOf(FRIEND.address, [FRIEND]), {});
    assert.deepEqual(likenessOf(ALICE, [FRIEND]), {});
  });
});

describe("costText", () => {
  it("says in words that something is free, and why", () => {
    const free = { parts: [{ kind: "free-bandwidth", bytes: 267n, amount: sun(0n) }], fee: sun(0n) } as const;

    assert.equal(costText(free), "nothing (267 bytes of free bandwidth)");
  });

  it("says what each part is for", () => {
    const parts = [
      { kind: "burned-bandwidth", bytes: 270n, amount: sun(270_000n) },
      { kind: "memo", amount: sun(1_000_000n) },
    ] as const;

    assert.equal(
      costText({ parts, fee: sun(1_270_000n) }),
      "1.27 coins (0.27 coins for 270 bytes of bandwidth + 1 coin for the memo)",
    );
  });
});
