import assert from "node:assert/strict";
import { type Expiry, expiryWords, partyText } from "../../../../src/core/transaction/review-words.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

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
      "This gateway's head is 48 h ahead of this computer's clock. The transaction can be executed until 22 November, 48 h from now by this clock. Check the clock; if it is right, ask another gateway.",
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
