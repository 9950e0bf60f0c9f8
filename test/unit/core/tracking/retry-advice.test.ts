import assert from "node:assert/strict";
import { retryAdvice } from "../../../../src/core/tracking/retry-advice.ts";
import { DUPLICATE, rejected } from "../../../support/journal-entries.ts";

const HEAD = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60 * 1_000;

function advice(code: string, message = code): string {
  return retryAdvice(rejected(code, message));
}

function adviceWhenExpired(expiration: number, headTime?: number): string {
  return retryAdvice(rejected("TRANSACTION_EXPIRATION_ERROR", "Transaction expired"), { expiration, headTime });
}

describe("retryAdvice", () => {
  for (const [code, expected] of [
    ["SIGERROR", "sign-again"],
    ["CONTRACT_EXE_ERROR", "fix-request"],
    ["BANDWITH_ERROR", "same-bytes-after-funding"],
    ["TOO_BIG_TRANSACTION_ERROR", "rebuild"],
    ["TAPOS_ERROR", "another-node"],
    ["SERVER_BUSY", "same-bytes-later"],
    ["NO_CONNECTION", "same-bytes-later"],
    ["NOT_ENOUGH_EFFECTIVE_CONNECTION", "same-bytes-later"],
    ["BLOCK_UNSOLIDIFIED", "same-bytes-later"],
    ["GATEWAY_RATE_LIMITED", "same-bytes-later"],
    ["NullPointerException", "fix-request"],
  ] as const) {
    it(`after ${code}: ${expected}`, () => {
      assert.equal(advice(code), expected);
    });
  }

  it("S128 a lack of coins: exactly the same bytes after funding", () => {
    const message = "Contract validate error : Validate TransferContract error, balance is not sufficient.";

    assert.equal(advice("CONTRACT_VALIDATE_ERROR", message), "same-bytes-after-funding");
  });

  it("S113 an account that does not exist: the same bytes after it got a coin", () => {
    const message = "Contract validate error : account [TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp] does not exist";

    assert.equal(advice("CONTRACT_VALIDATE_ERROR", message), "same-bytes-after-funding");
  });

  it("any other failed validation: fix what was asked", () => {
    assert.equal(advice("CONTRACT_VALIDATE_ERROR", "No contract!"), "fix-request");
  });

  it("S121 expired before the head: rebuild", () => {
    assert.equal(adviceWhenExpired(HEAD - 1, HEAD), "rebuild");
    assert.equal(adviceWhenExpired(HEAD + 2_999, HEAD), "rebuild");
  });

  it("S124 more than a day ahead of the head: the same bytes later", () => {
    assert.equal(adviceWhenExpired(HEAD + DAY + 1, HEAD), "same-bytes-later");
    assert.equal(adviceWhenExpired(HEAD + DAY + 1, HEAD + 30_000), "same-bytes-later");
  });

  it("expired without the head's time: rebuild, which is right either way", () => {
    assert.equal(adviceWhenExpired(HEAD + DAY), "rebuild");
  });

  it("S110 DUP: another node, the same txID", () => {
    assert.equal(retryAdvice(DUPLICATE), "another-node");
  });
});
