import assert from "node:assert/strict";
import {
  equalWords,
  RETRY_WORDS,
  type RetryWords,
  replacementWords,
  resendWords,
} from "../../src/retry/retry-messages.ts";
import { RETRY_TABLE } from "../../src/retry/retry-policy.ts";

const SENTENCES = /^[A-Z].*\.$/;
const REST = /^[a-z].*[^.]$/;

describe("the words of the one table of retries", () => {
  it("are there for each row, and for no other", () => {
    assert.deepEqual(Object.keys(RETRY_WORDS).sort(), Object.keys(RETRY_TABLE).sort());
  });

  for (const [row, words] of Object.entries<RetryWords>(RETRY_WORDS)) {
    it(`are whole sentences, or the rest of one: ${row}`, () => {
      for (const it of [words.advice, words.whyNot]) if (it !== undefined) assert.match(it, SENTENCES);
      for (const it of [words.when, words.alone]) if (it !== undefined) assert.match(it, REST);
    });
  }

  for (const [row, { sameBytes }] of Object.entries(RETRY_TABLE)) {
    it(`say why not, or after what: ${row}`, () => {
      const { when, whyNot }: RetryWords =
        Object.entries<RetryWords>(RETRY_WORDS).find(([it]) => it === row)?.[1] ?? {};

      assert.equal(whyNot !== undefined, sameBytes === "no");
      assert.equal(when !== undefined, sameBytes === "after");
    });
  }
});

describe("the reasons of a refusal", () => {
  it("end with one full stop, whatever the node said", () => {
    assert.equal(resendWords.refused("balance is not sufficient."), "The answer was: balance is not sufficient.");
    assert.equal(resendWords.refused("SIGERROR"), "The answer was: SIGERROR.");
  });

  it("tell what became of an equal transaction, and show what a network hides in its name", () => {
    assert.equal(equalWords("ab", "executed", undefined), "An equal transaction was executed meanwhile: ab.");
    assert.equal(equalWords("ab", "final", undefined), "An equal transaction may have been executed: ab.");
    assert.equal(
      resendWords.twice(equalWords("ab", "alive", "Ma\u202Ein")),
      "An equal transaction may still be executed: ab. Its network Ma⟨U+202E⟩in may be the same chain. Sending this one too would do the same thing twice.",
    );
  });

  it("say when the same bytes may go again, where that is known", () => {
    assert.match(replacementWords.stillValid("a pause"), /may be sent again when a pause: a new one/);
    assert.match(replacementWords.stillValid(undefined), /may be sent again: a new one/);
    assert.match(replacementWords.notYet(replacementWords.included(7)), /^Block 7 holds it.* It may be replaced when/);
  });
});
