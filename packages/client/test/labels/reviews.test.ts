import assert from "node:assert/strict";
import { ALICE } from "../../../../test/support/tracking/tracked.ts";
import { parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import {
  approvalWarning,
  costText,
  type Expiry,
  expiryText,
  likenessOf,
  lookalikeLines,
  partyText,
} from "../../src/labels/reviews.ts";
import type { Approval } from "../../src/tokens.ts";

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

/** Returns an expiration 60 s after a head that is this far ahead of the local clock. */
function expiryAt(aheadMs: number, isLocalChain = false): Expiry {
  const expiration = NOW + aheadMs + 60_000;
  return { lifetimeMs: 60_000, expiration, now: NOW, isLocalChain, timeOf: (ms) => `hour ${ms / HOUR}` };
}

describe("expiryText", () => {
  it("shows only the lifetime while head and clock agree", () => {
    for (const aheadMs of [0, 3_000, -60_000, 299_000, -299_000])
      assert.deepEqual(expiryText(expiryAt(aheadMs)), { line: "Expires: 60 s after the chain's last block" });
  });

  it("M5: warns about a head 48 h ahead, with the absolute time", () => {
    const { line, alarm } = expiryText({ ...expiryAt(48 * HOUR), timeOf: () => "22 November" });

    assert.equal(line, "Expires: 60 s after the chain's last block, at 22 November");
    assert.equal(
      alarm,
      "This gateway's head is 48 h ahead of this computer's clock. The transaction can be executed until 22 November, 48 h from now by the clock of this computer. Check the clock; if it is right, use another gateway.",
    );
    assert.match(
      expiryText(expiryAt(-3 * HOUR)).alarm ?? "",
      /^This gateway's head is 3 h behind this computer's clock/,
    );
    assert.equal(expiryText(expiryAt(300_000)).alarm, undefined);
    assert.match(expiryText(expiryAt(301_000)).alarm ?? "", /5 min ahead/);
  });

  it("M5: shows a shifted local chain without a warning", () => {
    const { line, alarm } = expiryText(expiryAt(48 * HOUR, true));

    assert.equal(alarm, undefined);
    assert.match(line, /; the time of the local chain is 48 h ahead of this computer's clock$/);
  });
});

describe("partyText", () => {
  it("H4: shows the name on one line before the whole address", () => {
    const text = partyText({ address: ALICE, name: `Bob\nSends: 9,000 coins${"x".repeat(100)}` });

    assert.match(text, /^Bob Sends: 9,000 coinsx{38}… · T\w{33}$/);
  });
});

const SPENDER = parseAddress("TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW");
const MOST = 2n ** 256n - 1n;
const reported = (approval: Partial<Approval>, balance: bigint | undefined): string | undefined =>
  approvalWarning({ spender: SPENDER, amount: 1n, adds: false, ...approval }, balance, (amount) => `${amount} TEA`);

describe("approvalWarning", () => {
  it("names the spender of an unlimited approval", () => {
    const sentence = reported({ amount: MOST }, MOST);
    assert.match(sentence ?? "", /every token of this kind that you have or will ever have/);
    assert.ok(sentence?.includes(toBase58(SPENDER)));
    assert.match(reported({ amount: 500n }, 3n) ?? "", /to spend 500 TEA, and you have 3 TEA/);
    assert.match(reported({ amount: 500n, adds: true }, 3n) ?? "", /to spend 500 TEA more, and you have 3 TEA/);
    assert.equal(reported({ amount: 3n }, 3n), undefined);
    assert.equal(reported({ amount: 3n }, undefined), undefined);
  });
});

describe("lookalikeLines", () => {
  it("shows both accounts in full", () => {
    const [warning, now, known] = lookalikeLines(SPENDER, ALICE);
    assert.match(warning ?? "", /^⚠ This is not the account that it looks like/);
    assert.deepEqual([now, known], [`now ${toBase58(SPENDER)}`, `known ${toBase58(ALICE)}`]);
  });
});

describe("likenessOf", () => {
  const FRIEND = { address: parseAddress("TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13"), label: "Friend" };
  const POISON = parseAddress("TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13");

  it("names the look-alike of a typed address", () => {
    const { detail } = likenessOf(POISON, [{ address: ALICE, label: "Alice" }, FRIEND]);

    assert.equal(detail, `⚠ Not Friend, ${toBase58(FRIEND.address)}: only the ends are the same`);
    assert.deepEqual(likenessOf(FRIEND.address, [FRIEND]), {});
    assert.deepEqual(likenessOf(ALICE, [FRIEND]), {});
  });
});

describe("costText", () => {
  it("names free bandwidth as the reason for no cost", () => {
    const free = { parts: [{ kind: "free-bandwidth", bytes: 267n, amount: sun(0n) }], fee: sun(0n) } as const;

    assert.equal(costText(free), "nothing (267 bytes of free bandwidth)");
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
