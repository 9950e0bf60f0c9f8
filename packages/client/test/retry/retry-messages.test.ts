import assert from "node:assert/strict";
import {
  equalTransactionText,
  RETRY_TEXTS,
  type RetryTexts,
  replacementTexts,
  resendTexts,
} from "../../src/retry/retry-messages.ts";
import { RETRY_TABLE } from "../../src/retry/retry-policy.ts";

const SENTENCES = /^[A-Z].*\.$/;
const REST = /^[a-z].*[^.]$/;

describe("RETRY_TEXTS", () => {
  it("has an entry for each row of the retry table and no other", () => {
    assert.deepEqual(Object.keys(RETRY_TEXTS).sort(), Object.keys(RETRY_TABLE).sort());
  });

  for (const [row, { advice, whyNot, when, alone }] of Object.entries<RetryTexts>(RETRY_TEXTS))
    it(`has complete sentences, a reason for refused bytes and a condition for waiting ones, for ${row}`, () => {
      const { sameBytes } = RETRY_TABLE[row as keyof typeof RETRY_TABLE];

      for (const it of [advice, whyNot]) if (it !== undefined) assert.match(it, SENTENCES);
      for (const it of [when, alone]) if (it !== undefined) assert.match(it, REST);
      assert.equal(whyNot !== undefined, sameBytes === "no");
      assert.equal(when !== undefined, sameBytes === "after");
    });
});

describe("resendTexts and replacementTexts", () => {
  it("end the answer of the node with one full stop", () => {
    assert.equal(resendTexts.refused("balance is not sufficient."), "The answer was: balance is not sufficient.");
    assert.equal(resendTexts.refused("SIGERROR"), "The answer was: SIGERROR.");
  });

  it("describe the outcome of an equal transaction, and escape control characters in a network name", () => {
    assert.equal(equalTransactionText("ab", "executed", undefined), "An equal transaction was executed meanwhile: ab.");
    assert.equal(equalTransactionText("ab", "final", undefined), "An equal transaction may have been executed: ab.");
    assert.equal(
      resendTexts.twice(equalTransactionText("ab", "alive", "Ma\u202Ein")),
      "An equal transaction may still be executed: ab. Its network Ma⟨U+202E⟩in may be the same chain. Sending this one too would execute the same thing twice.",
    );
  });

  it("include the condition for the same bytes when it is known", () => {
    assert.match(replacementTexts.stillValid("a pause"), /may be sent again when a pause: a new one/);
    assert.match(replacementTexts.stillValid(undefined), /may be sent again: a new one/);
    assert.match(
      replacementTexts.notYet(replacementTexts.included(7)),
      /^It is in block 7, .* It can be replaced when/,
    );
  });
});
