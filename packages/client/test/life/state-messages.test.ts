import assert from "node:assert/strict";
import { unknownWords } from "../../src/life/state-messages.ts";

describe("why an outcome is unknown", () => {
  it("is said as sentences, with whoever was asked and what was said", () => {
    assert.match(unknownWords.notSeen, /^No gateway .*\.$/);
    assert.match(unknownWords.noAnswer("https://a.test"), /^It was handed to https:\/\/a\.test, and no answer .*\.$/);
    assert.match(
      unknownWords.alreadyKnown("https://a.test", "dup"),
      /^https:\/\/a\.test says .* \(dup\)\. That proves/,
    );
    assert.equal(unknownWords.answered("https://a.test", "accepted"), "https://a.test answered: accepted.");
    assert.equal(unknownWords.turnedAway("Too many requests."), "Not sent as far as is known: Too many requests.");
  });
});
