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

describe("the words of the one table of retries", () => {
  it("are there for each row, and for no other", () => {
    assert.deepEqual(Object.keys(RETRY_TEXTS).sort(), Object.keys(RETRY_TABLE).sort());
  });

  for (const [row, words] of Object.entries<RetryTexts>(RETRY_TEXTS)) {
    it(`are whole sentences, or the rest of one: ${row}`, () => {
      for (const it of [words.advice, words.whyNot]) if (it !== undefined) assert.match(it, SENTENCES);
      for (const it of [words.when, words.alone]) if (it !== undefined) assert.match(it, REST);
    });
  }

  for (const [row, { sameBytes }] of Object.entries(RETRY_TABLE)) {
    it(`say why not, or after what: ${row}`, () => {
      const { when, whyNot }: RetryTexts =
        Object.entries<RetryTexts>(RETRY_TEXTS).find(([it]) => it === row)?.[1] ?? {};

      assert.equal(whyNot !== undefined, sameBytes === "no");
      assert.equal(when !== undefined, sameBytes === "after");
    });
  }
});

describe("the reasons of a refusal", () => {
  it("end with one full stop, whatever the node said", () => {
    assert.equal(resendTexts.refused("balance is not sufficient."), "The answer was: balance is not sufficient.");
    assert.equal(resendTexts.refused("SIGERROR"), "The answer was: SIGERROR.");
  });

  it("tell what became of an equal transaction, and show what a network hides in its name", () => {
    assert.equal(equalTransactionText("ab", "executed", undefined), "An equal transaction was executed meanwhile: ab.");
    assert.equal(equalTransactionText("ab", "final", undefined), "An equal transaction may have been executed: ab.");
    assert.equal(
      resendTexts.twice(equalTransactionText("ab", "alive", "Ma\u202Ein")),
      "An equal transaction may still be executed: ab. Its network Ma⟨U+202E⟩in may be the same chain. Sending this one too would execute the same thing twice.",
    );
  });

  it("say when the same bytes may go again, where that is known", () => {
    assert.match(replacementTexts.stillValid("a pause"), /may be sent again when a pause: a new one/);
    assert.match(replacementTexts.stillValid(undefined), /may be sent again: a new one/);
    assert.match(
      replacementTexts.notYet(replacementTexts.included(7)),
      /^It is in block 7, .* It can be replaced when/,
    );
  });
});
